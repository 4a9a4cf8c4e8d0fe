// The text above the menu: state of the loop, result of the last action, and the criteria.
import { iterationsMax } from '#kernel/actions/action-loop.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { hypothesesOf, tasksOf } from '#kernel/actions/action-state.ts';
import { criteriaLines } from '#views/status/status.ts';
import { shortened } from '#views/words.ts';
import { lastActionResult, loopTask } from './loop-state.ts';

export function choiceHead(run: Run, columns: number): string[] {
  const task = loopTask(run);
  if (task === null) return [];
  const { iteration, state } = task.actions;
  const done = tasksOf(state).filter(({ status }) => status === 'done').length;
  const tasks = tasksOf(state).length;
  const open = hypothesesOf(state).filter(({ status }) => status === 'open').length;
  const parts = [
    `iteration ${iteration} of ${iterationsMax(run, task)}`,
    ...(tasks === 0 ? [] : [`${done} of ${tasks} tasks done`]),
    ...(open === 0 ? [] : [`${open} open hypotheses`]),
  ];
  return [
    '',
    `${shortened(task.spec.title, 100)} (${parts.join(', ')})`,
    ...wrapped(lastActionResult(task), columns),
    ...offered(task),
    ...criteriaLines(run, task.spec.id),
    '',
  ];
}

/** Marked as the agent's own words, so that no reader takes them for checked facts. */
function offered({ actions }: TaskState): string[] {
  const text = actions.taken.at(-1)?.menuOptions ?? '';
  if (text === '') return [];
  return [
    'The agent offers:',
    ...text
      .split('\n')
      .slice(0, 12)
      .map((line) => `  | ${line}`),
  ];
}

/** Breaks at blanks, so that no word is cut. */
function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    let rest = line;
    while (rest.length >= columns) {
      const blank = rest.lastIndexOf(' ', columns - 1);
      const at = blank > 0 ? blank : columns - 1;
      lines.push(rest.slice(0, at));
      rest = rest.slice(at).trimStart();
    }
    lines.push(rest);
  }
  return lines;
}
