// Lists the runs of a repository, oldest first.
import { open, readdir, type FileHandle } from 'node:fs/promises';
import { isMissing, readError } from '#adapters/files/io-error.ts';
import { jsonOffset, newline, parseEntry } from './line.ts';
import { createSeal, readMirrorKey } from './mirror.ts';
import { type StorePaths, isRunId, mirrorSuffix } from '#adapters/store/paths.ts';
import type { ForkOrigin } from '#kernel/events/after-end-facts.ts';

interface Listed {
  readonly runId: string;
  readonly createdAt: number;
}

/** Skips half-made folders. Includes an authentic mirror without a folder, because it can be restored. */
export async function listRuns(paths: StorePaths): Promise<readonly string[]> {
  const folders = (await namesIn(paths.root)).filter(isRunId);
  const mirrored = (await namesIn(paths.mirrors)).filter((name) => name.endsWith(mirrorSuffix));
  const ids = new Set([
    ...folders,
    ...mirrored.map((name) => name.slice(0, -mirrorSuffix.length)).filter(isRunId),
  ]);
  const found: Listed[] = [];
  for (const runId of ids) {
    const createdAt = (await journalBirth(paths, runId)) ?? (await mirrorBirth(paths, runId));
    if (createdAt !== null) found.push({ runId, createdAt });
  }
  return found.sort(byAge).map((run) => run.runId);
}

/** The creation time in the mirror; null unless it begins with a line of ours. */
export async function mirrorBirth(paths: StorePaths, runId: string): Promise<number | null> {
  const key = await readMirrorKey(paths.mirrorKey).catch(() => null);
  const line = key === null ? null : await firstLine(paths.run(runId).mirror);
  if (key === null || line === null) return null;
  const json = createSeal(key, runId).unseal(line);
  return json === null ? null : birthOf(json);
}

/** A journal with a damaged first line is listed too: opening it reports the damage. */
async function journalBirth(paths: StorePaths, runId: string): Promise<number | null> {
  const line = await firstLine(paths.run(runId).journal);
  return line === null ? null : (birthOf(line.subarray(jsonOffset)) ?? 0);
}

/** As written; null if the journal is missing or its first line is no entry. */
export async function firstEvent(paths: StorePaths, runId: string): Promise<unknown> {
  const line = await firstLine(paths.run(runId).journal);
  return line === null ? null : (parseEntry(line.subarray(jsonOffset).toString())?.events[0] ?? null);
}

function birthOf(json: Buffer): number | null {
  const first = parseEntry(json.toString())?.events[0];
  if (typeof first !== 'object' || first === null || !('at' in first)) return null;
  return typeof first.at === 'number' ? first.at : null;
}

function byAge(a: Listed, b: Listed): number {
  if (a.createdAt !== b.createdAt) return a.createdAt - b.createdAt;
  return a.runId < b.runId ? -1 : 1;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw readError(error, 'The list of runs', folder);
  }
}

/** Null when there is no such file. */
async function firstLine(file: string): Promise<Buffer | null> {
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) return null;
  try {
    return await readFirstLine(handle);
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}

async function readFirstLine(handle: FileHandle): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(1 << 16), 0, 1 << 16, null);
    const end = buffer.subarray(0, bytesRead).indexOf(newline);
    pieces.push(buffer.subarray(0, end === -1 ? bytesRead : end));
    if (end !== -1 || bytesRead === 0) return Buffer.concat(pieces);
  }
}

/** Forks of a run, oldest first, by the first line of each journal: nothing is written into the old run. */
export async function listForks(paths: StorePaths, runId: string): Promise<ForkOrigin[]> {
  const found: ForkOrigin[] = [];
  for (const id of await listRuns(paths)) {
    const origin = originOf(await firstEvent(paths, id));
    if (origin?.runId === runId) found.push({ runId: id, event: origin.event });
  }
  return found;
}

/** Null for a run that is no fork, and for an unreadable first line. */
function originOf(event: unknown): ForkOrigin | null {
  const { forkedFrom } = (event ?? {}) as { readonly forkedFrom?: Partial<ForkOrigin> };
  const { runId, event: number } = forkedFrom ?? {};
  return typeof runId === 'string' && typeof number === 'number' ? { runId, event: number } : null;
}
