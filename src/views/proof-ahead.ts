// Before the first session: whether any check could prove the work, and what could instead.
import { isMachineCheck } from '#kernel/check.ts';
import { isRequired, reviewersOf } from '#kernel/proof.ts';
import type { Run, TaskState } from '#kernel/run.ts';

/**
 * Two lines about the first task whose checks all pass before its work; null where a check or a person will decide, where the
 * review of its reviewers is accepted or the run approved, and as long as a check has not run on the base.
 */
export function noProofAhead(
  run: Run,
  isAbout: (task: TaskState) => boolean = () => true,
): readonly [string, string] | null {
  if (run.approval !== null) return null;
  const isAccepted = run.config.acceptReview !== false;
  const task = [...run.tasks.values()].find(
    (one) =>
      isAbout(one) && one.baseChecked.attempt && !couldBeProven(run, one) && !(isAccepted && isReviewed(one)),
  );
  if (task === undefined) return null;
  const what = run.tasks.size > 1 ? `Task ${task.spec.id}: no` : 'No';
  if (!isReviewed(task))
    return [
      `${what} check fails before the work, so no check can prove it, and no reviewer looks at it. The run ends as "unverified" (exit 7).`,
      'Proof would be: a check that fails today (--check), or your approval at the end (untildone approve).',
    ];
  return [
    `${what} check fails before the work, so no check can prove it. With a reviewer's pass alone the run ends as "reviewed, not proven" (exit 7).`,
    'Proof would be: a check that fails today (--check), tests that the work adds and a reviewer passes, your approval at the end (untildone approve), or a review that you accept (--accept-review).',
  ];
}

function isReviewed(task: TaskState): boolean {
  return reviewersOf(task).length > 0;
}

function couldBeProven(run: Run, task: TaskState): boolean {
  return task.spec.criteria.some((criterion) => {
    if (criterion.kind !== 'exit' || !isRequired(run, task, criterion)) return false;
    if (!isMachineCheck(criterion.check)) return criterion.check.kind === 'human';
    const base = task.evidence.get(criterion.id)?.base;
    return base === undefined || (base.verdict !== 'pass' && base.flaky === undefined);
  });
}
