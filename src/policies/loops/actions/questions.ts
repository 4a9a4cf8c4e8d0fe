// Turns the result of a turn into a question to a person. An agent's wish to pause or stop never ends a run.
import type { Fact } from '#kernel/events/events.ts';
import type { ActionReport } from '#kernel/actions/action.ts';
import { choiceNumber } from '#kernel/actions/action-loop.ts';
import { withoutFullStop } from '#base/without-full-stop.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { actionsOf, troublesMax } from './settings.ts';

/** Whether the menu follows this turn: only in interactive mode, once the loop is initialised. */
export function hasMenu(run: Run, { actions }: TaskState, status: ActionReport['status']): boolean {
  const isInit = actions.turn?.action === 'INIT' && status === 'success';
  return actionsOf(run).mode === 'interactive' && (actions.isInitialised || isInit);
}

/** Null if nothing is asked, or if a menu follows and asks instead. */
export function questionOf(run: Run, task: TaskState, report: ActionReport): Fact | null {
  if (hasMenu(run, task, report.status)) return null;
  const question = questionText(report);
  return question === null ? null : asked(task, question);
}

function questionText({ status, message, next, menuOptions }: ActionReport): string | null {
  const text = [message, menuOptions].filter((part) => part.trim() !== '').join('\n');
  if (next === 'PAUSED' || next === 'STOPPED') {
    const wish = next === 'PAUSED' ? 'pause' : 'stop';
    return `The agent asks to ${wish}: ${withoutFullStop(text === '' ? 'it gave no reason' : text)}. Answer to continue, or use \`untildone stop\`.`;
  }
  if (status === 'needs_input' || next === 'WAITING_INPUT' || next === 'MENU')
    return text === '' ? 'The agent waits for input and did not say for which.' : text;
  return null;
}

export function troubleQuestion(task: TaskState, last: string): Fact {
  return asked(
    task,
    `${troublesMax} times in a row the agent made no progress. The last time: ${withoutFullStop(last)}. How should it continue?`,
  );
}

function asked(task: TaskState, question: string): Fact {
  const questionId = `q-turn-${choiceNumber(task.actions)}`;
  return { type: 'question-asked', taskId: task.spec.id, questionId, question };
}
