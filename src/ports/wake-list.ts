// Where other processes see what a run waits for, so that one of them can wake it. Derived from the journal: it may be wrong, stale or gone.
import type { Awaited } from '#kernel/waiting/condition.ts';

export interface WakeEntry {
  /** Contract: never throws, never waits; replaces what was there. */
  save(wait: { readonly awaited: readonly Awaited[]; readonly waitingFor: string }): void;
  /** The run waits for nothing that could wake it. Contract: as `save`. */
  remove(): void;
  /** Resolves when the last of them is on disk or has failed. */
  close(): Promise<void>;
}
