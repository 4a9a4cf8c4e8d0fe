// Runs `setup` in a checkout that no agent has touched, and caches what it installed.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { tellOnce } from '#adapters/git/repo/tell-once.ts';
import {
  decidesSetup,
  isLockFile,
  keptLockKindOf,
  lockTool,
  resolving,
} from '#analysis/ecosystems/setup/setup-files.ts';
import type { DependencyCache } from './dependency-cache.ts';
import { type Git, split } from '#adapters/git/repo/git.ts';
import { type KeptLocks, type LockText, placeLocks, readLocks } from './kept-locks.ts';
import { runSetup, type SetupRunner } from './run-setup.ts';

export interface Installation {
  readonly git: Git;
  /** Git folder of the checkout, with a fresh index. */
  readonly gitDir: string;
  readonly root: string;
  readonly cwd: string;
  readonly tree: string;
  readonly command: string;
  /** The command was detected from a manifest that has no committed lock file. */
  readonly isUnlocked: boolean;
  /** Paths that were copied in and are no output of the command. */
  readonly copied: readonly string[];
}

export interface Installer {
  /**
   * Returns the paths of the run's own lock files in the checkout. Contract: if the command fails, rejects
   * with an OperatorError that gives the reason.
   */
  install(wanted: Installation): Promise<readonly string[]>;
}

export interface InstallerOptions {
  readonly cache: DependencyCache;
  readonly locks: KeptLocks;
  readonly runner: SetupRunner;
}

interface Deciding {
  /** Lines of `git ls-tree` for each file that decides the installation. */
  readonly entries: readonly string[];
  readonly hasLock: boolean;
}

export function createInstaller(options: InstallerOptions): Installer {
  const { cache, locks } = options;
  const pending = new Map<string, Promise<readonly string[]>>();
  const once = (name: string, work: () => Promise<readonly string[]>): Promise<readonly string[]> => {
    const begun = work().finally(() => pending.delete(name));
    pending.set(name, begun);
    return begun;
  };
  const install = async (wanted: Installation): Promise<readonly string[]> => {
    const deciding = await decidingFiles(wanted);
    if (wanted.isUnlocked || !deciding.hasLock) return installUnlocked(wanted, deciding);
    const name = cache.nameOf(inputsOf(wanted, deciding));
    await pending.get(name)?.catch(() => undefined);
    if (await cache.copyTo(name, wanted.root)) return [];
    return once(name, () => installAnew(wanted, options, { name, command: wanted.command }));
  };
  /** The first installation of a run chooses the versions; later ones use the lock file that it made. */
  const installUnlocked = async (wanted: Installation, deciding: Deciding): Promise<readonly string[]> => {
    const key = digestOf([wanted.command, placeIn(wanted), ...deciding.entries]);
    await pending.get(key)?.catch(() => undefined);
    const kept = await locks.read(key);
    // Another checkout may have started an installation meanwhile.
    if (kept === null && pending.has(key)) return installUnlocked(wanted, deciding);
    if (kept === null) return once(key, () => resolveAnew(wanted, options, { key, deciding }));
    const name = cache.nameOf(inputsWith(wanted, deciding, kept));
    const isCached = await cache.copyTo(name, wanted.root);
    await placeLocks(wanted.root, kept);
    if (!isCached)
      await installAnew(wanted, options, { name, command: lockedCommand(wanted, kept), locks: kept });
    return kept.map(({ path }) => path);
  };
  return { install };
}

interface Order {
  readonly name: string;
  readonly command: string;
  readonly locks?: readonly LockText[];
}

async function installAnew(
  wanted: Installation,
  { runner, cache }: InstallerOptions,
  { name, command, locks = [] }: Order,
): Promise<readonly string[]> {
  await runSetup({ command, cwd: wanted.cwd }, runner);
  await restoreTracked(wanted);
  const own = new Set(locks.map(({ path }) => path));
  const made = (await madePaths(wanted)).filter((path) => !own.has(path));
  await keepMade(cache, name, wanted, made);
  return [];
}

async function resolveAnew(
  wanted: Installation,
  { runner, cache, locks }: InstallerOptions,
  { key, deciding }: { readonly key: string; readonly deciding: Deciding },
): Promise<readonly string[]> {
  const { env, updatesLock } = resolving(wanted.command);
  const isFree = (path: string): boolean => isBesideManifest(path, deciding);
  if (updatesLock)
    await placeLocks(
      wanted.root,
      (await locks.first()).filter(({ path }) => isFree(path)),
    );
  await runSetup({ command: wanted.command, cwd: wanted.cwd, ...(wanted.isUnlocked ? { env } : {}) }, runner);
  await restoreTracked(wanted);
  const paths = await madePaths(wanted);
  const kept = await readLocks(wanted.root, paths.filter(isFree));
  await locks.keep(key, kept);
  const own = new Set(kept.map(({ path }) => path));
  const made = paths.filter((path) => !own.has(path));
  await keepMade(cache, cache.nameOf(inputsWith(wanted, deciding, kept)), wanted, made);
  return [...own];
}

/** A lock file that the tree lacks, in a folder that it has: no link leads out of the checkout. */
function isBesideManifest(path: string, { entries }: Deciding): boolean {
  if (keptLockKindOf(path) === undefined) return false;
  const known = entries.map((entry) => entry.slice(entry.indexOf('\t') + 1));
  return !known.includes(path) && known.some((each) => posix.dirname(each) === posix.dirname(path));
}

/** Files of the tree win over changes by the command. */
async function restoreTracked({ git, gitDir, root }: Installation): Promise<void> {
  await git.tell(['checkout-index', '--all', '--force'], { cwd: root, gitDir, workTree: root });
}

/** The command that installs from the kept lock; a user's own command finds the lock in place. */
function lockedCommand({ command, isUnlocked }: Installation, locks: readonly LockText[]): string {
  const kind = locks
    .map(({ path }) => keptLockKindOf(path))
    .find((each) => each !== undefined && lockTool(each.command) === lockTool(command));
  if (!isUnlocked || kind === undefined) return command;
  const enter = /^cd [./]+ && /.exec(command)?.[0] ?? '';
  return enter + kind.command;
}

async function decidingFiles(wanted: Installation): Promise<Deciding> {
  const listed = split(
    await tellOnce(wanted.git, ['ls-tree', '-r', '-z', wanted.tree], { gitDir: wanted.gitDir }),
  );
  const pathOf = (entry: string): string => entry.slice(entry.indexOf('\t') + 1);
  const entries = listed.filter(
    (entry) => decidesSetup(pathOf(entry)) || wanted.command.includes(pathOf(entry)),
  );
  return { entries, hasLock: entries.some((entry) => isLockFile(pathOf(entry))) };
}

/** Two trees share an installation only if all files that decide it are equal. */
function inputsOf(wanted: Installation, { entries: deciding, hasLock }: Deciding): readonly string[] {
  // Without a lock file the inputs of the command are unknown: only the same tree will do.
  return [
    wanted.command,
    placeIn(wanted),
    process.platform,
    process.arch,
    process.version,
    ...(hasLock ? deciding : [wanted.tree]),
  ];
}

/** As `inputsOf`, with the run's own lock as if it were committed. */
function inputsWith(
  wanted: Installation,
  { entries }: Deciding,
  kept: readonly LockText[],
): readonly string[] {
  const hasLock = wanted.isUnlocked && kept.length > 0;
  const locks = kept.map(({ path, text }) => `${path}\n${digestOf([text])}`);
  return [...inputsOf(wanted, { entries, hasLock }), 'kept', ...locks];
}

function placeIn({ cwd, root }: Installation): string {
  return cwd.slice(root.length);
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 32);
}

async function madePaths(wanted: Installation): Promise<string[]> {
  const place = { cwd: wanted.root, gitDir: wanted.gitDir, workTree: wanted.root };
  const others = split(await wanted.git.tell(['ls-files', '-z', '-o', '--directory'], place));
  const copied = new Set(wanted.copied);
  return others
    .map((path) => path.replace(/\/$/, ''))
    .filter((path) => !copied.has(path) && path !== '.untildone');
}

/** A Python environment contains its own path and would not survive a move, so it is not cached. */
async function keepMade(
  cache: DependencyCache,
  name: string,
  { root }: Installation,
  made: readonly string[],
): Promise<void> {
  if (!made.some((path) => existsSync(join(root, path, 'pyvenv.cfg')))) await cache.keep(name, root, made);
}
