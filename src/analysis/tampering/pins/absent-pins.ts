// Pins names that are free at the base because a file there would steer a check.
import { posix } from 'node:path';
import picomatch from 'picomatch';
import { isTest } from '#analysis/test-files/test-names.ts';
import type { BrokenPin, Pin } from '#kernel/model/criterion.ts';
import { notThere } from './not-there.ts';
import { treeChanges } from './tree-reader.ts';
import {
  isDependency,
  packagerFiles,
  readByRunner,
  rivalFiles,
  runnerFiles,
  usesPackager,
} from './pin-rules.ts';

/** The hash of a pin whose path must stay free. Its last part may be a glob, `**` for all below. */
export const absent = 'absent';
/** Every file below every `node_modules`; the base itself may hold some of them. */
const dependencies = '**/node_modules/**';

type Files = ReadonlyMap<string, string>;
export type AddPin = (path: string, hash: string, why: string) => void;

/** Files that a packager or a task runner would read in these folders besides the named ones. */
export function pinReaders(files: Files, command: string, folders: readonly string[], pin: AddPin): void {
  const why = 'would steer a check';
  for (const folder of folders) {
    if (usesPackager(command))
      for (const name of packagerFiles) pinName(files, posix.join(folder, name), why, pin);
    for (const name of rivalFiles(command, (each) => files.has(posix.join(folder, each))))
      pinName(files, posix.join(folder, name), why, pin);
  }
}

/** `runners`: those that the repository names. Without them some settings only build, and decide no test. */
export function pinRunners(
  files: Files,
  { folders, runners }: { folders: readonly string[]; runners: ReadonlySet<string> },
  pin: AddPin,
): void {
  pin(dependencies, absent, 'dependencies come from setup');
  if (![...files.keys()].some(isTest)) return;
  for (const folder of folders)
    for (const name of [...runnerFiles, ...[...runners].flatMap((runner) => readByRunner[runner] ?? [])])
      pinName(files, posix.join(folder, name), 'decides how the tests run', pin);
}

/** Pins existing files by hash; a name that is missing, or may occur again, must stay free. */
export function pinName(files: Files, path: string, why: string, pin: AddPin): void {
  for (const found of matching(path, files.keys())) pin(found, files.get(found) ?? '', why);
  if (posix.basename(path).includes('*') || !files.has(path)) pin(path, absent, why);
}

/** Files that the base does not have; below `node_modules` also those that differ from the base. */
export function brokenAbsence({ path, why }: Pin, base: Files, files: Files): BrokenPin[] {
  if (path === dependencies) return brokenDependencies(why, base, files);
  return matching(path, treeChanges({ base, now: files }).added).map((each) => ({
    path: each,
    change: 'added',
    why: notThere(each, why),
  }));
}

function brokenDependencies(why: string, base: Files, files: Files): BrokenPin[] {
  const paths = treeChanges({ base, now: files }).all.filter(isDependency);
  return paths.flatMap((path): BrokenPin[] => {
    if (!base.has(path)) return [{ path, change: 'added', why: notThere(path, why) }];
    return [{ path, change: files.has(path) ? 'changed' : 'deleted', why }];
  });
}

function matching(path: string, among: Iterable<string>): string[] {
  if (path.endsWith('/**')) return [...among].filter((each) => each.startsWith(path.slice(0, -2)));
  const isName = picomatch(posix.basename(path), { dot: true });
  const folder = posix.dirname(path);
  return [...among].filter((each) => posix.dirname(each) === folder && isName(posix.basename(each)));
}
