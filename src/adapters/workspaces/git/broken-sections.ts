// Parts of manifests that are not as they were, where nothing honest explains it.
import { posix } from 'node:path';
import type { BrokenPin, Pin } from '#kernel/criterion.ts';
import { notThere } from './absent-pins.ts';
import { manifestsAbove, takesName, wantedBy } from './package-names.ts';
import { isAmongOld, textOf, type TreeGround, type Trees } from './pin-tree.ts';
import { changedSections } from './section-rules.ts';
import { hasSections, sectionsOf } from './sections.ts';

export async function brokenSections(ground: TreeGround, { why }: Pin, trees: Trees): Promise<BrokenPin[]> {
  const paths = [...new Set([...trees.base.keys(), ...trees.now.keys()])].filter(
    (path) =>
      hasSections(path) && trees.base.get(path) !== trees.now.get(path) && isAmongOld(path, trees.base),
  );
  const broken: BrokenPin[] = [];
  const moved = await movedTests(ground, trees);
  const files = { base: [...trees.base.keys()], now: [...trees.now.keys()] };
  for (const path of paths) {
    const [before, after] = [await textOf(ground, trees.base, path), await textOf(ground, trees.now, path)];
    const manifests = await textsOf(ground, trees.base, manifestsAbove(path));
    const isTaken =
      posix.basename(path) === 'package.json' && takesName(path, { before, after, base: manifests });
    if (isTaken)
      broken.push({
        path: `${path}#name`,
        change: 'changed',
        why: 'is loaded instead of what has that name',
      });
    const [old, now] = [sectionsOf(path, before), sectionsOf(path, after)];
    const wanted = wantedBy(manifests.values());
    for (const [section, change] of changedSections({
      path,
      before,
      after,
      old,
      now,
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

/** Tests inside of changed sources, as they stand there now. */
async function movedTests(ground: TreeGround, { base, now }: Trees): Promise<Set<string>> {
  const found = new Set<string>();
  for (const [path, file] of now) {
    if (!path.endsWith('.rs') || base.get(path) === file) continue;
    for (const text of sectionsOf(path, await textOf(ground, now, path)).values()) found.add(text);
  }
  return found;
}

async function textsOf(
  ground: TreeGround,
  files: ReadonlyMap<string, string>,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of paths) texts.set(path, await textOf(ground, files, path));
  return texts;
}
