// `setup` in a checkout that no agent has touched, and a cache of what it installed.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeProcessEnding } from '#kernel/ending.ts';
import { OperatorError } from '#ports/operator-error.ts';
import type { Processes } from '#ports/processes.ts';
import { copyTree } from './copy-tree.ts';
import { decidesSetup, isLockFile } from './detect-setup.ts';
import { type Environment, type Git, split } from './git.ts';
import { tailOf } from './tail.ts';

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
  /** Contract: rejects with an OperatorError that carries the end of the output when the command fails. */
  install(wanted: Installation): Promise<void>;
}

export interface InstallerOptions {
  readonly cacheDir: string;
  readonly processes: Processes;
  readonly env: Environment;
  readonly mark: string;
}

const wallMs = 30 * 60_000;
const graceMs = 5_000;
// A handful of branches with their own lock files; each may be hundreds of megabytes.
const entriesMax = 8;

export function createInstaller(options: InstallerOptions): Installer {
  const pending = new Map<string, Promise<void>>();
  const install = async (wanted: Installation): Promise<void> => {
    const key = await cacheKey(wanted);
    const stored = join(options.cacheDir, 'setup', key);
    await pending.get(key)?.catch(() => undefined);
    if (await isStored(stored)) return copyTree(join(stored, 'files'), wanted.root);
    const work = installAnew(wanted, options, stored).finally(() => pending.delete(key));
    pending.set(key, work);
    return work;
  };
  return { install };
}

async function installAnew(wanted: Installation, options: InstallerOptions, stored: string): Promise<void> {
  await runSetup(wanted, options);
  // What the tree holds wins over what the command made of it.
  await wanted.git.tell(['checkout-index', '--all', '--force'], {
    cwd: wanted.root,
    gitDir: wanted.gitDir,
    workTree: wanted.root,
  });
  await store(wanted, stored);
  await evict(dirname(stored));
}

async function runSetup(wanted: Installation, { processes, env, mark }: InstallerOptions): Promise<void> {
  const tail = tailOf(4096);
  const running = processes.start({
    command: wanted.command,
    cwd: wanted.cwd,
    env: programEnvironment(env),
    mark,
    wallMs,
    idleMs: null,
    graceMs,
    input: null,
    onOutput: (chunk) => tail.add(chunk),
  });
  const ending = await running.ended;
  if (ending.kind === 'exited' && ending.code === 0) return;
  throw new OperatorError(
    'setup-failed',
    `The setup command \`${wanted.command}\` failed (${describeProcessEnding(ending)}): ${lastLines(tail.text())}`,
    'Run it by hand in a fresh clone; set `setup` in the configuration if another command is needed, or to false for none.',
  );
}

function programEnvironment(env: Environment): { [name: string]: string } {
  const kept = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || name.startsWith('UNTILDONE_') ? [] : [[name, value] as const],
  );
  return Object.fromEntries(kept);
}

/** Two trees share an installation only if every file that decides it is the same. */
async function cacheKey(wanted: Installation): Promise<string> {
  const entries = split(
    await wanted.git.tell(['ls-tree', '-r', '-z', wanted.tree], { gitDir: wanted.gitDir }),
  );
  const pathOf = (entry: string): string => entry.slice(entry.indexOf('\t') + 1);
  const deciding = entries.filter(
    (entry) => decidesSetup(pathOf(entry)) || wanted.command.includes(pathOf(entry)),
  );
  const hasLock = deciding.some((entry) => isLockFile(pathOf(entry)));
  const where = wanted.cwd.slice(wanted.root.length);
  // Without a lock file we cannot know what the command reads: then only the very same tree will do.
  const inputs = [
    wanted.command,
    where,
    process.platform,
    process.arch,
    process.version,
    ...(hasLock ? deciding : [wanted.tree]),
  ];
  return createHash('sha256').update(inputs.join('\0')).digest('hex').slice(0, 32);
}

async function isStored(stored: string): Promise<boolean> {
  return (await readFile(join(stored, 'whole'), 'utf8').catch(() => '')) === 'whole\n';
}

async function store(wanted: Installation, stored: string): Promise<void> {
  const place = { cwd: wanted.root, gitDir: wanted.gitDir, workTree: wanted.root };
  const others = split(await wanted.git.tell(['ls-files', '-z', '-o', '--directory'], place));
  const copied = new Set(wanted.copied);
  const made = others
    .map((path) => path.replace(/\/$/, ''))
    .filter((path) => !copied.has(path) && path !== '.untildone');
  // A Python environment has its own folder written into it and would not survive the move.
  if (made.some((path) => existsSync(join(wanted.root, path, 'pyvenv.cfg')))) return;
  const fresh = `${stored}.${randomUUID()}`;
  try {
    await mkdir(join(fresh, 'files'), { recursive: true });
    for (const path of made) await copyTree(join(wanted.root, path), join(fresh, 'files', path), 'itself');
    await writeFile(join(fresh, 'whole'), 'whole\n');
    await rename(fresh, stored);
  } catch {
    // Another run stored the same first, or the disk is full: the cache is a convenience, the installation stands.
    await rm(fresh, { recursive: true, force: true });
  }
}

async function evict(folder: string): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => !name.includes('.'));
  if (names.length <= entriesMax) return;
  const aged = await Promise.all(
    names.map(async (name) => ({
      name,
      at: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0,
    })),
  );
  const surplus = aged.toSorted((a, b) => b.at - a.at).slice(entriesMax);
  await Promise.all(surplus.map(({ name }) => rm(join(folder, name), { recursive: true, force: true })));
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-12).join('\n').slice(-1500);
}
