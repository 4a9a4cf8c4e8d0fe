// Records which process drives a run, for messages only: the lock decides, not this file.
import { readlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { errorCode } from '#base/error-code.ts';
import type { Holder } from '#ports/store.ts';
import { readIfThere, replaceFile } from '#adapters/files/files.ts';
import { orElse } from '#base/or-else.ts';
import { parseRecord } from '#base/parse-json.ts';
import { bootId, hasProcTable, readProcEntry } from '#adapters/processes/proc-table.ts';
import { takeLock } from '#adapters/files/lock.ts';

/** Identifies the process across reboots and reused pids; null if the platform does not show it. */
interface HolderRecord extends Holder {
  readonly boot: string | null;
  readonly namespace: string | null;
  readonly started: string | null;
}

export async function writeHolder(file: string, since: number): Promise<void> {
  const record: HolderRecord = {
    pid: process.pid,
    host: hostname(),
    since,
    boot: bootId(),
    namespace: pidNamespace(),
    started: startOf(process.pid),
  };
  await replaceFile(file, `${JSON.stringify(record)}\n`);
}

/** Null if no driver lives, as far as this file and this machine show. Never checks the lock. */
export async function readHolder(file: string): Promise<Holder | null> {
  const record = await readRecord(file);
  if (record === null || isGone(record)) return null;
  return { pid: record.pid, host: record.host, since: record.since };
}

/** For a process that lives on: removes its own record and no other. */
export async function freeOwnHolder(file: string): Promise<void> {
  const record = await readRecord(file);
  const isOurs =
    record?.pid === process.pid && record.host === hostname() && record.namespace === pidNamespace();
  if (isOurs) await rm(file, { force: true });
}

/** As `readHolder`. For a process in a container or on another host, the lock shows whether it lives. */
export async function readLivingHolder(file: string, lockFile: string): Promise<Holder | null> {
  const holder = await readHolder(file);
  if (holder === null || !(await isOutOfSight(file))) return holder;
  const lock = await takeLock(lockFile).catch(() => null);
  lock?.release();
  return lock === null ? holder : null;
}

/** On another host or in another pid namespace: its pid does not show whether it lives. */
export async function isOutOfSight(file: string): Promise<boolean> {
  const record = await readRecord(file);
  return record !== null && (record.host !== hostname() || record.namespace !== pidNamespace());
}

async function readRecord(file: string): Promise<HolderRecord | null> {
  const content = await readIfThere(file).catch(() => null);
  const value: Partial<HolderRecord> = parseRecord(content?.toString() ?? '') ?? {};
  const { pid, host, since = 0, boot = null, namespace = null, started = null } = value;
  if (typeof pid !== 'number' || typeof host !== 'string') return null;
  return { pid, host, since, boot, namespace, started };
}

/** True only if certain: on another host or in another pid namespace it is not. */
function isGone(record: HolderRecord): boolean {
  if (record.host !== hostname()) return false;
  if (record.boot !== null && record.boot !== bootId()) return true;
  if (record.namespace !== pidNamespace()) return false;
  if (record.started === null || !hasProcTable()) return !answers(record.pid);
  return startOf(record.pid) !== record.started;
}

function answers(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

function pidNamespace(): string | null {
  return orElse(() => readlinkSync('/proc/self/ns/pid'), null);
}

/** Null for a process that is gone, or if the system does not show it. */
function startOf(pid: number): string | null {
  return hasProcTable() ? (readProcEntry(pid)?.startTime ?? null) : null;
}
