// A usage limit ends at a time that its provider named: the wall clock says when that is, not the run's own time.
import type { Run } from '#kernel/fold/run.ts';
import type { Setback } from './setback.ts';

/** Everything that waited for a limit until `due` or earlier may start again. */
export function reachLimits(run: Run, due: number): void {
  for (const task of run.tasks.values()) {
    task.provider.setback = reached(task.provider.setback, due);
    for (const review of task.inspection.reviews.values()) review.setback = reached(review.setback, due);
  }
  run.plan.setback = reached(run.plan.setback, due);
  if (run.limitedUntil !== null && run.limitedUntil <= due) run.limitedUntil = null;
}

function reached(setback: Setback | null, due: number): Setback | null {
  if (setback?.until === null || setback?.until === undefined || setback.until > due) return setback;
  return { ...setback, isReached: true };
}
