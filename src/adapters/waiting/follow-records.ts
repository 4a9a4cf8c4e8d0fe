// Follows the wake records of all runs: reads them again when one of them changes.
import { watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '#adapters/files/files.ts';
import { readWakeRecord, wakeFolder, type WakeRecord } from './wake-file.ts';

export interface RecordFollower {
  /** By file name. Contract: never rejects; skips files that are no record. */
  read(): Promise<ReadonlyMap<string, WakeRecord>>;
  /** Whether a read would find a change; costs one `stat` if nothing changed. */
  isStale(): Promise<boolean>;
  /** Whether the folder was removed; true once. */
  wasRemoved(): boolean;
  close(): void;
}

/** Two changes may have the same time: a folder that changed this recently is read again. */
const sameTimeMs = 2_000;
const batch = 20;

/** `onHint` is called when the folder seems to have changed; on some file systems it never is. */
export async function followRecords(stateHome: string, onHint: () => void): Promise<RecordFollower> {
  const folder = wakeFolder(stateHome);
  await makeFolder(folder).catch(() => undefined);
  let files = new Map<string, { readonly sign: string; readonly record: WakeRecord | null }>();
  let folderSign = '';
  let isRemoved = false;
  let watcher = hintsOf(folder, onHint);

  return {
    async read() {
      const before = folderSign;
      folderSign = await signOf(folder);
      isRemoved = folderSign === 'none' && before !== '' && before !== 'none';
      if (folderSign === 'none') {
        await makeFolder(folder).catch(() => undefined);
        watcher.close();
        watcher = hintsOf(folder, onHint);
      }
      const names = await readdir(folder).catch(() => []);
      const wanted = names.filter((name) => name.endsWith('.json') && !name.startsWith('.'));
      const read: typeof files = new Map();
      // A few at a time: all at once would take memory that is never returned.
      for (let at = 0; at < wanted.length; at += batch)
        for (const [name, file] of await Promise.all(wanted.slice(at, at + batch).map(named)))
          read.set(name, file);
      files = read;
      const found = new Map<string, WakeRecord>();
      for (const [name, { record }] of files) if (record !== null) found.set(name, record);
      return found;
    },
    isStale: async () => folderSign.endsWith('recent') || (await signOf(folder)) !== folderSign,
    wasRemoved() {
      const was = isRemoved;
      isRemoved = false;
      return was;
    },
    close: () => watcher.close(),
  };

  async function named(name: string) {
    return [name, await readFile(name)] as const;
  }

  async function readFile(name: string) {
    const path = join(folder, name);
    const found = await stat(path, { bigint: true }).catch(() => null);
    const sign = found === null ? 'none' : `${found.ino} ${found.mtimeNs} ${found.size}`;
    const known = files.get(name);
    if (known?.sign === sign) return known;
    const record = await readWakeRecord(path);
    // The file name decides the run: a copy of another record is invalid.
    const isOwn = record !== null && name === `${record.repoId}.${record.runId}.json`;
    return { sign, record: isOwn ? record : null };
  }
}

async function signOf(folder: string): Promise<string> {
  const found = await stat(folder, { bigint: true }).catch(() => null);
  if (found === null) return 'none';
  const isRecent = Math.abs(Date.now() - Number(found.mtimeMs)) < sameTimeMs;
  return `${found.ino} ${found.mtimeNs}${isRecent ? ' recent' : ''}`;
}

function hintsOf(folder: string, onHint: () => void): { close(): void } {
  try {
    const watcher = watch(folder, { persistent: false }, onHint);
    watcher.on('error', () => undefined);
    return watcher;
  } catch {
    return { close: () => undefined };
  }
}
