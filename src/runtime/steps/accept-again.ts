// Repeats a run's acceptance for a reader: facts go into the given copy of the run, never into a journal.
import { apply } from '#kernel/fold/apply.ts';
import { present } from '#base/assert.ts';
import { acceptanceStep } from '#kernel/decide/decide-ending.ts';
import type { Fact } from '#kernel/events/events.ts';
import type { Gap } from '#kernel/proof/proof.ts';
import { gapsInAcceptance } from '#kernel/proof/proof.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { CheckDeps } from '#ports/world.ts';
import { performCheck } from './perform-check.ts';

export interface AcceptAgainOptions {
  readonly signal: AbortSignal;
  readonly onFacts?: (facts: readonly Fact[]) => void;
}

/** Contract: `run` is the caller's own copy and is changed; null if it was cancelled. */
export async function acceptAgain(
  run: Run,
  checkDeps: CheckDeps,
  { signal, onFacts }: AcceptAgainOptions,
): Promise<(Gap & { readonly taskId: string })[] | null> {
  const step = acceptanceStep(run, present(run.tip, 'what is accepted has a tip').tree);
  const record = (facts: readonly Fact[]): void => {
    for (const fact of facts) apply(run, { at: run.now, ...fact });
    onFacts?.(facts);
  };
  record([{ type: 'step-started', step }]);
  const performance = performCheck(step, run, checkDeps, record);
  const cancel = (): void => performance.steer({ stepId: step.stepId, kind: 'kill', reason: 'cancelled' });
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    record(await performance.ended);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
  return run.acceptance?.stepId === step.stepId ? gapsInAcceptance(run) : null;
}
