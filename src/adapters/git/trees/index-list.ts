// Reads from an index what its tree would hold, so that git is asked only for a tree that is new.
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readIndex } from '#adapters/git/checkouts/index-stats.ts';
import type { Git } from '#adapters/git/repo/git.ts';
import { know } from '#adapters/git/repo/tell-once.ts';
import { listArgs, type TreeGround } from './pin-tree.ts';

export interface IndexList {
  readonly paths: readonly string[];
  /** As `git ls-tree -r -z` lists the tree of this index. */
  readonly text: string;
}

const stageBits = 0x3000;
const extendedBit = 0x4000;
const intentToAddBit = 0x2000;

/** Null when only git can tell: conflicts, files to be added later, a split or damaged index, odd names. */
export async function listIndex(indexFile: string): Promise<IndexList | null> {
  const file = await readFile(indexFile).catch(() => null);
  const hashBytes = file === null ? null : hashBytesOf(file);
  const index = file === null || hashBytes === null ? null : readIndex(file, hashBytes);
  if (file === null || hashBytes === null || index === null || index.isPartial) return null;
  const lines: string[] = [];
  for (const { path, at } of index.entries) {
    const flags = file.readUInt16BE(at + 40 + hashBytes);
    const isExtended = (flags & extendedBit) !== 0;
    const isLater = isExtended && (file.readUInt16BE(at + 42 + hashBytes) & intentToAddBit) !== 0;
    // Two names of other bytes could have the same text.
    if ((flags & stageBits) !== 0 || isLater || path.includes('\ufffd')) return null;
    const mode = file.readUInt32BE(at + 24).toString(8);
    const object = file.toString('hex', at + 40, at + 40 + hashBytes);
    lines.push(`${mode} ${mode === '160000' ? 'commit' : 'blob'} ${object}\t${path}\0`);
  }
  return { paths: index.entries.map(({ path }) => path), text: lines.join('') };
}

/** By its checksum; null if that is missing or does not match. */
function hashBytesOf(file: Buffer): number | null {
  const isOf = (algorithm: string, bytes: number): boolean =>
    createHash(algorithm).update(file.subarray(0, -bytes)).digest().equals(file.subarray(-bytes));
  if (isOf('sha1', 20)) return 20;
  return isOf('sha256', 32) ? 32 : null;
}

interface WrittenTree {
  readonly tree: string;
  readonly storage: string;
}

const trees = new WeakMap<Git, Map<string, WrittenTree>>();
/** A run goes back to a few trees; each costs some hundred bytes. */
const treesMax = 1_000;

/**
 * The tree of the index. Contract: compares content, never times; `write` is called for new content, and again
 * after a `git gc` or `git prune`, which may have removed the tree.
 */
export async function treeOf(
  { git, gitDir }: TreeGround,
  list: IndexList,
  write: () => Promise<string>,
): Promise<string> {
  const known = trees.get(git) ?? new Map<string, WrittenTree>();
  trees.set(git, known);
  const content = createHash('sha256').update(list.text).digest('hex');
  const earlier = known.get(content);
  if (earlier !== undefined && earlier.storage === (await storageOf(gitDir, earlier.tree)))
    return earlier.tree;
  // From before: packs that are replaced meanwhile may lack the tree.
  const packs = await packsOf(gitDir);
  const tree = await write();
  if (known.size >= treesMax) known.clear();
  known.set(content, { tree, storage: (await isLoose(gitDir, tree)) ? loose : packs });
  know(git, [...listArgs, tree], list.text);
  return tree;
}

/** Git may have removed an object when its own file is gone, or when it has none and the packs changed. */
async function storageOf(gitDir: string, object: string): Promise<string> {
  return (await isLoose(gitDir, object)) ? loose : packsOf(gitDir);
}

const loose = 'loose';

async function isLoose(gitDir: string, object: string): Promise<boolean> {
  const file = join(gitDir, 'objects', object.slice(0, 2), object.slice(2));
  return (await stat(file).catch(() => null)) !== null;
}

async function packsOf(gitDir: string): Promise<string> {
  const packs = await stat(join(gitDir, 'objects', 'pack')).catch(() => null);
  return `packs ${packs?.mtimeMs ?? ''}`;
}
