// Checks all awaited files in one sweep.
import type { Awaited, FileCondition } from '#kernel/waiting/condition.ts';
import type { Clock } from '#ports/clock.ts';
import { filesIn } from './awaited.ts';

/** Whether the file is there and complete. Contract: never rejects. */
export type ProbeFile = (condition: FileCondition) => Promise<boolean>;

export interface WatchedFiles {
  sweepWhenDue(awaited: readonly Awaited[]): Promise<void>;
  isThere(condition: FileCondition): boolean;
  nextAt(awaited: readonly Awaited[]): number;
}

/** Between two sweeps. */
const everyMs = 1_000;

export function createWatchedFiles(clock: Clock, look: ProbeFile): WatchedFiles {
  let seen = new Map<string, boolean>();
  let sweptAt = -Infinity;
  return {
    async sweepWhenDue(awaited) {
      const wanted = filesIn(awaited);
      const now = clock.now();
      const isNew = wanted.some((one) => !seen.has(keyOf(one)));
      const isDue = isNew || now - sweptAt >= everyMs || now < sweptAt;
      if (wanted.length === 0 || !isDue) return;
      sweptAt = now;
      const found = await Promise.all(wanted.map(async (one) => [keyOf(one), await look(one)] as const));
      seen = new Map(found);
    },
    isThere: (condition) => seen.get(keyOf(condition)) === true,
    nextAt: (awaited) => (filesIn(awaited).length === 0 ? Infinity : clock.now() + everyMs),
  };
}

function keyOf({ path, contains = '' }: FileCondition): string {
  return JSON.stringify([path, contains]);
}
