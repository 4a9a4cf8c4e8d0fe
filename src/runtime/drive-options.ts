// How long a driver stays with its run, and how it ends.
import type { Run } from '#kernel/fold/run.ts';
import type { Holder } from '#ports/store.ts';
import type { AwaitedCondition } from '#kernel/waiting/condition.ts';

export interface DriveOptions {
  /**
   * Whether to leave the run parked instead of waiting. `awaited`: what can continue it; if empty, only a
   * person can. The driver checks all conditions once more before it leaves.
   */
  readonly leaveWhenParked: (awaited: readonly AwaitedCondition[]) => boolean | Promise<boolean>;
  /** Leave as soon as the running steps have ended; nothing is lost. */
  readonly signal: AbortSignal;
  /** Called under the lock, before any write; if it throws, the drive ends and the run is unchanged. */
  readonly onLocked?: (run: Run) => void;
  /** This process has just created the run: unless it had a driver since, no process of it can be left over. */
  readonly isNew?: boolean;
}

export type DriveEnd =
  | { readonly kind: 'ended'; readonly run: Run }
  | { readonly kind: 'parked'; readonly waitingFor: string; readonly run: Run }
  | { readonly kind: 'held'; readonly by: Holder };
