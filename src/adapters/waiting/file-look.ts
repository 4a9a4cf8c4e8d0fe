// Whether a file that a run waits for is there, and its writer has finished. By `stat`: watching sees nothing on network file systems.
import { open, stat } from 'node:fs/promises';
import type { FileCondition } from '#kernel/waiting/condition.ts';

/** A file that has not changed for so long counts as written. */
const stableMs = 1_000;
/** Of a larger file only the end is searched. */
const searchedBytes = 8 << 20;

interface Known {
  readonly size: number;
  readonly changedMs: number;
  /** By the monotonic clock: when this state was seen first. */
  readonly since: number;
}

/** Contract: never rejects; what cannot be read is not there. */
export function createFileLook(
  now: () => number = () => performance.now(),
): (file: FileCondition) => Promise<boolean> {
  const known = new Map<string, Known>();
  return async ({ path, contains }) => {
    try {
      const { size, mtimeMs: changedMs, isFile } = await stateOf(path);
      const before = known.get(path);
      const isSame = before?.size === size && before.changedMs === changedMs;
      if (!isSame) known.set(path, { size, changedMs, since: now() });
      // A file that was last written long ago needs no second look.
      const isOld = Date.now() - changedMs >= 2 * stableMs;
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

/** For very many files: 250 checks a second in all cost half a percent of a core. Contract: as `look`; a file that was checked a moment ago is not there. */
export function sparingLook(
  look: (file: FileCondition) => Promise<boolean>,
  now: () => number = () => performance.now(),
): (file: FileCondition) => Promise<boolean> {
  const next = new Map<string, number>();
  return async (file) => {
    const key = JSON.stringify([file.path, file.contains]);
    const at = now();
    if (at < (next.get(key) ?? -Infinity)) return false;
    next.delete(key);
    // Those that are no longer waited for were not asked for since.
    for (const [old, due] of next) {
      if (due > at - forgottenMs) break;
      next.delete(old);
    }
    next.set(key, at + next.size * perFileMs);
    return look(file);
  };
}

const forgottenMs = 60_000;
