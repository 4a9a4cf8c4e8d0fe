// Keeps lock files that an installation of this run made where none is committed: all checkouts get the same
// versions. An agent without a sandbox can write the folder, so each entry has a seal of its contents.
import { createHmac, randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseRecord } from '#base/parse-json.ts';

export interface KeptLocksOptions {
  /** Entries are written to the first; the others are read only. */
  readonly folders: readonly [string, ...string[]];
  readonly sealKey: Buffer;
  readonly note: (text: string) => void;
}

export interface LockText {
  /** Relative to the root of a checkout. */
  readonly path: string;
  /** One character per byte: one kind of lock file is binary. */
  readonly text: string;
}

export interface KeptLocks {
  /** Null if nothing was kept under this key; empty if the installation made no lock file. */
  read(key: string): Promise<readonly LockText[] | null>;
  /** Contract: rejects if the write fails, because the next checkout could then get other versions. */
  keep(key: string, locks: readonly LockText[]): Promise<void>;
  /** The first entry: a run keeps its chosen versions where a changed manifest allows it. */
  first(): Promise<readonly LockText[]>;
}

interface Entry {
  readonly locks: readonly LockText[];
  readonly seal: string;
}

const entryFile = 'locks.json';
/** Larger than any known lock file. */
const bytesMax = 64 * 1024 * 1024;

export function openKeptLocks({ folders, sealKey, note }: KeptLocksOptions): KeptLocks {
  const sealOf = (key: string, locks: readonly LockText[]): string =>
    createHmac('sha256', sealKey)
      .update(`locks\n${key}\n${JSON.stringify(locks)}`)
      .digest('hex');
  const readIn = async (folder: string, key: string): Promise<readonly LockText[] | null> => {
    const text = await readFile(join(folder, key, entryFile), 'utf8').catch(() => null);
    if (text === null) return null;
    const entry = parse(text);
    if (entry !== null && entry.seal === sealOf(key, entry.locks)) return entry.locks;
    note(
      `The lock file kept in ${join(folder, key)} was changed by another program; dependencies are resolved again.`,
    );
    return null;
  };
  const read = async (key: string): Promise<readonly LockText[] | null> => {
    for (const folder of folders) {
      const found = await readIn(folder, key);
      if (found !== null) return found;
    }
    return null;
  };
  return {
    read,
    async keep(key, locks) {
      const target = join(folders[0], key);
      const fresh = `${target}.${randomUUID()}`;
      const entry: Entry = { locks, seal: sealOf(key, locks) };
      await mkdir(fresh, { recursive: true });
      await writeFile(join(fresh, entryFile), JSON.stringify(entry));
      await rm(target, { recursive: true, force: true });
      await rename(fresh, target);
    },
    async first() {
      for (const key of (await Promise.all(folders.map(byAge))).flat()) {
        const found = await read(key);
        if (found !== null && found.length > 0) return found;
      }
      return [];
    },
  };
}

/** Contract: overwrites existing files. */
export async function placeLocks(root: string, locks: readonly LockText[]): Promise<void> {
  for (const { path, text } of locks) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text, 'latin1');
  }
}

/** Contract: follows no link, because repository code could link to a file that no agent may read. */
export async function readLocks(root: string, paths: readonly string[]): Promise<LockText[]> {
  const read = paths.map(async (path): Promise<LockText[]> => {
    const state = await lstat(join(root, path));
    if (!state.isFile() || state.size > bytesMax) return [];
    return [{ path, text: await readFile(join(root, path), 'latin1') }];
  });
  return (await Promise.all(read)).flat();
}

async function byAge(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => !name.includes('.'));
  const aged = names.map(async (name) => ({
    name,
    at: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0,
  }));
  return (await Promise.all(aged)).toSorted((a, b) => a.at - b.at).map(({ name }) => name);
}

function parse(text: string): Entry | null {
  // Trusted only after its seal is checked.
  const { locks, seal }: Partial<Entry> = parseRecord(text) ?? {};
  return Array.isArray(locks) && typeof seal === 'string' ? { locks, seal } : null;
}
