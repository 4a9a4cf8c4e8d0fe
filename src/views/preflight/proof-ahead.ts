// Before the first session: shows what each check says on the base, and whether any could prove the work.
import { type Criterion, type Evidence, isByMachine, isExit } from '#kernel/model/criterion.ts';
import { isGoalMet } from '#kernel/proof/goals.ts';
import { isRequired, reviewersOf } from '#kernel/proof/proof.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { PreflightItem } from './preflight.ts';

/** Further checks are only counted. */
const itemsMax = 20;

/**
 * The checks that ran on the base, one item each; none once work on a task began.
 * `isGoal`: the checks of the goal, before there is a plan. The checks of its tasks may still prove the work.
 */
export function preflightOfBase(run: Run, isGoal = false): PreflightItem[] {
  const tasks = [...run.tasks.values()];
  if (tasks.some(({ attempt }) => attempt > 0)) return [];
  const checked = tasks.filter((task) => task.start.checked.attempt);
  const all = checked.flatMap((task) =>
    task.spec.criteria.flatMap((criterion) => {
      const evidence = task.evidence.get(criterion.id)?.base;
      if (!isExit(criterion) || evidence === undefined) return [];
      const id = run.tasks.size > 1 ? `${task.spec.id}/${criterion.id}` : criterion.id;
      return [{ about: `check ${id}`, ...stateOnBase(run, { task, criterion, isGoal }, evidence) }];
    }),
  );
  const shown: PreflightItem[] = all.slice(0, itemsMax);
  if (all.length > itemsMax)
    shown.push({ mark: 'ok', about: 'checks', text: `and ${all.length - itemsMax} more` });
  const ahead = isGoal ? null : noProofAhead(run);
  return ahead === null ? shown : [...shown, aheadItem(ahead)];
}

export function aheadItem([text, hint]: readonly [string, string]): PreflightItem {
  return { mark: 'warning', about: 'proof', text, hint };
}

interface OnBase {
  readonly task: TaskState;
  readonly criterion: Criterion;
  readonly isGoal: boolean;
}

function stateOnBase(
  run: Run,
  { task, criterion, isGoal }: OnBase,
  { verdict, reason, failing, cause, flaky, ending }: Evidence,
): Pick<PreflightItem, 'mark' | 'text'> {
  const isNeeded = isRequired(run, task, criterion);
  if (flaky !== undefined) return { mark: 'warning', text: `passes and fails before the work (${reason})` };
  if (verdict === 'pass')
    return isGoal || couldBeProven(run, task)
      ? { mark: 'ok', text: 'passes before the work and must keep passing' }
      : { mark: 'warning', text: 'passes before the work, so it cannot prove it' };
  if (cause !== undefined && cause.kind !== 'suspicious' && isNeeded)
    return { mark: 'refused', text: `cannot pass here: ${cause.text}` };
  if (cause !== undefined)
    return { mark: 'warning', text: `fails before the work; this looks like a broken setup: ${cause.text}` };
  if (verdict === 'unknown') return { mark: 'warning', text: `is undecided before the work: ${reason}` };
  // The work may make it pass, or it may never end in time.
  if (ending?.kind === 'timed-out')
    return { mark: 'warning', text: `does not end in time before the work (${reason})` };
  const tests =
    failing === undefined ? reason : failing === 1 ? '1 failing test' : `${failing} failing tests`;
  const open = isNeeded ? '' : '; it need not pass';
  return { mark: 'ok', text: `fails before the work (${tests})${open}` };
}

/**
 * Two lines about the first task whose checks all pass before its work. Null if a check or a person will
 * decide, if its review is accepted or the run approved, and until every check has run on the base.
 */
export function noProofAhead(
  run: Run,
  isAbout: (task: TaskState) => boolean = () => true,
): readonly [string, string] | null {
  if (run.approval !== null) return null;
  const isAccepted = run.config.acceptReview !== false;
  const task = [...run.tasks.values()].find(
    (one) =>
      isAbout(one) &&
      one.start.checked.attempt &&
      !isGoalMet(run, one) &&
      !couldBeProven(run, one) &&
      !(isAccepted && isReviewed(one)),
  );
  if (task === undefined) return null;
  const what = run.tasks.size > 1 ? `Task ${task.spec.id}: no` : 'No';
  if (!isReviewed(task))
    return [
      `${what} check fails before the work, so no check can prove it, and there is no reviewer. The run ends as "unverified" (exit 7).`,
      'To prove it: add a check that fails today (--check), or approve the result (untildone approve).',
    ];
  return [
    `${what} check fails before the work, so no check can prove it. With a reviewer's pass alone the run ends as "reviewed, not proven" (exit 7).`,
    'To prove it: add a check that fails today (--check), ask for tests, approve the result (untildone approve), or accept the review (--accept-review).',
  ];
}

function isReviewed(task: TaskState): boolean {
  return reviewersOf(task).length > 0;
}

function couldBeProven(run: Run, task: TaskState): boolean {
  return task.spec.criteria.some((criterion) => {
    if (!isExit(criterion) || !isRequired(run, task, criterion)) return false;
    if (!isByMachine(criterion)) return criterion.check.kind === 'human';
    const base = task.evidence.get(criterion.id)?.base;
    return base === undefined || (base.verdict !== 'pass' && base.flaky === undefined);
  });
}
