// Reads the files of a tree for pins, never those of a checkout.
import type { TreeReader } from '#analysis/tampering/pins/tree-reader.ts';
import { isHash, know, tellOnce } from '#adapters/git/repo/tell-once.ts';
import type { Git } from '#adapters/git/repo/git.ts';

const scannedBytesMax = 256 * 1024;

export interface TreeGround {
  readonly git: Git;
  readonly gitDir: string;
}

export const listArgs: readonly string[] = ['ls-tree', '-r', '-z', '--full-tree'];

export type TreeFiles = ReadonlyMap<string, string>;

const lists = new WeakMap<Git, Map<string, TreeFiles>>();
/** The base, the present tree and one more. */
const listsMax = 3;
/** Of all lists together: each file costs some 270 bytes. */
const filesMax = 400_000;

const treesOfCommits = new WeakMap<Git, Map<string, string>>();

/** Lists of the commit are those of its tree: it is listed once. */
export function noteTree(git: Git, commit: string, tree: string): void {
  treesOfCommits.set(git, (treesOfCommits.get(git) ?? new Map<string, string>()).set(commit, tree));
}

/** Path to mode and object: a test that became a link or a script without its executable bit differs. */
export async function listFiles({ git, gitDir }: TreeGround, named: string): Promise<TreeFiles> {
  const tree = treesOfCommits.get(git)?.get(named) ?? named;
  const known = lists.get(git) ?? new Map<string, TreeFiles>();
  lists.set(git, known);
  const files = known.get(tree) ?? filesIn(await tellOnce(git, [...listArgs, tree], { gitDir }));
  if (!isHash(tree)) return files;
  // The last one to go is the one that was asked for last.
  known.delete(tree);
  known.set(tree, files);
  for (const oldest of known.keys()) if (isTooMuch(known)) known.delete(oldest);
  return files;
}

function isTooMuch(known: ReadonlyMap<string, TreeFiles>): boolean {
  const files = [...known.values()].reduce((sum, { size }) => sum + size, 0);
  return known.size > listsMax || files > filesMax;
}

/** Entries: `<mode> <type> <object>`, a tab, the path, a zero byte. */
function filesIn(listed: string): TreeFiles {
  const files = new Map<string, string>();
  for (let at = 0; at < listed.length;) {
    const tab = listed.indexOf('\t', at);
    const end = listed.indexOf('\0', tab);
    if (tab < 0 || end < 0) break;
    const object = listed.slice(listed.lastIndexOf(' ', tab) + 1, tab);
    files.set(listed.slice(tab + 1, end), `${listed.slice(at, listed.indexOf(' ', at))} ${object}`);
    at = end + 1;
  }
  return files;
}

/** Reads files of any tree, for rules without git. `texts`: by object, what was read together before. */
export function treeReader(ground: TreeGround, texts: ReadonlyMap<string, string> = new Map()): TreeReader {
  return (file, bytesMax) => {
    const object = file.split(' ')[1] ?? '';
    const text = texts.get(object);
    if (text !== undefined) knowBlob(ground.git, object, text);
    return readBlob(ground, file, bytesMax);
  };
}

/** Bytes that are no UTF-8 have another size than their text. */
function knowBlob(git: Git, object: string, text: string): void {
  if (text.includes('\ufffd')) return;
  know(git, ['cat-file', '-s', object], String(Buffer.byteLength(text)));
  know(git, ['cat-file', 'blob', object], text.replace(/\n$/, ''));
}

export async function readBlob(
  { git, gitDir }: TreeGround,
  file: string,
  bytesMax = scannedBytesMax,
): Promise<string | null> {
  const [mode = '', object = ''] = file.split(' ');
  if (mode === '160000') return null;
  const size = Number(await tellOnce(git, ['cat-file', '-s', object], { gitDir }));
  if (size > bytesMax) return null;
  const text = await tellOnce(git, ['cat-file', 'blob', object], { gitDir });
  return text.includes('\0') ? null : text;
}
