// Lists what is still open at the end, for the person who continues.
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { CriterionView } from '#views/status/criteria.ts';
import { criteriaOf } from '#views/status/criteria.ts';
import { count, shortened } from '#views/words.ts';
import { questionOf } from '#kernel/model/task.ts';

/** Of tasks not started, this many are named. */
const waitingMax = 10;

/** Null if everything open is listed already. `said`: the headline, which is not repeated. */
export function openReport(run: Run, shownText = ''): string | null {
  const open = [...run.tasks.values()].filter(
    ({ status }) => status.is !== 'landed' && status.is !== 'dropped',
  );
  const criteria = Map.groupBy(criteriaOf(run), ({ taskId }) => taskId);
  const begun = open.filter(isBegun).flatMap((task) => {
    const details = detailsOf(task, criteria.get(task.spec.id) ?? [], shownText);
    // The only task of a run is its goal.
    return run.tasks.size === 1 && details.length === 0 ? [] : [nameOf(task), ...details];
  });
  const waiting = open.filter((task) => !isBegun(task));
  const more = waiting.length - waitingMax;
  const lines = [
    ...begun,
    ...waiting.slice(0, waitingMax).map(nameOf),
    ...(more > 0 ? [`  … and ${count(more, 'task')} not started`] : []),
  ];
  return lines.length === 0 ? null : ['Still open:', ...lines].join('\n');
}

function isBegun({ attempt, failures, status, reviewers }: TaskState): boolean {
  return attempt > 0 || failures.last !== null || status.is === 'needs-input' || reviewers.report !== null;
}

function nameOf(task: TaskState): string {
  return `  ${task.spec.id}: ${shortened(task.spec.title, 80)} (${task.status.is}, ${count(task.attempt, 'attempt')})`;
}

/** Most attempts fail for a reason that the list of criteria shows. */
export function isListed(reason: string, criteria: readonly CriterionView[]): boolean {
  const listed = criteria
    .filter(({ required, state }) => required && state === 'fail')
    .map((one) => `${one.id}: ${one.reason ?? ''}`);
  return reason.replace(/^on a clean checkout: /, '') === listed.join('; ');
}

/** Reasons that neither the headline nor the list of criteria shows. */
function detailsOf(task: TaskState, criteria: readonly CriterionView[], shownText: string): string[] {
  const { reviewers } = task;
  const { last: failure } = task.failures;
  const question = questionOf(task);
  const isShown =
    failure === null || shownText.includes(failure.reason) || isListed(failure.reason, criteria);
  return [
    ...(isShown ? [] : [`    Last attempt: ${shortened(failure.reason, 300)}`]),
    ...(question === null ? [] : [`    Question: ${question.text}`]),
    ...(reviewers.report === null
      ? []
      : ['    The newest report of the reviewer:', indented(reviewers.report)]),
  ];
}

function indented(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n');
}
