// Who drives a run, for messages only: the lock decides, not this file.
import { readFileSync, readlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { errorCode } from '#base/error-code.ts';
import type { Holder } from '#ports/store.ts';
import { readIfThere, replaceFile } from '#adapters/files/files.ts';

/** What else tells whether that process is still the same one; null where the platform does not say. */
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
    started: processState('self')?.started ?? null,
  };
  await replaceFile(file, `${JSON.stringify(record)}\n`);
}

/** Null when nobody does, as far as this file and this machine tell. Never looks at the lock. */
export async function readHolder(file: string): Promise<Holder | null> {
  const record = await readRecord(file);
  if (record === null || isGone(record)) return null;
  return { pid: record.pid, host: record.host, since: record.since };
}

/** For a process that lives on: removes its own name, and no other. */
export async function freeOwnHolder(file: string): Promise<void> {
  const record = await readRecord(file);
  const isOurs =
    record?.pid === process.pid && record.host === hostname() && record.namespace === pidNamespace();
  if (isOurs) await rm(file, { force: true });
}

/** On another host or in another pid namespace: whether it still lives cannot be told from its pid. */
export async function isOutOfSight(file: string): Promise<boolean> {
  const record = await readRecord(file);
  return record !== null && (record.host !== hostname() || record.namespace !== pidNamespace());
}

async function readRecord(file: string): Promise<HolderRecord | null> {
  const content = await readIfThere(file).catch(() => null);
  return content === null ? null : parseRecord(content.toString());
}

function parseRecord(text: string): HolderRecord | null {
  try {
    const value = JSON.parse(text) as Partial<HolderRecord> | null;
    if (typeof value?.pid !== 'number' || typeof value.host !== 'string') return null;
    const { pid, host, since = 0, boot = null, namespace = null, started = null } = value;
    return { pid, host, since, boot, namespace, started };
  } catch {
    return null;
  }
}

/** True only when we know it: on another host or in another pid namespace we do not. */
function isGone(record: HolderRecord): boolean {
  if (record.host !== hostname()) return false;
  if (record.boot !== null && record.boot !== bootId()) return true;
  if (record.namespace !== pidNamespace()) return false;
  if (record.started === null) return !answers(record.pid);
  const state = processState(String(record.pid));
  return state === null || state.started !== record.started || state.isDead;
}

function answers(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Linux only. The name in /proc/<pid>/stat may hold spaces and brackets, so we count from its last bracket. */
function processState(pid: string): { readonly started: string; readonly isDead: boolean } | null {
  const stat = quietly(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [letter, started] = [fields?.[0], fields?.[19]];
  if (letter === undefined || started === undefined) return null;
  return { started, isDead: letter === 'Z' || letter === 'X' };
}

function bootId(): string | null {
  return quietly(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim());
}

function pidNamespace(): string | null {
  return quietly(() => readlinkSync('/proc/self/ns/pid'));
}

function quietly<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
