// One small file per waiting run, in one folder for all repositories of this user. Another process sees which
// runs are due without opening a journal.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, replaceFile, readSmallJson } from '#adapters/files/files.ts';
import { isRunId } from '#adapters/store/paths.ts';
import { type AwaitedCondition, conditionProblem } from '#kernel/waiting/condition.ts';
import type { WakeEntry } from '#ports/wake-list.ts';
import { isRecord } from '#base/record.ts';

/** The data of a waiting run outside of its journal. */
export interface WakeRecord {
  readonly runId: string;
  readonly repoId: string;
  /** The repository's checkout when the wait began. */
  readonly root: string;
  readonly waitingFor: string;
  readonly awaited: readonly AwaitedCondition[];
  /** Variables that the driver passed to its agents; a driver without them stays parked. */
  readonly needs: readonly string[];
  /** False if the settings forbid an automatic resume of this run. */
  readonly mayWake: boolean;
  /** Why the last attempt to wake it failed; for people to read. */
  readonly problem?: string;
}

const version = 1;
const bytesMax = 1 << 20;

export function wakeFolder(stateHome: string): string {
  return join(stateHome, 'untildone', 'waiting');
}

export function wakeFileOf(
  stateHome: string,
  { repoId, runId }: Pick<WakeRecord, 'repoId' | 'runId'>,
): string {
  return join(wakeFolder(stateHome), `${repoId}.${runId}.json`);
}

export function createWakeEntry(
  stateHome: string,
  known: Omit<WakeRecord, 'awaited' | 'waitingFor' | 'problem'>,
): WakeEntry {
  const file = wakeFileOf(stateHome, known);
  let written: string | null = null;
  let isAbsent = false;
  let writing: Promise<void> = Promise.resolve();
  const next = (act: () => Promise<void>): void => {
    // A full disk costs the entry, not the run: `watch` finds the run by its journal.
    writing = writing.then(act).catch(() => undefined);
  };
  return {
    save(wait) {
      const text = JSON.stringify({ version, ...known, ...wait });
      if (text === written) return;
      written = text;
      isAbsent = false;
      next(async () => {
        await makeFolder(wakeFolder(stateHome));
        await replaceFile(file, `${text}\n`);
      });
    },
    remove() {
      if (isAbsent) return;
      written = null;
      isAbsent = true;
      next(() => rm(file, { force: true }));
    },
    close: () => writing,
  };
}

/** Contract: never rejects; skips files that are no record. */
export async function readWakeRecords(stateHome: string, repoId?: string): Promise<WakeRecord[]> {
  const folder = wakeFolder(stateHome);
  const names = await readdir(folder).catch(() => []);
  const wanted = names.filter(
    (name) =>
      name.endsWith('.json') &&
      !name.startsWith('.') &&
      (repoId === undefined || name.startsWith(`${repoId}.`)),
  );
  const read = await Promise.all(wanted.map((name) => readWakeRecord(join(folder, name))));
  return read.filter((record) => record !== null);
}

export async function readWakeRecord(file: string): Promise<WakeRecord | null> {
  const value = await readSmallJson(file, bytesMax);
  return isWakeRecord(value) ? value : null;
}

/** Contract: never rejects. */
export async function removeWakeRecord(
  stateHome: string,
  run: Pick<WakeRecord, 'repoId' | 'runId'>,
): Promise<void> {
  await rm(wakeFileOf(stateHome, run), { force: true }).catch(() => undefined);
}

/** Records why the run was not woken, for `status`; the next wait of the run rewrites the file. */
export async function noteWakeProblem(stateHome: string, record: WakeRecord, problem: string): Promise<void> {
  const file = wakeFileOf(stateHome, record);
  if ((await readWakeRecord(file)) === null) return;
  await replaceFile(file, `${JSON.stringify({ version, ...record, problem })}\n`).catch(() => undefined);
}

function isWakeRecord(value: unknown): value is WakeRecord {
  if (!isRecord(value)) return false;
  const { version: found, runId, repoId, root, waitingFor, awaited, needs, mayWake } = value;
  const areTexts = [runId, repoId, root, waitingFor].every((text) => typeof text === 'string');
  // Both become parts of file names.
  const areIds = isRunId(String(runId)) && isRunId(String(repoId));
  const areNames = Array.isArray(needs) && needs.every((name) => typeof name === 'string');
  if (found !== version || !areTexts || !areIds || !areNames || typeof mayWake !== 'boolean') return false;
  return Array.isArray(awaited) && awaited.every(isAwaited);
}

function isAwaited(value: unknown): value is AwaitedCondition {
  if (!isRecord(value)) return false;
  const { kind, suspensionId, at, condition } = value;
  switch (kind) {
    case 'limit':
      return Number.isFinite(at);
    case 'reminder':
      return typeof suspensionId === 'string' && Number.isFinite(at);
    case 'suspension':
      return typeof suspensionId === 'string' && conditionProblem(condition) === null;
    default:
      return false;
  }
}
