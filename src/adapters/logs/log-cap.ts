// Limits logs to their start and end. All logs of a run share a budget; beyond it they are shorter.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface LogCap {
  readonly headBytes: number;
  readonly tailBytes: number;
}

const mebibyte = 1024 * 1024;

/** A person reads a few pages of a log; longer test output repeats itself. */
const checkCap: LogCap = { headBytes: mebibyte, tailBytes: mebibyte };
const shortCheckCap: LogCap = { headBytes: 64 * 1024, tailBytes: 64 * 1024 };

/** A session of a day has about 10 MB; its end decides. */
const sessionCap: LogCap = { headBytes: 16 * mebibyte, tailBytes: 4 * mebibyte };
const shortSessionCap: LogCap = { headBytes: mebibyte, tailBytes: mebibyte };

/** Budget for all logs of a run together. */
const budgetBytes = 64 * mebibyte;

/** Contract: never throws. The size is measured at intervals only: a run may have thousands of logs. */
export function checkLogCap(folder: string): LogCap {
  return bytesIn(folder) < budgetBytes ? checkCap : shortCheckCap;
}

export function sessionLogCap(folder: string): LogCap {
  return bytesIn(folder) < budgetBytes ? sessionCap : shortSessionCap;
}

const freshMs = 10_000;
const known = new Map<string, { readonly at: number; readonly bytes: number }>();

function bytesIn(folder: string): number {
  const now = performance.now();
  const before = known.get(folder);
  if (before !== undefined && now - before.at < freshMs) return before.bytes;
  const bytes = measure(folder);
  known.set(folder, { at: now, bytes });
  return bytes;
}

function measure(folder: string): number {
  let all = 0;
  try {
    for (const name of readdirSync(folder))
      all += statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    // No log exists yet, or another process removes the logs.
  }
  return all;
}

export const leftOutPattern = /^(\d+) bytes were left out here: the log is kept short$/;

/** The line in place of omitted bytes. */
export function leftOutText(bytes: number): string {
  return `${bytes} bytes were left out here: the log is kept short`;
}
