// What is still open at the end, for the person who goes on from here.
import type { Run, TaskState } from '#kernel/run.ts';
import { criteriaOf } from './criteria.ts';
import { count, shortened } from './words.ts';

/** Null when nothing is open. */
export function openReport(run: Run): string | null {
  const parts = [...run.tasks.values()].flatMap((task) =>
    task.status === 'landed' ? [] : [taskReport(run, task)],
  );
  if (parts.length === 0) return null;
  return ['Still open:', ...parts].join('\n');
}

function taskReport(run: Run, task: TaskState): string {
  const lines = [
    `  ${task.spec.id}: ${shortened(task.spec.title, 80)} (${task.status}, ${count(task.attempt, 'attempt')})`,
  ];
  for (const criterion of criteriaOf(run)) {
    if (criterion.taskId !== task.spec.id || !criterion.required || criterion.state === 'pass') continue;
    const verdict = `${criterion.state}${criterion.place === 'clean' ? ' on a clean checkout' : ''}`;
    const why = criterion.reason === null ? verdict : `${verdict}: ${shortened(criterion.reason, 160)}`;
    lines.push(`    ${criterion.id}: ${why}${criterion.log === null ? '' : ` (log ${criterion.log})`}`);
  }
  if (task.failure !== null) lines.push(`    Last attempt: ${shortened(task.failure.reason, 300)}`);
  if (task.question !== null) lines.push(`    Question: ${task.question.text}`);
  if (task.report !== null) lines.push('    The newest report of the reviewer:', indented(task.report));
  return lines.join('\n');
}

function indented(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n');
}
