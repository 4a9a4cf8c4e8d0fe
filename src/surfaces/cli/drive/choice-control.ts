// Makes the control that `choose` and the menu send to a run.
import { type ActionName, actionNames } from '#kernel/actions/action.ts';
import { choiceNumber } from '#kernel/actions/action-loop.ts';
import { whyNotChosen } from '#kernel/actions/settle-choice.ts';
import type { Control } from '#kernel/events/control.ts';
import type { Run } from '#kernel/fold/run.ts';
import { OperatorError } from '#base/operator-error.ts';
import { loopTask } from '#views/actions/loop-state.ts';
import { choices } from '#views/questions/attention-items.ts';
import { isAttemptOver } from '#kernel/fold/work.ts';

/** Contract: throws, with the next command, if the run takes no choice now. */
export function choiceControl(
  run: Run,
  action: ActionName,
  {
    words,
    isDriven,
  }: {
    readonly words: { readonly text?: string; readonly data?: unknown };
    readonly isDriven: boolean;
  },
): Control {
  const task = loopTask(run);
  const hint = `See its state: untildone status ${run.id}`;
  if (task === null)
    throw new OperatorError(
      'wrong-state',
      `The run ${run.id} has the preset ${run.config.preset}, which has no actions to choose from.`,
      hint,
    );
  const turn = choiceNumber(task.actions);
  const why = whyNotChosen(run, task, turn);
  // After its driver left, an open turn has no agent at work.
  const isLeft = !isDriven && (!isAttemptOver(task) || task.runningSteps > 0 || !task.actions.isInitialised);
  if (why !== null && isLeft)
    throw new OperatorError(
      'wrong-state',
      `The turn ${task.actions.turn?.action ?? 'INIT'} is not finished, and the run has no driver.`,
      `Continue with: untildone resume ${run.id}`,
    );
  if (why !== null)
    throw new OperatorError('wrong-state', `${sentence(why, task.actions.chosen?.by)}.`, hint);
  return { kind: 'choose', taskId: task.spec.id, turn, action, ...words };
}

/** A name keeps its capitals. */
function sentence(why: string, name: string | undefined): string {
  return name !== undefined && why.startsWith(name) ? why : `${why[0]?.toUpperCase() ?? ''}${why.slice(1)}`;
}

export function actionOf(name: string): ActionName {
  const found = actionNames.find((one) => one === name.toUpperCase());
  if (found !== undefined && found !== 'INIT') return found;
  throw new OperatorError(
    'bad-flag',
    `There is no action "${name}" to choose.`,
    `The actions are ${choices.map((one) => one.name).join(', ')}.`,
  );
}
