// Finds which files of a clean checkout a check reads, by their access times. Works where a read moves the
// access time (relatime, tmpfs, a read-write bind in bubblewrap), not with noatime, overlayfs or a read-only
// bind. There is no alternative: fs.watch reports no reads.
import {
  lstatSync,
  lutimesSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
  type BigIntStats,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadWatch } from '#ports/checkouts.ts';
import type { Git } from '#adapters/git/repo/git.ts';
import { listFiles } from '#adapters/git/trees/pin-tree.ts';
import { type FileStat, type IndexEntry, isAsIndexed, readEntries, withStats } from './index-stats.ts';
import { orElse } from '#base/or-else.ts';

export interface WatchedCheckout {
  readonly root: string;
  readonly tree: string;
  /** Git folder of the checkout; its index matches the files. */
  readonly admin: string;
  /** A path beside the checkout, on the same file system, that nothing else uses. */
  readonly probeFile: string;
  /** The user and group that own the files during a check; null when they are our own. */
  readonly fileOwner: number | null;
}

/** Older than any real file time, so that the first read moves it. */
const longAgo = new Date('2001-01-01T00:00:00Z');
const longAgoNs = BigInt(longAgo.getTime()) * 1_000_000n;
/** Yields to the event loop after this many files: about 30 ms. */
const filesPerTurn = 1_000;

/**
 * Contract: one watch at a time. Tracked files as git wrote them get one modification time, the same at each
 * watch and older than everything built from them. Links are not followed. Submodules and `node_modules` are
 * skipped. Costs about 0.3 s for 10,000 files.
 */
export function createReadWatch(git: Git, checkout: WatchedCheckout): () => Promise<ReadWatch> {
  let modified: Date | null = null;
  const start = async (): Promise<readonly string[]> => {
    const paths = await watchedPaths(git, checkout);
    const index = await openIndex(git, checkout);
    const readings = await statAll(checkout, paths);
    const untouched = new Set(
      readings.filter(({ path, stat }) => index !== null && isUntouched(index, path, stat)),
    );
    modified ??= minuteBefore([...untouched]);
    await resetTimes(checkout, readings, { untouched, modified });
    if (index !== null) await writeStats(checkout, index, { readings, untouched });
    return paths;
  };
  return async () => {
    // Files may belong to another user. A check can run without the list.
    const paths = movesAccessTimes(checkout.probeFile) ? await start().catch(() => null) : null;
    return { stop: () => (paths === null ? Promise.resolve(null) : readPaths(checkout, paths)) };
  };
}

/** Tried on our own file: mount options do not say it for every file system. */
function movesAccessTimes(probeFile: string): boolean {
  try {
    writeFileSync(probeFile, 'x');
    lutimesSync(probeFile, longAgo, new Date(Date.now() - 60_000));
    readFileSync(probeFile);
    return lstatSync(probeFile, { bigint: true }).atimeNs !== longAgoNs;
  } catch {
    return false;
  } finally {
    rmSync(probeFile, { force: true });
  }
}

/** By the tree, not by the index, which a check may have written. */
async function watchedPaths(git: Git, { admin, root, tree }: WatchedCheckout): Promise<string[]> {
  const files = await listFiles({ git, gitDir: admin }, tree);
  const real = realpathSync(root);
  const folders = new Map<string, boolean>();
  const isInside = (folder: string): boolean => {
    const known = folders.get(folder) ?? isPlainFolder(real, folder);
    folders.set(folder, known);
    return known;
  };
  return [...files].flatMap(([path, file]) => {
    if (!file.startsWith('100') || path.split('/').includes('node_modules')) return [];
    return isInside(dirname(path)) ? [path] : [];
  });
}

/** A check may have replaced a folder by a link: times are set on nothing outside of the checkout. */
function isPlainFolder(root: string, folder: string): boolean {
  return orElse(() => realpathSync(join(root, folder)) === join(root, folder), false);
}

interface OpenIndex {
  readonly file: Buffer;
  readonly entries: ReadonlyMap<string, IndexEntry>;
  readonly hashBytes: number;
}

/** Null if it is unreadable: a check that calls git then appears to read every file. */
async function openIndex(git: Git, { admin, root, tree }: WatchedCheckout): Promise<OpenIndex | null> {
  // Git rereads files as new as its index. This refresh does that now, and not during the check.
  await git.ask(['update-index', '-q', '--refresh'], { cwd: root, gitDir: admin, workTree: root });
  const path = join(admin, 'index');
  // A check can write here, and reading a pipe would block.
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const file = readFileSync(path);
  const hashBytes = tree.length / 2;
  const entries = readEntries(file, hashBytes);
  return entries === null
    ? null
    : { file, entries: new Map(entries.map((one) => [one.path, one])), hashBytes };
}

function isUntouched({ file, entries }: OpenIndex, path: string, stat: BigIntStats): boolean {
  const entry = entries.get(path);
  return entry !== undefined && isAsIndexed(file, entry, stat);
}

interface FileReading {
  readonly path: string;
  readonly stat: BigIntStats;
}

async function statAll({ root }: WatchedCheckout, paths: readonly string[]): Promise<FileReading[]> {
  const readings: FileReading[] = [];
  for (const [number, path] of paths.entries()) {
    if (number % filesPerTurn === filesPerTurn - 1) await nextTurn();
    const stat = lstatSync(join(root, path), { bigint: true, throwIfNoEntry: false });
    if (stat?.isFile() === true) readings.push({ path, stat });
  }
  return readings;
}

function minuteBefore(files: readonly FileReading[]): Date | null {
  const oldestMs = files.reduce((least, { stat }) => Math.min(least, Number(stat.mtimeMs)), Infinity);
  return oldestMs === Infinity ? null : new Date(Math.floor(oldestMs / 1000) * 1000 - 60_000);
}

/** Files written by a check or the setup keep their modification time, because make compares it. */
async function resetTimes(
  { root }: WatchedCheckout,
  readings: readonly FileReading[],
  { untouched, modified }: { readonly untouched: ReadonlySet<FileReading>; readonly modified: Date | null },
): Promise<void> {
  for (const [number, one] of readings.entries()) {
    if (number % filesPerTurn === filesPerTurn - 1) await nextTurn();
    const own = Number(one.stat.mtimeNs) / 1e9;
    lutimesSync(join(root, one.path), longAgo, untouched.has(one) ? (modified ?? own) : own);
  }
}

async function writeStats(
  checkout: WatchedCheckout,
  index: OpenIndex,
  {
    readings,
    untouched,
  }: { readonly readings: readonly FileReading[]; readonly untouched: ReadonlySet<FileReading> },
): Promise<void> {
  const now = await statAll(
    checkout,
    [...untouched].map(({ path }) => path),
  );
  const known = now.flatMap(({ path, stat }): [IndexEntry, FileStat][] => {
    const entry = index.entries.get(path);
    return entry === undefined ? [] : [[entry, fileStatOf(stat, checkout)]];
  });
  const touched = readings.flatMap((one) => (untouched.has(one) ? [] : (index.entries.get(one.path) ?? [])));
  const file = join(checkout.admin, 'index');
  rmSync(`${file}.timed`, { recursive: true, force: true });
  writeFileSync(`${file}.timed`, withStats(index.file, { untouched: known, touched }, index.hashBytes), {
    flag: 'wx',
  });
  renameSync(`${file}.timed`, file);
}

/** As git sees the file during the check. */
function fileStatOf(stat: BigIntStats, { fileOwner }: WatchedCheckout): FileStat {
  const { ctimeNs, mtimeNs, ino, size } = stat;
  const [uid, gid] = fileOwner === null ? [stat.uid, stat.gid] : [BigInt(fileOwner), BigInt(fileOwner)];
  return { ctimeNs, mtimeNs, ino, size, uid, gid };
}

async function readPaths(checkout: WatchedCheckout, paths: readonly string[]): Promise<string[]> {
  const now = await statAll(checkout, paths);
  return now
    .filter(({ stat }) => stat.atimeNs !== longAgoNs)
    .map(({ path }) => path)
    .toSorted();
}
