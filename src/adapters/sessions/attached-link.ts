// Records which run an attached session belongs to, and its client process: one small file per session.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '#base/record.ts';
import { type HostRecord, isAlive } from './host-record.ts';
import { orElse } from '#base/or-else.ts';
import { parseRecord } from '#base/parse-json.ts';
import { replaceFileSync } from '#adapters/files/files.ts';

export interface AttachedLink {
  readonly sessionId: string;
  readonly runId: string;
  /** Where the repository is, and so the state of the run. */
  readonly root: string;
  /** The client's process. Without a process table it counts as alive until it reports its end. */
  readonly client: Pick<HostRecord, 'pid' | 'startTime' | 'bootId'>;
  /** The client reported the end of the session. */
  readonly isClosed: boolean;
  /** Number of refused exits in a row. */
  readonly blocks: number;
}

export function writeLink(folder: string, link: AttachedLink): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  replaceFileSync(fileOf(folder, link.sessionId), JSON.stringify(link));
}

/** Null for a session of no run, and for an unreadable file. */
export function readLink(folder: string, sessionId: string): AttachedLink | null {
  const value = parseRecord(orElse(() => readFileSync(fileOf(folder, sessionId), 'utf8'), ''));
  if (value === null || value['sessionId'] !== sessionId || !isRecord(value['client'])) return null;
  const { runId, root, blocks, isClosed } = value;
  const isWhole =
    typeof runId === 'string' &&
    typeof root === 'string' &&
    typeof blocks === 'number' &&
    typeof isClosed === 'boolean' &&
    typeof value['client']['pid'] === 'number';
  return isWhole ? (value as unknown as AttachedLink) : null;
}

export function listLinks(folder: string): AttachedLink[] {
  return orElse(() => readdirSync(folder), [])
    .filter((name) => name.endsWith('.json'))
    .map((name) => readLink(folder, decodeURIComponent(name.slice(0, -'.json'.length))))
    .filter((link) => link !== null);
}

export function dropLink(folder: string, sessionId: string): void {
  rmSync(fileOf(folder, sessionId), { force: true });
}

/** Whether the session may still change something. */
export function isLinkLive({ isClosed, client }: AttachedLink): boolean {
  if (isClosed) return false;
  return client.startTime === null || isAlive(client);
}

function fileOf(folder: string, sessionId: string): string {
  return join(folder, `${encodeURIComponent(sessionId)}.json`);
}
