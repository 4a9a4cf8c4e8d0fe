// Reads from an index what its tree would hold, so that git is asked only for a tree that is new.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { readIndex } from '#adapters/git/checkouts/index-stats.ts';
import type { Git } from '#adapters/git/repo/git.ts';
import { know } from '#adapters/git/repo/tell-once.ts';
import { listArgs } from './pin-tree.ts';

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

const trees = new WeakMap<Git, Map<string, string>>();
/** A run goes back to a few trees; each costs some hundred bytes. */
const treesMax = 1_000;

/** The tree of the index. Contract: compares content, never times; `write` is called for new content. */
export async function treeOf(git: Git, list: IndexList, write: () => Promise<string>): Promise<string> {
  const known = trees.get(git) ?? new Map<string, string>();
  trees.set(git, known);
  const content = createHash('sha256').update(list.text).digest('hex');
  const tree = known.get(content) ?? (await write());
  if (known.size >= treesMax) known.clear();
  known.set(content, tree);
  know(git, [...listArgs, tree], list.text);
  return tree;
}
