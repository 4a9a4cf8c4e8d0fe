// Reads the parts of a manifest that decide checks. The rest is free: honest work changes dependencies. Pure.
import { posix } from 'node:path';
import type { Lock } from '#analysis/ecosystems/ecosystem.ts';
import type { SectionReader } from '#analysis/ecosystems/pin-facts.ts';
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { unreadable } from '#analysis/texts/json-text.ts';
import { lockSections } from './lock-sections.ts';
import type { Sections } from './section-types.ts';

const locks = new Map(
  factsOf('setup')
    .flatMap((each) => each.locks ?? [])
    .flatMap(({ file, read }): [string, SectionReader][] =>
      read === undefined ? [] : [[file, locked(read)]],
    ),
);
const readers = factsOf('pins').flatMap((each) => each.sections ?? []);

export function hasSections(path: string): boolean {
  return readerOf(posix.basename(path)) !== undefined;
}

/** Contract: an unreadable text has one section, itself, so that it never equals an intact manifest. */
export function sectionsOf(path: string, text: string): Sections {
  const name = posix.basename(path);
  return text === '' ? new Map() : (readerOf(name)?.(text, name) ?? new Map());
}

function readerOf(name: string): SectionReader | undefined {
  return locks.get(name) ?? readers.find(([pattern]) => pattern.test(name))?.[1];
}

function locked(read: NonNullable<Lock['read']>): SectionReader {
  return (text) => {
    const packages = read(text);
    return packages === null ? unreadable(text) : lockSections(packages);
  };
}
