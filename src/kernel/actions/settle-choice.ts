// Settles a person's choice of the next action: one per turn, and only between turns.
import type { Control } from '#kernel/events/control.ts';
import type { Fact } from '#kernel/events/events.ts';
import type { Settlement } from '#kernel/events/settlement.ts';
import { choiceNumber } from './action-loop.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { isAttemptOver } from '#kernel/fold/work.ts';
import { questionOf } from '#kernel/model/task.ts';

export function settleChoice(
  run: Run,
  task: TaskState,
  by: string,
  { turn, action, text, data }: Control & { kind: 'choose' },
): Settlement {
  const refused = whyNotChosen(run, task, turn);
  if (refused !== null) return { refused };
  const { id: taskId } = task.spec;
  const words = {
    ...(text === undefined ? {} : { text }),
    ...(data === undefined ? {} : { data }),
  };
  const chosen: Fact = { type: 'action-chosen', taskId, turn, action, ...words, by };
  const question = questionOf(task);
  if (question === null) return { facts: [chosen] };
  // The choice also answers the agent's open question, so the agent need not ask again.
  const answer = text === undefined || text === '' ? `I chose ${action}.` : text;
  return { facts: [{ type: 'question-answered', taskId, questionId: question.id, text: answer }, chosen] };
}

/** In one sentence without its full stop; null if the choice is possible. */
export function whyNotChosen(run: Run, task: TaskState, turn: number): string | null {
  const { actions, spec, status } = task;
  if (run.config.policy.actions === undefined)
    return `the preset ${run.config.preset} has no actions to choose from`;
  if (['landed', 'failed', 'skipped', 'dropped', 'proven'].includes(status.is))
    return `task ${spec.id} is ${status.is} already`;
  if (actions.chosen !== null) return `${actions.chosen.by} chose ${actions.chosen.action} already`;
  if (!isBetweenTurns(task) || isAtWork(run, task))
    return `the agent is at work on ${actions.turn?.action ?? 'this turn'}; pause it first, or wait`;
  if (!actions.isInitialised) return 'INIT comes first';
  const last = actions.taken.at(-1);
  if (turn !== choiceNumber(actions))
    return `that choice has expired: ${last?.action ?? 'another action'} was done since`;
  return null;
}

/** What a run is parked on while it waits for a choice. */
export const choiceWait = 'your choice of the next action';

/** Whether the task waits for a person's choice. */
export function isChoiceDue(run: Run, task: TaskState): boolean {
  const { actions, status } = task;
  if (run.config.policy.actions?.mode !== 'interactive' || run.outcome !== null) return false;
  // Ready: a person asked for a retry, or the acceptance refused the work.
  const isBetween =
    (status.is === 'active' || status.is === 'ready') && isBetweenTurns(task) && !isAtWork(run, task);
  return isBetween && actions.isInitialised && actions.chosen === null && !isCompleting(task);
}

/** Slow checks of the base run beside the first turns; a choice does not wait for them. */
function isAtWork({ running }: Run, { spec }: TaskState): boolean {
  return [...running.values()].some(
    ({ taskId, deed }) => taskId === spec.id && !(deed.kind === 'check' && deed.purpose === 'base'),
  );
}

/** A person's verdict can reopen an ended attempt without a turn of the agent. */
export function isBetweenTurns(task: TaskState): boolean {
  return isAttemptOver(task) || task.actions.turn === null;
}

/** COMPLETE was accepted, but the commit has not started. */
export function isCompleting({ actions, workTree }: TaskState): boolean {
  const last = actions.taken.at(-1);
  const isAccepted = last?.action === 'COMPLETE' && last.status !== 'failed' && last.tree === workTree;
  return isAccepted && actions.validated?.isGreen === true;
}
