// Records which host serves a step, before the host gets its order, so that the next driver finds it.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasProcTable, readProcEntry, bootId } from '#adapters/processes/proc-table.ts';
import { readStartTime } from '#adapters/processes/without-proc.ts';
import { orElse } from '#base/or-else.ts';
import { parseRecord } from '#base/parse-json.ts';
import { replaceFileSync } from '#adapters/files/files.ts';

export interface HostRecord {
  readonly stepId: string;
  readonly pid: number;
  /** With the pid and the boot it identifies one process; null if the system does not show it. */
  readonly startTime: string | null;
  readonly bootId: string | null;
  /** Set in the host's environment; null in a record of an earlier version. */
  readonly mark: string | null;
  /** File name in the log folder. */
  readonly log: string;
}

export function identify(pid: number): Pick<HostRecord, 'pid' | 'startTime' | 'bootId'> {
  return {
    pid,
    startTime: hasProcTable() ? (readProcEntry(pid)?.startTime ?? null) : readStartTime(pid),
    bootId: bootId(),
  };
}

export function writeHostRecord(folder: string, record: HostRecord): void {
  mkdirSync(folder, { recursive: true });
  replaceFileSync(recordFile(folder, record.stepId), JSON.stringify(record));
}

export function readHostRecord(folder: string, stepId: string): HostRecord | null {
  const value = parseRecord(orElse(() => readFileSync(recordFile(folder, stepId), 'utf8'), ''));
  if (value === null || value['stepId'] !== stepId) return null;
  const { pid, log } = value;
  if (typeof pid !== 'number' || typeof log !== 'string') return null;
  const mark = typeof value['mark'] === 'string' ? value['mark'] : null;
  return { ...(value as unknown as HostRecord), mark };
}

/** Waits for a working host and kills it if it does not end in time. */
export async function outlive(record: HostRecord, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs;
  while (isAlive(record) && performance.now() < deadline) await sleep(retryMs());
  if (!isAlive(record)) return;
  try {
    process.kill(record.pid, 'SIGKILL');
  } catch {
    return; // It went by itself.
  }
  for (let count = 0; isAlive(record) && count < 200; count += 1) await sleep(retryMs());
}

/** Without a process table, each check starts a program. */
function retryMs(): number {
  return hasProcTable() ? 25 : 250;
}

/** A process with this pid and another start time is a different one. Without a start time: gone. */
export function isAlive(record: Pick<HostRecord, 'pid' | 'startTime' | 'bootId'>): boolean {
  if (record.startTime === null || record.bootId !== bootId()) return false;
  if (!hasProcTable()) return readStartTime(record.pid) === record.startTime;
  return readProcEntry(record.pid)?.startTime === record.startTime;
}

function recordFile(folder: string, stepId: string): string {
  return join(folder, `${encodeURIComponent(stepId)}.json`);
}
