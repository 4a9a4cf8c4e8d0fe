// Controls on their way to a run. Each is taken exactly once, whichever process dies in between.
import type { ControlRequest } from '#kernel/events/control.ts';

export interface Inbox {
  /** Contract: durable when it resolves. A person-only control that arrives this way gets a `doubt`. */
  drop(request: ControlRequest): Promise<void>;
  /**
   * Returns the waiting controls, oldest first, with those that an earlier driver took but did not settle.
   * Contract: a person-only control without a `doubt` came from outside every run, as far as we can see.
   */
  take(): Promise<readonly Arrival[]>;
  /** Called once the journal has the control, which may then be forgotten. */
  settle(id: string): Promise<void>;
  /** Calls back when something may have arrived. Returns a function that stops watching. */
  watch(onArrival: () => void): () => void;
}

export interface Arrival extends ControlRequest {
  /** Why it is unclear that a person sent it. The control is recorded and refused, under a new id. */
  readonly doubt?: { readonly reason: string; readonly claimedId: string };
}
