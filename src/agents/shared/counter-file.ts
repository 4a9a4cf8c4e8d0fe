// What a client's own counter of a conversation stood at when its last session ended: clients count over the whole history,
// and not all of them tell where a resumed session begins.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { forgetOld, stateFolder, type Environment } from './state-folder.ts';
import { parseJson } from '#base/parse-json.ts';

export interface CounterFile {
  /** Null where nothing was kept: then the whole history counts, which is more than this session used, never less. */
  read(conversationId: string): Promise<readonly number[] | null>;
  /** Contract: never rejects; a disk that does not take it makes a later session count more. */
  keep(conversationId: string, counts: readonly number[]): Promise<void>;
}

export function openCounterFile(env: Environment, client: string): CounterFile {
  const folder = stateFolder(env, 'counters');
  // Ids are whatever a client tells: none of it becomes a path.
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
        // As said in the contract.
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
