// Checks by `stat` whether an awaited file is there and complete: watching fails on network file systems.
import { stat as statWithCallback } from 'node:fs';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { FileCondition } from '#kernel/waiting/condition.ts';
import { fileKey } from './awaited.ts';

/** For a missing file, `stat` of `fs/promises` costs half as much again: it collects a stack for each error. */
const stat = promisify(statWithCallback);

/** A file that has not changed for this long counts as complete. */
const stableMs = 1_000;
/** Of a larger file only the end is searched. */
const searchedBytes = 8 << 20;

interface Known {
  readonly size: number;
  readonly changedMs: number;
  /** When this state was first seen, by the monotonic clock. */
  readonly since: number;
}

/** Contract: never rejects; an unreadable file counts as missing. */
export function createFileProbe(
  now: () => number = () => performance.now(),
): (file: FileCondition) => Promise<boolean> {
  const known = new Map<string, Known>();
  return async ({ path, contains }) => {
    try {
      const { size, mtimeMs: changedMs, isFile } = await stateOf(path);
      const before = known.get(path);
      const isSame = before?.size === size && before.changedMs === changedMs;
      if (!isSame) known.set(path, { size, changedMs, since: now() });
      // A file last written long ago needs no second check: a driver that is woken for it leaves otherwise.
      const isCoarse = changedMs % 1_000 === 0;
      const isOld = Date.now() - changedMs >= (isCoarse ? 2 * stableMs : stableMs);
      const isStable = isOld || (isSame && now() - before.since >= stableMs);
      if (!isStable) return false;
      return contains === undefined || (isFile && (await hasText(path, size, contains)));
    } catch {
      known.delete(path);
      return false;
    }
  };
}

async function stateOf(path: string): Promise<{ size: number; mtimeMs: number; isFile: boolean }> {
  const found = await stat(path);
  return { size: found.size, mtimeMs: found.mtimeMs, isFile: found.isFile() };
}

async function hasText(path: string, size: number, text: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const length = Math.min(size, searchedBytes);
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(length),
      position: Math.max(0, size - length),
    });
    return buffer.subarray(0, bytesRead).includes(text);
  } finally {
    await file.close();
  }
}

const perFileMs = 4;

/** Limits checks to 250 a second, half a percent of a core. Contract: as `look`; false if just checked. */
export function limitedProbe(
  probe: (file: FileCondition) => Promise<boolean>,
  now: () => number = () => performance.now(),
): (file: FileCondition) => Promise<boolean> {
  const next = new Map<string, number>();
  return async (file) => {
    const key = fileKey(file);
    const at = now();
    if (at < (next.get(key) ?? -Infinity)) return false;
    next.delete(key);
    // Files that are no longer awaited were not requested since.
    for (const [old, due] of next) {
      if (due > at - forgottenMs) break;
      next.delete(old);
    }
    next.set(key, at + next.size * perFileMs);
    return probe(file);
  };
}

const forgottenMs = 60_000;
