// Controls on their way to a run: each is taken exactly once, whatever dies in between.
import type { ControlRequest } from '#kernel/control.ts';

export interface Inbox {
  /** Contract: durable when it resolves. */
  drop(request: ControlRequest): Promise<void>;
  /** Moves what is there aside and returns it, oldest first, with what an earlier driver had taken but not settled. */
  take(): Promise<readonly ControlRequest[]>;
  /** Called once the journal has the control: now it may be forgotten. */
  settle(id: string): Promise<void>;
  /** Calls back when something may have arrived. Returns how to stop watching. */
  watch(onArrival: () => void): () => void;
}
