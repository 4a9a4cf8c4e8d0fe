// VALIDATE and COMPLETE run in this program: checks on the files as they are, then reviewers, then proof.
import { isCheckedAtAttempt } from '#kernel/model/criterion.ts';
import type { Fact } from '#kernel/events/events.ts';
import type { Move } from '#kernel/decide/policy.ts';
import { present } from '#base/assert.ts';
import { gapsInProof } from '#kernel/proof/proof.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { conclude, personNext, startCheck } from '#policies/loops/moves.ts';
import { reviewNext } from '#policies/loops/review.ts';
import { isCompleting } from '#kernel/actions/settle-choice.ts';
import { withoutFullStop } from '#base/without-full-stop.ts';
import type { ActionStatus } from '#kernel/actions/action.ts';
import { couldBeProven } from '#kernel/proof/proof-kind.ts';
import { isUntouched } from './next-action.ts';
import { isDecidedByOthers } from '#policies/loops/open-criteria.ts';

export function validate(run: Run, task: TaskState): Move {
  const tree = treeOf(run, task);
  const due = checksDue(task, tree);
  if (due !== null) return due;
  const gaps = ourGaps(run, task, tree);
  const status = gaps.length === 0 ? 'success' : 'failed';
  return conclude([done(task, { action: 'VALIDATE', status, tree, message: inWords(task, gaps) })]);
}

/** Accepts only work without gaps in its proof; the gaps open the next turn's prompt. */
export function complete(run: Run, task: TaskState): Move {
  const tree = treeOf(run, task);
  const refuse = (message: string): Fact =>
    done(task, { action: 'COMPLETE', status: 'failed', tree, message });
  if (isOutdated(run, task)) return conclude([refuse(outdated(task))]);
  // A person may have rejected it since it was accepted.
  if (isCompleting(task) && gapsInProof(run, task, tree).length === 0) return { kind: 'prove', tree };
  const due = checksDue(task, tree);
  if (due !== null) return due;
  const gaps = [
    ...ourGaps(run, task, tree),
    ...(isUntouched(run, task) ? ['the agent changed nothing'] : []),
  ];
  if (gaps.length > 0) return conclude([refuse(gaps.join('; '))]);
  const others = reviewNext(run, task, tree) ?? personNext(run, task, tree);
  if (others !== null) return withRefusal(others, refuse);
  const [left] = gapsInProof(run, task, tree);
  if (left !== undefined) return conclude([refuse(left.why)]);
  const isShown = couldBeProven(run, task);
  const status = isShown ? 'success' : 'needs_input';
  return conclude([
    done(task, { action: 'COMPLETE', status, tree, message: isShown ? passes : nothingShown }),
  ]);
}

const passes = 'Every required criterion passes on these files.';
const nothingShown =
  'Every required criterion passes, but nothing shows that the goal was reached: no check failed before the work. The run ends as unverified, and your approval completes it.';

/** The branch moved since the last turn: another task landed, or these files did and were then refused. */
function isOutdated({ tip }: Run, { base }: TaskState): boolean {
  return base !== null && base.commit !== tip?.commit;
}

function outdated({ failures }: TaskState): string {
  const why = withoutFullStop(failures.last?.reason ?? 'the branch has moved since the last turn');
  return why.endsWith(turnFirst) ? why : `${why}; ${turnFirst}`;
}

const turnFirst = 'a turn of the agent has to come first';

/** If a reviewer fails the work, COMPLETE is refused. */
function withRefusal(move: Move, refuse: (message: string) => Fact): Move {
  if (move.kind !== 'conclude') return move;
  const failed = move.facts.find((fact) => fact.type === 'attempt-failed');
  return failed === undefined ? move : conclude([...move.facts, refuse(failed.reason)]);
}

function treeOf(run: Run, task: TaskState): string {
  return task.workTree ?? present(run.tip, 'a prepared run has a tip').tree;
}

/** Starts the checks that did not run on these files yet. */
function checksDue(task: TaskState, tree: string): Move | null {
  const ours = task.spec.criteria.filter(isCheckedAtAttempt);
  const hasRun = ours.every(({ id }) => task.evidence.get(id)?.attempt?.tree === tree);
  if (task.inspection.checked?.tree === tree && hasRun) return null;
  return startCheck(task, tree, ours);
}

/** The gaps that our own checks find; reviewers and people come later. */
function ourGaps(run: Run, task: TaskState, tree: string): string[] {
  return gapsInProof(run, task, tree)
    .filter((gap) => gap.awaits === undefined && !isDecidedByOthers(task, gap.criterionId))
    .map((gap) => (gap.criterionId === null ? gap.why : `${gap.criterionId}: ${gap.why}`));
}

function inWords(task: TaskState, gaps: readonly string[]): string {
  if (gaps.length > 0) return gaps.join('; ');
  const count = task.spec.criteria.filter(isCheckedAtAttempt).length;
  if (count === 0) return 'There is no check to run; reviewers or a person decide at COMPLETE.';
  return count === 1 ? 'The check passes.' : `All ${count} checks pass.`;
}

interface Done {
  readonly action: 'VALIDATE' | 'COMPLETE';
  readonly status: ActionStatus;
  readonly tree: string;
  readonly message: string;
}

function done(task: TaskState, { action, status, tree, message }: Done): Fact {
  const { iteration, state } = task.actions;
  const stepId = '';
  const { id: taskId } = task.spec;
  return {
    type: 'action-taken',
    taskId,
    stepId,
    iteration,
    action,
    status,
    message,
    next: 'NONE',
    state,
    tree,
  };
}
