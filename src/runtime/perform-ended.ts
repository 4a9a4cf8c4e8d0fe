// How a step ends in the journal.
import type { Fact } from '#kernel/events.ts';
import type { Step, StepResult } from '#kernel/step.ts';
import { OperatorError } from '#ports/operator-error.ts';

export function ended(step: Step, result: StepResult): readonly Fact[] {
  return [{ type: 'step-ended', stepId: step.stepId, result }];
}

/** What the operator or the machine got wrong parks the run with a sentence; anything else is our bug. */
export function refused(step: Step, error: unknown): readonly Fact[] {
  if (!(error instanceof OperatorError)) throw error;
  return ended(step, { kind: 'refused', reason: error.message, hint: error.hint });
}
