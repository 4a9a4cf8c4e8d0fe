// How long a driver stays with its run, and how it left.
import type { Run } from '#kernel/fold/run.ts';
import type { Holder } from '#ports/store.ts';
import type { Awaited } from '#kernel/waiting/condition.ts';

export interface DriveOptions {
  /**
   * Leave the run parked instead of waiting. `awaited` is what would let it go on by itself; empty: only a person does.
   * The driver looks at all of it once more before it leaves.
   */
  readonly leaveWhenParked: (awaited: readonly Awaited[]) => boolean | Promise<boolean>;
  /** Leave as soon as what runs is ended; nothing is lost. */
  readonly signal: AbortSignal;
  /** Called under the lock, before anything is written; what it throws ends the drive, and the run is as it was. */
  readonly onLocked?: (run: Run) => void;
}

export type DriveEnd =
  | { readonly kind: 'ended'; readonly run: Run }
  | { readonly kind: 'parked'; readonly waitingFor: string; readonly run: Run }
  | { readonly kind: 'held'; readonly by: Holder };
