// Reads and makes trees with git's own objects, without a checkout.
import { rm } from 'node:fs/promises';
import type { TreeChange, Trees } from '#ports/trees.ts';
import { listFiles, type TreeFiles, type TreeGround } from './pin-tree.ts';
import { objectOf, readTexts } from './read-texts.ts';

/** Contract: each call of `indexFile` returns a new name that nothing else uses. */
export function openTrees(ground: TreeGround, indexFile: () => string): Trees {
  return {
    list: (tree) => listFiles(ground, tree),
    read: (tree, paths) => read(ground, tree, paths),
    replace: (tree, changes) => replace(ground, { tree, changes, indexFile: indexFile() }),
  };
}

/** Plain UTF-8 files only: a link has no text, and other bytes could not be written back unchanged. */
async function read(
  ground: TreeGround,
  tree: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const files = await listFiles(ground, tree);
  const plain = paths.filter((path) => files.get(path)?.startsWith('100') === true);
  const texts = await readTexts(
    ground,
    plain.map((path) => files.get(path) ?? ''),
  );
  return new Map(
    plain.flatMap((path): [string, string][] => {
      const text = texts.get(objectOf(files.get(path) ?? ''));
      return text === undefined || text.includes('\ufffd') ? [] : [[path, text]];
    }),
  );
}

interface Replacement {
  readonly tree: string;
  readonly changes: readonly TreeChange[];
  readonly indexFile: string;
}

async function replace(ground: TreeGround, { tree, changes, indexFile }: Replacement): Promise<string> {
  if (changes.length === 0) return tree;
  return withEntries(ground, { tree, indexFile }, await indexLines(ground, tree, changes));
}

/** `tree` changed by these lines of `git update-index --index-info`. */
export async function withEntries(
  { git, gitDir }: TreeGround,
  { tree, indexFile }: Pick<Replacement, 'tree' | 'indexFile'>,
  lines: readonly string[],
): Promise<string> {
  const place = { gitDir, indexFile };
  try {
    await git.tell(['read-tree', tree], place);
    await git.tell(['update-index', '-z', '--index-info'], { ...place, input: lines.join('') });
    return await git.tell(['write-tree'], place);
  } finally {
    await rm(indexFile, { force: true });
  }
}

/** A line that sets `path` to `file` (mode and object); without `file`, one that removes the path. */
export function entryLine(path: string, file: string | undefined, tree: string): string {
  return file === undefined ? `0 ${'0'.repeat(tree.length)}\t${path}\0` : `${file}\t${path}\0`;
}

/** Removals first: a file may take the name of a removed folder. */
async function indexLines(
  ground: TreeGround,
  tree: string,
  changes: readonly TreeChange[],
): Promise<string[]> {
  const { git, gitDir } = ground;
  const lists = new Map<string, TreeFiles>();
  const entriesOf = async (of: string): Promise<TreeFiles> => {
    const known = lists.get(of) ?? (await listFiles(ground, of));
    lists.set(of, known);
    return known;
  };
  const now = await entriesOf(tree);
  const removed: string[] = [];
  const added: string[] = [];
  for (const change of changes) {
    const { path } = change;
    if ('text' in change) {
      const blob = await git.tell(['hash-object', '-w', '--stdin'], { gitDir, input: change.text });
      const mode = /^100\d{3}/.exec(now.get(path) ?? '')?.[0] ?? '100644';
      added.push(entryLine(path, `${mode} ${blob}`, tree));
    } else {
      const entry = (await entriesOf(change.asIn)).get(path);
      (entry === undefined ? removed : added).push(entryLine(path, entry, tree));
    }
  }
  return [...removed, ...added];
}
