// Shows other processes what a run waits for, to wake it. From the journal: it may be wrong, stale or gone.
import type { AwaitedCondition } from '#kernel/waiting/condition.ts';

export interface WakeEntry {
  /** Contract: never throws, never waits; replaces the earlier entry. */
  save(wait: { readonly awaited: readonly AwaitedCondition[]; readonly waitingFor: string }): void;
  /** The run waits for nothing that could wake it. Contract: as `save`. */
  remove(): void;
  /** Resolves when the last write is on disk or has failed. */
  close(): Promise<void>;
}
