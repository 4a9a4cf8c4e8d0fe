// The files of a tree, for pins: never those of a checkout.
import { posix } from 'node:path';
import { tellOnce } from '#adapters/git/tell-once.ts';
import { type Git, split } from './git.ts';

const scannedBytesMax = 256 * 1024;
// Lock files are long.
export const textBytesMax = 16 * 1024 * 1024;

export interface TreeGround {
  readonly git: Git;
  readonly gitDir: string;
}

/** Path to mode and object, at the start and as it is now. */
export interface Trees {
  readonly base: ReadonlyMap<string, string>;
  readonly now: ReadonlyMap<string, string>;
}

export async function scriptsOf(
  ground: TreeGround,
  files: ReadonlyMap<string, string>,
  manifest: string,
): Promise<Map<string, string>> {
  const hash = files.get(manifest);
  const text = hash === undefined ? null : await readBlob(ground, hash);
  if (text === null) return new Map();
  try {
    const parsed: unknown = JSON.parse(text);
    const scripts: unknown =
      typeof parsed === 'object' && parsed !== null && 'scripts' in parsed ? parsed.scripts : null;
    if (typeof scripts !== 'object' || scripts === null) return new Map();
    return new Map(
      Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return new Map();
  }
}

/** Path to mode and object of every file and submodule: a test that became a link, or a script that lost its executable bit, differs. */
export async function listFiles({ git, gitDir }: TreeGround, tree: string): Promise<Map<string, string>> {
  const entries = split(await tellOnce(git, ['ls-tree', '-r', '-z', '--full-tree', tree], { gitDir }));
  const files = entries.flatMap((entry): [string, string][] => {
    const match = /^(\d{6}) \w+ ([0-9a-f]+)\t([\s\S]+)$/.exec(entry);
    return match === null ? [] : [[match[3] ?? '', `${match[1] ?? ''} ${match[2] ?? ''}`]];
  });
  return new Map(files);
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

/** In the root, or in a folder that the base has: a new folder's own settings rule nothing but itself. */
export function isAmongOld(path: string, base: ReadonlyMap<string, string>): boolean {
  const folder = folderOf(path);
  return base.has(path) || folder === '' || [...base.keys()].some((each) => each.startsWith(folder));
}

export function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === '.' ? '' : `${folder}/`;
}

export async function textOf(
  ground: TreeGround,
  files: ReadonlyMap<string, string>,
  path: string,
): Promise<string> {
  const file = files.get(path);
  return file === undefined ? '' : ((await readBlob(ground, file, textBytesMax)) ?? '');
}

export async function textsOf(
  ground: TreeGround,
  files: ReadonlyMap<string, string>,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of paths) texts.set(path, await textOf(ground, files, path));
  return texts;
}
