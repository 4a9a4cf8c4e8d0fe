// What is still open at the end, for the person who goes on from here.
import type { Run, TaskState } from '#kernel/run.ts';
import type { CriterionView } from './criteria.ts';
import { criteriaOf } from './criteria.ts';
import { count, shortened } from './words.ts';

/** Of tasks that nobody has begun, so many are named. */
const waitingMax = 10;

/** Null when nothing is open. */
export function openReport(run: Run): string | null {
  const open = [...run.tasks.values()].filter(({ status }) => status !== 'landed' && status !== 'dropped');
  if (open.length === 0) return null;
  const criteria = Map.groupBy(criteriaOf(run), ({ taskId }) => taskId);
  const begun = open.filter(isBegun);
  const waiting = open.filter((task) => !isBegun(task));
  const more = waiting.length - waitingMax;
  return [
    'Still open:',
    ...[...begun, ...waiting.slice(0, waitingMax)].map((task) =>
      taskReport(task, criteria.get(task.spec.id) ?? []),
    ),
    ...(more > 0 ? [`  … and ${count(more, 'task')} that nobody has begun`] : []),
  ].join('\n');
}

function isBegun({ attempt, failure, question, report }: TaskState): boolean {
  return attempt > 0 || failure !== null || question !== null || report !== null;
}

function taskReport(task: TaskState, criteria: readonly CriterionView[]): string {
  const lines = [
    `  ${task.spec.id}: ${shortened(task.spec.title, 80)} (${task.status}, ${count(task.attempt, 'attempt')})`,
  ];
  const open = criteria.filter(({ required, state }) => required && state !== 'pass');
  for (const criterion of open) {
    const verdict = `${criterion.state}${criterion.place === 'clean' ? ' on a clean checkout' : ''}`;
    const why = criterion.reason === null ? verdict : `${verdict}: ${shortened(criterion.reason, 160)}`;
    lines.push(`    ${criterion.id}: ${why}${criterion.log === null ? '' : ` (log ${criterion.log})`}`);
  }
  // Nothing is said twice: most attempts fail by what is listed above.
  const listed = open
    .filter(({ state }) => state === 'fail')
    .map(({ id, reason }) => `${id}: ${reason ?? ''}`);
  if (task.failure !== null && task.failure.reason !== listed.join('; '))
    lines.push(`    Last attempt: ${shortened(task.failure.reason, 300)}`);
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
