// Takes the files of a folder as a tree, through our own index. The driver and the session host use it.
import { copyFile, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { placeOf, readConfined } from '#adapters/files/confined-file.ts';
import { withFrozenSettings } from '#adapters/git/repo/frozen-settings.ts';
import {
  createGit,
  type Environment,
  type Git,
  gitFailed,
  markedEnvironment,
  split,
} from '#adapters/git/repo/git.ts';
import { keepObject, keptRef } from '#adapters/git/refs/refs.ts';
import { listIndex, treeOf } from './index-list.ts';
import { holdsToken, isSuspect, mayHoldToken } from './secrets.ts';
import { removeSpecialFiles } from './special-files.ts';
import { type IndexPlace, storeAgain, takeEmbedded } from './nested-repositories.ts';

/** Plain data, so that it can be passed to another process. */
export interface SnapshotRecord {
  readonly root: string;
  readonly indexFile: string;
  readonly commonDir: string;
  readonly runId: string;
  /** The folder is the user's own checkout. */
  readonly inPlace?: boolean;
  /** A reviewer's files differ from the tree they stand for; unchanged files are reported as that tree. */
  readonly standsFor?: { readonly shown: string; readonly tree: string };
}

export interface Snapshots {
  /** Contract: touches neither the user's nor the checkout's index; safe in two processes at once. */
  readonly snapshot: () => Promise<string>;
  /** Returns the ref that now keeps the tree. */
  readonly keep: (tree: string, name: string) => Promise<string>;
}

/** Files of the base that stay in snapshots although their name or kind would exclude them. */
export interface Admitted {
  readonly suspects: readonly string[];
  readonly submodules: readonly string[];
  /** Lock files that a setup of the run made: path to the object of their content at that time. */
  readonly ownLocks?: { readonly [path: string]: string };
}

export function excludeFileOf(indexFile: string): string {
  return `${indexFile}.exclude`;
}

export function admittedFileOf(indexFile: string): string {
  return `${indexFile}.admitted`;
}

export interface SnapshotOptions {
  /** Mark of the git processes, `<runId>/…`, by which they are found and ended. */
  readonly mark?: string;
  /** For these calls, instead of a git of the snapshots' own, which reads the settings anew. */
  readonly git?: Git;
  /** Receives a sentence that names files removed before git could run. */
  onNote?(text: string): void;
}

export function openSnapshot(
  record: SnapshotRecord,
  env: Environment,
  options: SnapshotOptions = {},
): Snapshots {
  const marked = markedEnvironment(env, options.mark ?? `${record.runId}/git`);
  const git = options.git ?? createGit(record.commonDir, withFrozenSettings(marked, record.indexFile));
  let last: Promise<unknown> = Promise.resolve();
  const snapshot = async (): Promise<string> => {
    const removed = await removeSpecialFiles(record);
    if (removed !== null) options.onNote?.(removed);
    return withIndexCopy(record.indexFile, async (mine) => {
      const tree = await takeFiles(git, record, mine);
      await rename(mine, record.indexFile);
      return committedTree(tree, record);
    });
  };
  return {
    snapshot() {
      const next = last.then(snapshot, snapshot);
      last = next.catch(() => undefined);
      return next;
    },
    keep: (tree, name) => keepObject(git, record.commonDir, keptRef(record.runId, name), tree),
  };
}

/** Swaps both ways: files made equal to the tree they stand for have been changed. */
function committedTree(tree: string, { standsFor }: SnapshotRecord): string {
  if (standsFor === undefined || standsFor.shown === standsFor.tree) return tree;
  if (tree === standsFor.shown) return standsFor.tree;
  return tree === standsFor.tree ? standsFor.shown : tree;
}

let indexes = 0;

/** A name unique to this process and call; the next start removes it if we are killed. */
export function ownIndex(indexFile: string): string {
  indexes += 1;
  return `${indexFile}.${process.pid}-${indexes}`;
}

/** Removes the copy when `work` is done, unless `work` moved it. */
export async function withIndexCopy<T>(indexFile: string, work: (mine: string) => Promise<T>): Promise<T> {
  const mine = ownIndex(indexFile);
  try {
    await copyIndex(indexFile, mine);
    return await work(mine);
  } finally {
    await rm(mine, { force: true });
    await rm(`${mine}.lock`, { force: true });
  }
}

/**
 * Copies an index with its time. A later time would make git trust entries that changed in the tick in which
 * the index was written; an earlier one only makes git compare again.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  const times = await stat(from).catch(() => null);
  if (times === null) return;
  await copyFile(from, to);
  const at = Math.floor(times.mtimeMs - 1) / 1000;
  await utimes(to, at, at);
}

async function takeFiles(git: Git, record: SnapshotRecord, indexFile: string): Promise<string> {
  const place = { cwd: record.root, gitDir: record.commonDir, workTree: record.root, indexFile };
  const args = ['add', '-A', '--ignore-errors', '--', ':(top)'];
  const excludes = [`core.excludesFile=${excludeFileOf(record.indexFile)}`];
  const added = await git.ask(args, { ...place, settings: excludes });
  const isPlain = added.code === 0 && !added.stderr.includes('embedded git repository');
  const isBroken =
    added.code === null || /No space left|\.lock|index file corrupt|bad signature/.test(added.stderr);
  if (isBroken) throw gitFailed(args, added);
  if (!isPlain) {
    const { submodules } = await readAdmitted(record.indexFile);
    await takeEmbedded(git, { ...place, settings: excludes }, new Set(submodules));
  }
  const list = await listIndex(indexFile);
  if (list !== null) {
    const suspects = await suspectsAmong(record, list.paths);
    const store = { git, gitDir: record.commonDir };
    if (suspects.length === 0) return treeOf(store, list, () => writeTree(git, place));
    return withoutPaths(git, place, suspects);
  }
  const listed = split(await git.tell(['ls-files', '-z', '--cached'], place));
  return withoutPaths(git, place, await suspectsAmong(record, listed));
}

async function withoutPaths(git: Git, place: IndexPlace, paths: readonly string[]): Promise<string> {
  if (paths.length > 0) {
    const input = paths.map((path) => `${path}\0`).join('');
    await git.tell(['update-index', '--force-remove', '-z', '--stdin'], { ...place, input });
  }
  return writeTree(git, place);
}

/** No ref names what is only in our index, so `git gc --prune=now` removes it: then it is stored again. */
async function writeTree(git: Git, place: IndexPlace): Promise<string> {
  const written = await git.ask(['write-tree'], place);
  if (written.code === 0) return written.stdout.trimEnd();
  if (!written.stderr.includes('invalid object')) throw gitFailed(['write-tree'], written);
  await storeAgain(git, place);
  return git.tell(['write-tree'], place);
}

/**
 * A session can un-ignore a secret (`!.env`): files with such names that the base lacks are dropped. So are
 * lock files that a setup made, by their path: they are no work, whatever an agent did to them.
 */
async function suspectsAmong(record: SnapshotRecord, paths: readonly string[]): Promise<string[]> {
  const { suspects, ownLocks = {} } = await readAdmitted(record.indexFile);
  const locks = Object.keys(ownLocks);
  const known = new Set(suspects);
  const isLock = (path: string): boolean =>
    locks.some((lock) => path === lock || path.startsWith(`${lock}/`));
  const unwanted = paths.filter(isLock);
  for (const path of paths.filter(isSuspect))
    if (!known.has(path) && (await isUnwanted(record.root, path))) unwanted.push(path);
  return unwanted;
}

/** `path`: a suspect. */
async function isUnwanted(root: string, path: string): Promise<boolean> {
  if (!mayHoldToken(path)) return true;
  // Reading a link to a pipe would block.
  const place = await placeOf(root, path);
  const reading = place.kind === 'file' ? await readConfined(place.path) : null;
  return reading?.kind === 'text' && holdsToken(reading.text);
}

/** Adds to the admitted files recorded beside an index. */
export async function admit(indexFile: string, more: Partial<Admitted>): Promise<void> {
  const known = await readAdmitted(indexFile);
  await writeFile(admittedFileOf(indexFile), JSON.stringify({ ...known, ...more }));
}

export async function readAdmitted(indexFile: string): Promise<Admitted> {
  const text = await readFile(admittedFileOf(indexFile), 'utf8').catch(() => null);
  if (text === null) return { suspects: [], submodules: [] };
  // Only we write this file, beside the index and outside the workspace.
  return JSON.parse(text) as Admitted;
}
