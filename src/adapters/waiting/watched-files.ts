// Checks all awaited files in one sweep.
import type { AwaitedCondition, FileCondition } from '#kernel/waiting/condition.ts';
import type { Clock } from '#ports/clock.ts';
import { fileKey, filesIn } from './awaited.ts';

/** Whether the file is there and complete. Contract: never rejects. */
export type ProbeFile = (condition: FileCondition) => Promise<boolean>;

export interface WatchedFiles {
  sweepWhenDue(awaited: readonly AwaitedCondition[]): Promise<void>;
  isThere(condition: FileCondition): boolean;
  nextAt(awaited: readonly AwaitedCondition[]): number;
}

/** Between two sweeps. */
const everyMs = 1_000;

export function createWatchedFiles(clock: Clock, probe: ProbeFile): WatchedFiles {
  let known = new Map<string, boolean>();
  let sweptAt = -Infinity;
  return {
    async sweepWhenDue(awaited) {
      const wanted = filesIn(awaited);
      const now = clock.now();
      const isNew = wanted.some((one) => !known.has(fileKey(one)));
      const isDue = isNew || now - sweptAt >= everyMs || now < sweptAt;
      if (wanted.length === 0 || !isDue) return;
      sweptAt = now;
      const found = await Promise.all(wanted.map(async (one) => [fileKey(one), await probe(one)] as const));
      known = new Map(found);
    },
    isThere: (condition) => known.get(fileKey(condition)) === true,
    nextAt: (awaited) => (filesIn(awaited).length === 0 ? Infinity : clock.now() + everyMs),
  };
}
