// Stores a client's counter for a conversation when a session ends: clients count over the whole history, and
// not all of them report where a resumed session begins.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { forgetOld, stateFolder, type Environment } from './state-folder.ts';
import { parseJson } from '#base/parse-json.ts';

export interface CounterFile {
  /** Null if nothing was stored: then the whole history counts, never less than this session's part. */
  read(conversationId: string): Promise<readonly number[] | null>;
  /** Contract: never rejects; if the disk fails, a later session counts more. */
  keep(conversationId: string, counts: readonly number[]): Promise<void>;
}

export function openCounterFile(env: Environment, client: string): CounterFile {
  const folder = stateFolder(env, 'counters');
  // Ids come from the client, so no part of them becomes a path.
  const fileOf = (id: string): string =>
    join(folder, `${client}-${createHash('sha256').update(id).digest('hex').slice(0, 32)}.json`);
  return {
    read: async (id) => parse(await readFile(fileOf(id), 'utf8').catch(() => '')),
    keep: async (id, counts) => {
      const file = fileOf(id);
      const fresh = `${file}.${process.pid}.tmp`;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(fresh, JSON.stringify(counts), { mode: 0o600 });
        await rename(fresh, file);
        await forgetOld(folder);
      } catch {
        // See the contract of `keep`.
      }
    },
  };
}

function parse(text: string): readonly number[] | null {
  const value = parseJson(text);
  return Array.isArray(value) && value.every(isCount) ? value : null;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
