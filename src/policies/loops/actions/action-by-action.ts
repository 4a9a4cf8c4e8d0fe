// The action loop: one conversation with the agent, one action per turn, our checks in between.
import { present } from '#base/assert.ts';
import type { ActionName } from '#kernel/actions/action.ts';
import type { Move, Policy } from '#kernel/decide/policy.ts';
import { gapsInProof } from '#kernel/proof/proof.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { askInstead, exhaust } from '#policies/loops/moves.ts';
import { choiceWait, isBetweenTurns, isChoiceDue, isCompleting } from '#kernel/actions/settle-choice.ts';
import { withoutFullStop } from '#base/without-full-stop.ts';
import { isUntouched, legalActions, nextAction } from './next-action.ts';
import { complete, validate } from './our-actions.ts';
import { afterTurn, startTurn } from './turn.ts';
import { buildOf } from '#kernel/fold/work.ts';

export const actionByAction: Policy = {
  name: 'action-by-action',
  nextMove(run, task) {
    if (isBetweenTurns(task)) return between(run, task);
    const { action, way } = present(task.actions.turn, 'an attempt is a turn of the agent');
    const build = buildOf(task);
    if (build === null) return startTurn(run, task, { action, way, attempt: task.attempt });
    return afterTurn(run, task, build);
  },
};

function between(run: Run, task: TaskState): Move {
  const { actions } = task;
  if (isCompleting(task)) return complete(run, task);
  const asked = askInstead(run, task);
  if (asked !== null) return asked;
  if (actions.chosen !== null) return begin(run, task, actions.chosen.action);
  if (isChoiceDue(run, task)) return { kind: 'park', why: choiceWait };
  return begin(run, task, nextAction(run, task));
}

function begin(run: Run, task: TaskState, action: ActionName): Move {
  if (action === 'VALIDATE') return validate(run, task);
  if (action === 'COMPLETE') return complete(run, task);
  const { iteration, forgiven, chosen } = task.actions;
  const { attemptsPerTask } = run.budget;
  if (iteration - forgiven >= attemptsPerTask) {
    // Checks cost nothing, so the final report describes the files as they are.
    if (chosen === null && legalActions(run, task).includes('VALIDATE')) return validate(run, task);
    return exhaust(run, task, iterationsUsed(attemptsPerTask), { last: remaining(run, task) });
  }
  return startTurn(run, task, { action, way: 'asked', attempt: task.attempt + 1 });
}

function iterationsUsed(limit: number): string {
  return `Reached maximum iterations (${limit}). Consider breaking down the task or taking a break.`;
}

/** Why the work cannot be proven as it is, for the reason of the outcome. */
function remaining(run: Run, task: TaskState): string {
  const { workTree: tree } = task;
  if (tree === null) return ' Remaining: everything.';
  const gaps = gapsInProof(run, task, tree).map(({ criterionId, why }) =>
    criterionId === null ? why : `${criterionId}: ${why}`,
  );
  // A failure on the clean checkout only is not a gap of these files.
  const left =
    gaps.length === 0 && task.failures.last !== null ? [withoutFullStop(task.failures.last.reason)] : gaps;
  const idle = isUntouched(run, task) ? ['the agent changed nothing'] : left;
  return idle.length === 0 ? '' : ` Remaining: ${idle.join('; ')}.`;
}
