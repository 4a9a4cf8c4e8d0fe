// A disk that loses power, for tests of what is promised to be on it. The calls that sync are watched and passed on; a power
// loss leaves what they covered: a file's content as of its last sync, a folder's entries as of the folder's last sync.
import fs from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

export interface Disk {
  /** Contract: no file below the folder is open for writing. */
  losePower(): void;
  /** Gives the watched calls back. */
  release(): void;
}

interface Entry {
  readonly ino: number;
  readonly isFolder: boolean;
}

interface Durable {
  /** By inode, because a rename keeps it. */
  readonly contents: Map<number, Buffer>;
  readonly entries: Map<number, ReadonlyMap<string, Entry>>;
}

/** Everything that is below `root` now counts as synced. */
export async function watchDisk(root: string): Promise<Disk> {
  let durable = allOf(root);
  const onSync = (descriptor: number): void => {
    const { ino } = fs.fstatSync(descriptor);
    const path = pathsBelow(root).find((each) => fs.lstatSync(each).ino === ino);
    if (path !== undefined) keep(durable, path);
  };
  return {
    release: await watchSyncs(root, onSync),
    losePower() {
      const { ino } = fs.lstatSync(root);
      fs.rmSync(root, { recursive: true });
      restore(durable, root, ino);
      durable = allOf(root);
    },
  };
}

function allOf(root: string): Durable {
  const durable: Durable = { contents: new Map(), entries: new Map() };
  for (const path of pathsBelow(root)) keep(durable, path);
  return durable;
}

function keep({ contents, entries }: Durable, path: string): void {
  const { ino, ...found } = entryOf(path);
  if (found.isFolder)
    entries.set(ino, new Map(fs.readdirSync(path).map((name) => [name, entryOf(join(path, name))])));
  else contents.set(ino, fs.readFileSync(path));
}

function restore(durable: Durable, path: string, ino: number): void {
  fs.mkdirSync(path);
  for (const [name, entry] of durable.entries.get(ino) ?? []) {
    const below = join(path, name);
    if (entry.isFolder) restore(durable, below, entry.ino);
    else fs.writeFileSync(below, durable.contents.get(entry.ino) ?? '');
  }
}

function entryOf(path: string): Entry {
  const found = fs.lstatSync(path);
  return { ino: found.ino, isFolder: found.isDirectory() };
}

/** Itself first. */
function pathsBelow(root: string): string[] {
  const below = fs.readdirSync(root, { withFileTypes: true });
  return [
    root,
    ...below.flatMap((entry) => {
      const path = join(root, entry.name);
      return entry.isDirectory() ? pathsBelow(path) : entry.isFile() ? [path] : [];
    }),
  ];
}

type Sync = (this: FileHandle) => Promise<void>;

/** Every way of Node to sync, those of an open handle and those of a descriptor. */
async function watchSyncs(root: string, onSync: (descriptor: number) => void): Promise<() => void> {
  const handle = await open(root);
  const handles = Object.getPrototypeOf(handle) as { sync: Sync; datasync: Sync };
  await handle.close();
  const { fsyncSync, fdatasyncSync } = fs;
  const { sync, datasync } = handles;
  const watched =
    (real: typeof fsyncSync): typeof fsyncSync =>
    (descriptor) => {
      real(descriptor);
      onSync(descriptor);
    };
  const watchedHandle = (real: typeof sync): typeof sync =>
    async function (this: FileHandle) {
      await real.call(this);
      onSync(this.fd);
    };
  Object.assign(fs, { fsyncSync: watched(fsyncSync), fdatasyncSync: watched(fdatasyncSync) });
  Object.assign(handles, { sync: watchedHandle(sync), datasync: watchedHandle(datasync) });
  syncBuiltinESMExports();
  return () => {
    Object.assign(fs, { fsyncSync, fdatasyncSync });
    Object.assign(handles, { sync, datasync });
    syncBuiltinESMExports();
  };
}
