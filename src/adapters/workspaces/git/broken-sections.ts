// Parts of manifests that are not as they were, where nothing honest explains it.
import { posix } from 'node:path';
import type { BrokenPin, Pin } from '#kernel/criterion.ts';
import { notThere } from './absent-pins.ts';
import { isInlineTest } from './inline-tests.ts';
import { manifestsAbove, takesName } from './package-names.ts';
import { isAmongOld, textOf, type TreeGround, type Trees } from './pin-tree.ts';
import { hasSections, type Sections, sectionsOf } from './sections.ts';

export async function brokenSections(ground: TreeGround, { why }: Pin, trees: Trees): Promise<BrokenPin[]> {
  const paths = [...new Set([...trees.base.keys(), ...trees.now.keys()])].filter(
    (path) =>
      hasSections(path) && trees.base.get(path) !== trees.now.get(path) && isAmongOld(path, trees.base),
  );
  const broken: BrokenPin[] = [];
  const moved = await movedTests(ground, trees);
  for (const path of paths) {
    const [before, after] = [await textOf(ground, trees.base, path), await textOf(ground, trees.now, path)];
    const [old, now] = [readSections(path, before), readSections(path, after)];
    if (posix.basename(path) === 'package.json') {
      const named = await textsOf(ground, trees.base, manifestsAbove(path));
      if (takesName(path, { before, after, base: named }))
        broken.push({
          path: `${path}#name`,
          change: 'changed',
          why: 'is loaded instead of what has that name',
        });
    }
    for (const section of new Set([...old.keys(), ...now.keys()])) {
      if (old.get(section) === now.get(section) || isHonest(section, { old, now, before, moved })) continue;
      const change = now.has(section) ? (old.has(section) ? 'changed' : 'added') : 'deleted';
      const named = `${path}#${section}`;
      broken.push({ path: named, change, why: change === 'added' ? notThere(named, why) : why });
    }
  }
  return broken;
}

/** A package of one's own beside the others replaces none of them, and versions come and go. */
function isHonest(
  section: string,
  { old, now, before, moved }: { old: Sections; now: Sections; before: string; moved: ReadonlySet<string> },
): boolean {
  if (isInlineTest(section)) return !old.has(section) || moved.has(old.get(section) ?? '');
  if (section.startsWith('contents.')) return !old.has(section) || !now.has(section);
  const name = /^(?:\w*[dD]ependencies|place)\.(.+)$/.exec(section)?.[1];
  if (name === undefined || old.has(section)) return false;
  return !before.includes(`"${name}"`) && !before.includes(`/${name}"`);
}

/** Tests inside of changed sources, as they stand there now. */
async function movedTests(ground: TreeGround, { base, now }: Trees): Promise<Set<string>> {
  const found = new Set<string>();
  for (const [path, file] of now) {
    if (!path.endsWith('.rs') || base.get(path) === file) continue;
    for (const text of readSections(path, await textOf(ground, now, path)).values()) found.add(text);
  }
  return found;
}

function readSections(path: string, text: string): Sections {
  return text === '' ? new Map() : sectionsOf(path, text);
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
