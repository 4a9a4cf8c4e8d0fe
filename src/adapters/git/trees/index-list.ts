// Reads from an index what its tree would hold, so that git is asked only for a tree that is new.
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { walkIndex } from '#adapters/git/checkouts/index-stats.ts';
import type { Git } from '#adapters/git/repo/git.ts';
import { know } from '#adapters/git/repo/tell-once.ts';
import { listArgs, type TreeGround } from './pin-tree.ts';

export interface IndexList {
  readonly paths: readonly string[];
  /** As `git ls-tree -r -z` lists the tree of this index. */
  readonly text: string;
  /** A hash of `text`. */
  readonly content: string;
}

const stageBits = 0x3000;
const extendedBit = 0x4000;
const intentToAddBit = 0x2000;

/** The last indexes by a hash of their bytes: git writes no new one when no file has changed. */
const lists = new Map<string, IndexList>();
/** The run's own checkout and a clean one. Each costs as much as its index file. */
const listsMax = 2;

/** Null when only git can tell: conflicts, files to be added later, a split or damaged index, odd names. */
export async function listIndex(indexFile: string): Promise<IndexList | null> {
  const file = await readFile(indexFile).catch(() => null);
  if (file === null) return null;
  const bytes = createHash('sha256').update(file).digest('hex');
  const list = lists.get(bytes) ?? listed(file);
  if (list === null) return null;
  lists.delete(bytes);
  lists.set(bytes, list);
  for (const oldest of lists.keys()) if (lists.size > listsMax) lists.delete(oldest);
  return list;
}

function listed(file: Buffer): IndexList | null {
  const hashBytes = hashBytesOf(file);
  if (hashBytes === null) return null;
  let isPlain = true;
  const lines = openLines(file, hashBytes);
  const index = walkIndex(file, hashBytes, (at, name) => {
    isPlain &&= !isLeftToGit(file, at + 40 + hashBytes);
    lines.add(at, name);
  });
  if (index === null || index.isPartial || !isPlain) return null;
  const bytes = lines.bytes();
  const text = bytes.toString('utf8');
  // Two names of other bytes could have the same text.
  if (text.includes('\ufffd')) return null;
  const content = createHash('sha256').update(bytes).digest('hex');
  return { paths: pathsIn(text), text, content };
}

function isLeftToGit(file: Buffer, flagsAt: number): boolean {
  const flags = file.readUInt16BE(flagsAt);
  const isExtended = (flags & extendedBit) !== 0;
  const isLater = isExtended && (file.readUInt16BE(flagsAt + 2) & intentToAddBit) !== 0;
  return (flags & stageBits) !== 0 || isLater;
}

const hexDigits = Buffer.from('0123456789abcdef');

/** `<mode> <type> <object>`, a tab, the path, a zero byte. In one buffer: strings for each entry cost far more. */
function openLines(file: Buffer, hashBytes: number) {
  const starts = new Map<number, Buffer>();
  let lines = Buffer.allocUnsafe(file.length);
  let end = 0;
  const startOf = (mode: number): Buffer => {
    const start = Buffer.from(`${mode.toString(8)} ${mode === 0o160000 ? 'commit' : 'blob'} `);
    starts.set(mode, start);
    return start;
  };
  return {
    add(at: number, path: Buffer): void {
      const mode = file.readUInt32BE(at + 24);
      const start = starts.get(mode) ?? startOf(mode);
      const needed = end + start.length + 2 * hashBytes + path.length + 2;
      if (needed > lines.length) lines = Buffer.concat([lines], 2 * needed);
      end += start.copy(lines, end);
      for (let byte = at + 40; byte < at + 40 + hashBytes; byte += 1) {
        const value = file[byte] ?? 0;
        lines[end] = hexDigits[value >> 4] ?? 0;
        lines[end + 1] = hexDigits[value & 15] ?? 0;
        end += 2;
      }
      lines[end] = 9;
      end += 1 + path.copy(lines, end + 1);
      lines[end] = 0;
      end += 1;
    },
    bytes: (): Buffer => lines.subarray(0, end),
  };
}

function pathsIn(text: string): string[] {
  const paths: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\0', at);
    paths.push(text.slice(text.indexOf('\t', at) + 1, end));
    at = end + 1;
  }
  return paths;
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
  const earlier = known.get(list.content);
  if (earlier !== undefined && earlier.storage === (await storageOf(gitDir, earlier.tree)))
    return earlier.tree;
  // From before: packs that are replaced meanwhile may lack the tree.
  const packs = await packsOf(gitDir);
  const tree = await write();
  if (known.size >= treesMax) known.clear();
  known.set(list.content, { tree, storage: (await isLoose(gitDir, tree)) ? loose : packs });
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
