// Caches what `setup` installed for later checkouts. An agent without a sandbox can write this folder. So
// each entry has a seal of its name and of the state of its files.
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { cp, lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { promisify } from 'node:util';

export interface DependencyCacheOptions {
  readonly cacheDir: string;
  /** Seals the entries. The authority keeps it where no sandboxed agent can read it. */
  readonly sealKey: Buffer;
  /** Whether a sandbox denies every agent of the run access to this folder. */
  readonly isSandboxed: boolean;
  readonly note: (text: string) => void;
  readonly bytesMax?: number;
}

export interface DependencyCache {
  /** Contract: runs with and without a sandbox never share an entry. */
  nameOf(inputs: readonly string[]): string;
  /** False when the entry is missing or has changed since we wrote it. */
  copyTo(name: string, root: string): Promise<boolean>;
  /** Contract: never rejects; the cache is only a convenience. */
  keep(name: string, root: string, paths: readonly string[]): Promise<void>;
}

// Enough for several branches with their own lock files; each may have hundreds of megabytes.
const entriesMax = 8;
/** Limit of all entries together; the newest one stays whatever its size. */
const bytesMaxDefault = 4 * 1024 ** 3;

export function openDependencyCache(options: DependencyCacheOptions): DependencyCache {
  const folder = join(options.cacheDir, 'setup');
  const trust = options.isSandboxed ? 'sandboxed' : 'unsandboxed';
  const sealOf = async (name: string, entry: string): Promise<string> =>
    createHmac('sha256', options.sealKey)
      .update(`dependencies\n${name}\n${await stateOf(join(entry, 'files'))}`)
      .digest('hex');

  return {
    nameOf: (inputs) =>
      `${trust}-${createHash('sha256').update(inputs.join('\0')).digest('hex').slice(0, 32)}`,
    async copyTo(name, root) {
      const entry = join(folder, name);
      const seal = await readFile(join(entry, 'seal'), 'utf8').catch(() => null);
      if (seal !== null && seal === (await sealOf(name, entry).catch(() => null))) {
        await copyTree(join(entry, 'files'), root);
        return true;
      }
      if ((await lstat(entry).catch(() => null)) === null) return false;
      options.note(
        `The cache of dependencies in ${entry} was changed by another program; they are installed again.`,
      );
      await rm(entry, { recursive: true, force: true });
      return false;
    },
    async keep(name, root, paths) {
      const fresh = join(folder, `${name}.${randomUUID()}`);
      try {
        await mkdir(join(fresh, 'files'), { recursive: true });
        for (const path of paths) await copyTree(join(root, path), join(fresh, 'files', path), 'itself');
        await writeFile(join(fresh, 'seal'), await sealOf(name, fresh));
        await writeFile(join(fresh, 'bytes'), String(await bytesIn(join(fresh, 'files'))));
        await rename(fresh, join(folder, name));
      } catch {
        // Another run stored it first, or the disk is full: the installation itself is fine.
        await rm(fresh, { recursive: true, force: true });
      }
      await evict(folder, options.bytesMax ?? bytesMaxDefault);
    },
  };
}

/** By ctime, which no program can set: every write changes it, whatever `touch` does. */
async function stateOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const walk = async (path: string): Promise<void> => {
    const found = await readdir(path, { withFileTypes: true });
    const names = ['.', ...found.map(({ name }) => name).toSorted()];
    const states = names.map(async (name) => {
      const { mode, size, ctimeNs } = await lstat(join(path, name), { bigint: true });
      return `${name}\0${mode} ${size} ${ctimeNs}\n`;
    });
    hash.update(`${relative(folder, path)}\0${(await Promise.all(states)).join('')}\n`);
    const below = found.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    for (const name of below.toSorted()) await walk(join(path, name));
  };
  await walk(folder);
  return hash.digest('hex');
}

async function evict(folder: string, bytesMax: number): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => !name.includes('.'));
  const entries = await Promise.all(
    names.map(async (name) => ({
      name,
      at: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0,
      bytes: await sizeOfEntry(join(folder, name)),
    })),
  );
  let bytes = 0;
  const surplus = entries
    .toSorted((a, b) => b.at - a.at)
    .filter((entry, index) => {
      bytes += entry.bytes;
      return index >= entriesMax || (index > 0 && bytes > bytesMax);
    });
  await Promise.all(surplus.map(({ name }) => rm(join(folder, name), { recursive: true, force: true })));
}

/** Recorded when the entry was made; entries of older versions are measured. */
async function sizeOfEntry(entry: string): Promise<number> {
  const noted = Number(await readFile(join(entry, 'bytes'), 'utf8').catch(() => ''));
  return noted > 0 ? noted : bytesIn(join(entry, 'files'));
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const found of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, found.name);
    bytes += found.isDirectory() ? await bytesIn(path) : ((await lstat(path).catch(() => null))?.size ?? 0);
  }
  return bytes;
}

const run = promisify(execFile);

/** `contents` copies the content of `from` into the folder `to`; `itself` copies `from` to the name `to`. */
async function copyTree(from: string, to: string, what: 'contents' | 'itself' = 'contents'): Promise<void> {
  await mkdir(what === 'contents' ? to : dirname(to), { recursive: true });
  // Node's own copy is several times slower for a hundred thousand small files.
  if (process.platform !== 'win32') {
    const target = what === 'contents' ? [`${from}/.`, to] : [from, to];
    await run('cp', ['-a', '--', ...target], { maxBuffer: 1024 * 1024 });
    return;
  }
  await cp(from, to, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
}
