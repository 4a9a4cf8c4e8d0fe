// Finds attributes that change a pinned file at checkout although its blob is the same, by asking git.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import type { BrokenPin, Pin } from '#kernel/model/criterion.ts';
import { notThere } from '#analysis/tampering/pins/not-there.ts';
import { split } from '#adapters/git/repo/git.ts';
import type { TreeGround } from '#adapters/git/trees/pin-tree.ts';
import { folderOf, treeChanges, type Trees } from '#analysis/tampering/pins/tree-reader.ts';
import { hasSections } from '#analysis/ecosystems/manifests/sections.ts';

type Files = ReadonlyMap<string, string>;

// A pattern for all files breaks every pin; a few examples are enough.
const namedMax = 20;

export async function brokenByAttributes(
  ground: TreeGround,
  pins: readonly Pin[],
  { base, now }: Trees,
): Promise<BrokenPin[]> {
  const changed = treeChanges({ base, now }).all.filter((path) => posix.basename(path) === '.gitattributes');
  if (changed.length === 0) return [];
  const watched = [
    ...pins.map(({ path }) => path.split('#')[0] ?? ''),
    ...[...base.keys()].filter(hasSections),
  ];
  const paths = [...new Set(watched)].filter((path) => base.has(path) && now.has(path));
  const [old, present] = [await changesOf(ground, base, paths), await changesOf(ground, now, paths)];
  const broken = paths.filter((path) => old.get(path) !== present.get(path)).slice(0, namedMax);
  return broken.map((path) => {
    const source = sourceOf(path, changed);
    const change = !now.has(source) ? 'deleted' : base.has(source) ? 'changed' : 'added';
    const named = `${source}#${path}`;
    const why = `makes ${path} another file in the checkout`;
    return { path: named, change, why: change === 'added' ? notThere(source, why) : why };
  });
}

function sourceOf(path: string, changed: readonly string[]): string {
  const above = changed.filter((each) => path.startsWith(folderOf(each)));
  return above.toSorted((a, b) => b.length - a.length)[0] ?? changed[0] ?? '';
}

/** The changes that a checkout makes to each path, normalized; '' for none. */
async function changesOf(
  ground: TreeGround,
  files: Files,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const rows = await attributesOf(ground, files, paths);
  for (const path of paths) found.set(path, changeBy(rows.get(path) ?? new Map()));
  return found;
}

/** Line endings change only for text with `eol=crlf`. LFS is exempt: everyone with large files has it. */
function changeBy(attributes: ReadonlyMap<string, string>): string {
  const describe = (name: string): string => {
    const value = attributes.get(name) ?? 'unspecified';
    return /^(unspecified|unset)$/.test(value) ? '' : `${name}=${value}`;
  };
  const isText = attributes.get('text') !== 'unset';
  const ends = isText && describe('eol') === 'eol=crlf' ? 'eol=crlf' : '';
  const filter = describe('filter') === 'filter=lfs' ? '' : describe('filter');
  return [filter, describe('ident'), describe('working-tree-encoding'), ends]
    .filter((each) => each !== '')
    .join(' ');
}

const asked = ['filter', 'ident', 'working-tree-encoding', 'text', 'eol'];

/** Contract: reads the attributes of a tree through a separate index with nothing else in it. */
async function attributesOf(
  { git, gitDir }: TreeGround,
  files: Files,
  paths: readonly string[],
): Promise<Map<string, Map<string, string>>> {
  const folder = await mkdtemp(join(tmpdir(), 'untildone-attributes-'));
  try {
    const place = { gitDir, indexFile: join(folder, 'index') };
    const own = [...files].filter(([path]) => posix.basename(path) === '.gitattributes');
    const input = own.map(([path, file]) => `${file}\t${path}\0`).join('');
    await git.tell(['update-index', '-z', '--index-info'], { ...place, input });
    const args = ['check-attr', '--cached', '-z', '--stdin', ...asked];
    const answer = split(
      await git.tell(args, { ...place, input: paths.map((path) => `${path}\0`).join('') }),
    );
    const found = new Map<string, Map<string, string>>();
    for (let at = 0; at + 2 < answer.length; at += 3) {
      const [path = '', name = '', value = ''] = answer.slice(at, at + 3);
      found.set(path, (found.get(path) ?? new Map<string, string>()).set(name, value));
    }
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
