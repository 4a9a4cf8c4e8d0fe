import type { Run } from '#kernel/run.ts';
import { OperatorError } from '#ports/operator-error.ts';

export function refuseFinished(run: Run): void {
  if (run.outcome === null) return;
  throw new OperatorError(
    'run-is-over',
    `The run ${run.id} is over (${run.outcome.outcome}).`,
    'Start a new one with `untildone run`; `untildone show` tells what became of this one.',
  );
}
