// A step that is being performed.
import type { Fact } from '#kernel/events/events.ts';
import type { Operation, Steer, Step } from '#kernel/model/step.ts';

export type StepOf<D extends Operation> = Step & { readonly deed: D };

export type Emit = (facts: readonly Fact[]) => void;

export interface Performance {
  /**
   * The facts that end the step. Rejects for a bug of ours, and as unsettled if a session ended but that
   * cannot be recorded: the driver then parks the run, and the next one adopts the session's results.
   */
  readonly ended: Promise<readonly Fact[]>;
  steer(steer: Steer): void;
  /** When the driver leaves, an attached session continues; absent if the driver must kill instead. */
  leave?(): void;
}

/** Work that a kill cancels. */
export function cancellable(work: (signal: AbortSignal) => Promise<readonly Fact[]>): Performance {
  const cancel = new AbortController();
  return {
    ended: work(cancel.signal),
    steer(steer) {
      if (steer.kind === 'kill') cancel.abort(steer.reason);
    },
  };
}
