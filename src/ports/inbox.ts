// Controls on their way to a run: each is taken exactly once, whatever dies in between.
import type { ControlRequest } from '#kernel/events/control.ts';

export interface Inbox {
  /** Contract: durable when it resolves. For what decides nothing: a decision that comes this way is doubted. */
  drop(request: ControlRequest): Promise<void>;
  /**
   * Moves what is there aside and returns it, oldest first, with what an earlier driver had taken but not settled.
   * Contract: a decision without a doubt came from a process that no run has started, as far as the system tells.
   */
  take(): Promise<readonly Arrival[]>;
  /** Called once the journal has the control: now it may be forgotten. */
  settle(id: string): Promise<void>;
  /** Calls back when something may have arrived. Returns how to stop watching. */
  watch(onArrival: () => void): () => void;
}

export interface Arrival extends ControlRequest {
  /** Why nobody can say that a person asked for it; it is written down and refused, under an id of its own. */
  readonly doubt?: { readonly reason: string; readonly claimedId: string };
}
