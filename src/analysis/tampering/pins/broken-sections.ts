// Finds changed parts of manifests that no honest work explains.
import { testModulesOf } from '#analysis/test-files/inline-test-parts.ts';
import { posix } from 'node:path';
import { isLockFile } from '#analysis/ecosystems/setup/setup-files.ts';
import type { BrokenPin, Pin } from '#kernel/model/criterion.ts';
import { notThere } from './not-there.ts';
import { unreadable } from '#analysis/texts/json-text.ts';
import { manifestsAbove, wantedBy } from '#analysis/ecosystems/javascript/package-names.ts';
import {
  isAmongOld,
  textBytesMax,
  textOf,
  textsOf,
  treeChanges,
  type TreeReader,
  type Trees,
} from './tree-reader.ts';
import { changedSections } from '#analysis/tampering/section-rules.ts';
import { hasSections, sectionsOf } from '#analysis/ecosystems/manifests/sections.ts';
import type { Sections } from '#analysis/ecosystems/manifests/section-types.ts';
import { ownPackages, takenNames } from './shadowed-modules.ts';

export async function brokenSections(read: TreeReader, { why }: Pin, trees: Trees): Promise<BrokenPin[]> {
  const paths = treeChanges(trees).all.filter((path) => hasSections(path) && isAmongOld(path, trees.base));
  const broken = await takenNames(read, trees);
  if (paths.length === 0) return broken;
  const moved = await movedTests(read, trees);
  const files = { base: [...trees.base.keys()], now: [...trees.now.keys()] };
  for (const path of paths) {
    const [before, after] = [await readAt(read, trees.base, path), await readAt(read, trees.now, path)];
    const wanted = path.endsWith('.json') ? await wantedAt(read, trees, path) : new Set<string>();
    const isFirstLock = before.text === '' && isLockFile(path);
    const old = isFirstLock ? await lockedElse(read, trees, path) : before.sections;
    for (const [section, change] of changedSections({
      path,
      before: before.text,
      after: after.text,
      old,
      now: after.sections,
      files,
      wanted,
      moved,
    })) {
      const named = `${path}#${section}`;
      broken.push({ path: named, change, why: change === 'added' ? notThere(named, why) : why });
    }
  }
  return broken;
}

interface Manifest {
  readonly text: string;
  readonly sections: Sections;
}

/** A link, a text with zero bytes or one that is too long could say anything: it is compared as a whole. */
async function readAt(read: TreeReader, files: Trees['base'], path: string): Promise<Manifest> {
  const file = files.get(path);
  if (file === undefined) return { text: '', sections: new Map() };
  const text = file.startsWith('120000') ? null : await read(file, textBytesMax);
  return text === null
    ? { text: file, sections: unreadable(file) }
    : { text, sections: sectionsOf(path, text) };
}

async function wantedAt(read: TreeReader, { base }: Trees, path: string): Promise<Set<string>> {
  return wantedBy((await textsOf(read, base, manifestsAbove(path))).values());
}

/** A first lock file, or another packager's, is compared with the base's; own packages are free. */
async function lockedElse(read: TreeReader, trees: Trees, path: string): Promise<Sections> {
  const beside = [...trees.base.keys()].filter(
    (each) => isLockFile(each) && posix.dirname(each) === posix.dirname(path),
  );
  const texts = await textsOf(read, trees.base, beside);
  const locked = [...texts].flatMap(([each, text]) => [...sectionsOf(each, text)]);
  const own = await ownPackages(read, trees);
  for (const [section] of locked) if (section.startsWith('place.')) own.add(section.slice('place.'.length));
  const wanted = [...(await wantedAt(read, trees, path))].map((name): [string, string] => [
    `known.${name}`,
    '',
  ]);
  return new Map(
    [...wanted, ...locked].filter(
      ([section]) => !section.startsWith('place.') && !own.has(section.replace(/^known\./, '')),
    ),
  );
}

/** Tests inside changed sources, in their current form. */
async function movedTests(read: TreeReader, { base, now }: Trees): Promise<Set<string>> {
  const found = new Set<string>();
  for (const path of treeChanges({ base, now }).present) {
    if (testModulesOf(path) === null) continue;
    for (const text of sectionsOf(path, await textOf(read, now, path)).values()) found.add(text);
  }
  return found;
}
