// A step that is being performed.
import type { Fact } from '#kernel/events/events.ts';
import type { Deed, Steer, Step } from '#kernel/model/step.ts';

export type StepOf<D extends Deed> = Step & { readonly deed: D };

export type Emit = (facts: readonly Fact[]) => void;

export interface Performance {
  /**
   * The facts that end the step. Rejects for a bug of ours, and as unsettled where a session has ended and that cannot
   * be recorded: then the driver parks the run, and the next one adopts what the session left.
   */
  readonly ended: Promise<readonly Fact[]>;
  steer(steer: Steer): void;
  /** For a driver that goes: what is not ours goes on; absent where a kill is the way to leave. */
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
