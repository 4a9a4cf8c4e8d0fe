// Before the first session: whether any check could prove the work, and what could instead.
import { isMachineCheck } from '#kernel/check.ts';
import { isRequired } from '#kernel/proof.ts';
import type { Run, TaskState } from '#kernel/run.ts';

/**
 * Two lines about the first task whose checks all pass before its work; null where a check or a person will decide, where a
 * review is accepted or the run approved, and as long as a check has not run on the base.
 */
export function noProofAhead(
  run: Run,
  isAbout: (task: TaskState) => boolean = () => true,
): readonly [string, string] | null {
  if (run.config.acceptReview !== false || run.approval !== null) return null;
  const task = [...run.tasks.values()].find(
    (one) => isAbout(one) && one.baseChecked.attempt && !couldBeProven(run, one),
  );
  if (task === undefined) return null;
  const what = run.tasks.size > 1 ? `Task ${task.spec.id}: no` : 'No';
  return [
    `${what} check fails before the work, so no check can prove it. With a reviewer's pass alone the run ends as "reviewed, not proven" (exit 7).`,
    'Proof would be: a check that fails today (--check), tests that the work adds and a reviewer passes, your approval at the end (untildone approve), or a review that you accept (--accept-review).',
  ];
}

function couldBeProven(run: Run, task: TaskState): boolean {
  return task.spec.criteria.some((criterion) => {
    if (criterion.kind !== 'exit' || !isRequired(run, task, criterion)) return false;
    if (!isMachineCheck(criterion.check)) return criterion.check.kind === 'human';
    const base = task.evidence.get(criterion.id)?.base;
    return base === undefined || (base.verdict !== 'pass' && base.flaky === undefined);
  });
}
