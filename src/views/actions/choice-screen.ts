// What stands above the menu: where the loop is, what the last action gave, and the criteria.
import type { Run } from '#kernel/run.ts';
import { hypothesesOf, tasksOf } from '#kernel/model/action-state.ts';
import { criteriaLines } from '#views/status.ts';
import { shortened } from '#views/words.ts';
import { loopTask } from './loop-state.ts';

export function choiceHead(run: Run): string[] {
  const task = loopTask(run);
  if (task === null) return [];
  const { iteration, state, taken } = task.actions;
  const last = taken.at(-1);
  const done = tasksOf(state).filter(({ status }) => status === 'done').length;
  const tasks = tasksOf(state).length;
  const open = hypothesesOf(state).filter(({ status }) => status === 'open').length;
  const parts = [
    `iteration ${iteration} of ${run.budget.attemptsPerTask}`,
    ...(tasks === 0 ? [] : [`${done} of ${tasks} tasks done`]),
    ...(open === 0 ? [] : [`${open} open hypotheses`]),
  ];
  return [
    '',
    `${shortened(task.spec.title, 100)} (${parts.join(', ')})`,
    ...(last === undefined
      ? []
      : [`${last.action}: ${last.status}${last.message === '' ? '' : `. ${shortened(last.message, 300)}`}`]),
    ...(last === undefined || last.menuOptions === '' ? [] : last.menuOptions.split('\n').slice(0, 12)),
    ...criteriaLines(run, task.spec.id),
    '',
  ];
}
