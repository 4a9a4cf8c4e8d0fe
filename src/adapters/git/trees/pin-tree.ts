// Reads the files of a tree for pins, never those of a checkout.
import type { TreeReader } from '#analysis/tampering/pins/tree-reader.ts';
import { know, tellOnce } from '#adapters/git/repo/tell-once.ts';
import { type Git, split } from '#adapters/git/repo/git.ts';

const scannedBytesMax = 256 * 1024;

export interface TreeGround {
  readonly git: Git;
  readonly gitDir: string;
}

export const listArgs: readonly string[] = ['ls-tree', '-r', '-z', '--full-tree'];

/** Path to mode and object: a test that became a link or a script without its executable bit differs. */
export async function listFiles({ git, gitDir }: TreeGround, tree: string): Promise<Map<string, string>> {
  const entries = split(await tellOnce(git, [...listArgs, tree], { gitDir }));
  const files = entries.flatMap((entry): [string, string][] => {
    const match = /^(\d{6}) \w+ ([0-9a-f]+)\t([\s\S]+)$/.exec(entry);
    return match === null ? [] : [[match[3] ?? '', `${match[1] ?? ''} ${match[2] ?? ''}`]];
  });
  return new Map(files);
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
