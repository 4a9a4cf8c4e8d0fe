// `setup` in a checkout that no agent has touched, and a cache of what it installed.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tellOnce } from '#adapters/git/tell-once.ts';
import { decidesSetup, isLockFile } from '#analysis/ecosystems/setup-files.ts';
import type { DependencyCache } from './dependency-cache.ts';
import { type Git, split } from './git.ts';
import { runSetup, type SetupRunner } from './run-setup.ts';

export interface Installation {
  readonly git: Git;
  /** Git folder of the checkout, with an index that is fresh. */
  readonly gitDir: string;
  readonly root: string;
  readonly cwd: string;
  readonly tree: string;
  readonly command: string;
  /** Paths that were copied in beside, and are no product of the command. */
  readonly copied: readonly string[];
}

export interface Installer {
  /** Contract: rejects with an OperatorError that says why when the command fails. */
  install(wanted: Installation): Promise<void>;
}

export interface InstallerOptions {
  readonly cache: DependencyCache;
  readonly runner: SetupRunner;
}

export function createInstaller(options: InstallerOptions): Installer {
  const { cache } = options;
  const pending = new Map<string, Promise<void>>();
  const install = async (wanted: Installation): Promise<void> => {
    const name = cache.nameOf(await inputsOf(wanted));
    await pending.get(name)?.catch(() => undefined);
    if (await cache.copyTo(name, wanted.root)) return;
    const work = installAnew(wanted, options, name).finally(() => pending.delete(name));
    pending.set(name, work);
    return work;
  };
  return { install };
}

async function installAnew(wanted: Installation, options: InstallerOptions, name: string): Promise<void> {
  await runSetup(wanted, options.runner);
  // What the tree holds wins over what the command made of it.
  await wanted.git.tell(['checkout-index', '--all', '--force'], {
    cwd: wanted.root,
    gitDir: wanted.gitDir,
    workTree: wanted.root,
  });
  const made = await installedPaths(wanted);
  if (made !== null) await options.cache.keep(name, wanted.root, made);
}

/** Two trees share an installation only if every file that decides it is the same. */
async function inputsOf(wanted: Installation): Promise<readonly string[]> {
  const entries = split(
    await tellOnce(wanted.git, ['ls-tree', '-r', '-z', wanted.tree], { gitDir: wanted.gitDir }),
  );
  const pathOf = (entry: string): string => entry.slice(entry.indexOf('\t') + 1);
  const deciding = entries.filter(
    (entry) => decidesSetup(pathOf(entry)) || wanted.command.includes(pathOf(entry)),
  );
  const hasLock = deciding.some((entry) => isLockFile(pathOf(entry)));
  const where = wanted.cwd.slice(wanted.root.length);
  // Without a lock file we cannot know what the command reads: then only the very same tree will do.
  return [
    wanted.command,
    where,
    process.platform,
    process.arch,
    process.version,
    ...(hasLock ? deciding : [wanted.tree]),
  ];
}

/** What the command made; null when it cannot be kept. */
async function installedPaths(wanted: Installation): Promise<readonly string[] | null> {
  const place = { cwd: wanted.root, gitDir: wanted.gitDir, workTree: wanted.root };
  const others = split(await wanted.git.tell(['ls-files', '-z', '-o', '--directory'], place));
  const copied = new Set(wanted.copied);
  const made = others
    .map((path) => path.replace(/\/$/, ''))
    .filter((path) => !copied.has(path) && path !== '.untildone');
  // A Python environment has its own folder written into it and would not survive the move.
  return made.some((path) => existsSync(join(wanted.root, path, 'pyvenv.cfg'))) ? null : made;
}
