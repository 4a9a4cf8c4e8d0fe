// Reads the files of two trees for the rules, and their texts. Pure: the reader is a parameter.
import { readJsonTable } from '#analysis/texts/json-text.ts';
import { tableOf } from '#analysis/texts/plain.ts';
import { posix } from 'node:path';

/** Contract: null for a submodule, a text with zero bytes, and one above `bytesMax` (which has a default). */
export type TreeReader = (file: string, bytesMax?: number) => Promise<string | null>;

// Lock files are long.
export const textBytesMax = 16 * 1024 * 1024;

/** Path to mode and object, at the start and now. */
export interface Trees {
  readonly base: ReadonlyMap<string, string>;
  readonly now: ReadonlyMap<string, string>;
}

export interface TreeChanges {
  /** Paths with another file, or with none: those of the base in its order, then the added ones. */
  readonly all: readonly string[];
  /** Those that the present tree has, in its order. */
  readonly present: readonly string[];
  /** Those that the base lacks. */
  readonly added: readonly string[];
}

const changes = new WeakMap<Trees['base'], WeakMap<Trees['now'], TreeChanges>>();

/** Compared once for two trees: a repository may have fifty thousand paths, and each of many pins asks. */
export function treeChanges({ base, now }: Trees): TreeChanges {
  const ofBase = changes.get(base) ?? new WeakMap<Trees['now'], TreeChanges>();
  changes.set(base, ofBase);
  const known = ofBase.get(now) ?? compare(base, now);
  ofBase.set(now, known);
  return known;
}

function compare(base: Trees['base'], now: Trees['now']): TreeChanges {
  const all: string[] = [];
  const present: string[] = [];
  const added: string[] = [];
  for (const [path, file] of base) if (now.get(path) !== file) all.push(path);
  for (const [path, file] of now) {
    const before = base.get(path);
    if (before === file) continue;
    present.push(path);
    if (before === undefined) added.push(path);
  }
  return { all: [...all, ...added], present, added };
}

export async function textOf(
  read: TreeReader,
  files: ReadonlyMap<string, string>,
  path: string,
): Promise<string> {
  const file = files.get(path);
  return file === undefined ? '' : ((await read(file, textBytesMax)) ?? '');
}

export async function textsOf(
  read: TreeReader,
  files: ReadonlyMap<string, string>,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of paths) texts.set(path, await textOf(read, files, path));
  return texts;
}

export async function scriptsOf(
  read: TreeReader,
  files: ReadonlyMap<string, string>,
  manifest: string,
): Promise<Map<string, string>> {
  const hash = files.get(manifest);
  const text = hash === undefined ? null : await read(hash);
  const scripts = tableOf(readJsonTable(text ?? '')?.['scripts']) ?? {};
  return new Map(
    Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** In the root, or in a folder of the base: settings of a new folder affect only that folder. */
export function isAmongOld(path: string, base: ReadonlyMap<string, string>): boolean {
  const folder = folderOf(path);
  return base.has(path) || folder === '' || [...base.keys()].some((each) => each.startsWith(folder));
}

export function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === '.' ? '' : `${folder}/`;
}
