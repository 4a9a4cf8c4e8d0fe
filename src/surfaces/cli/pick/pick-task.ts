// Picks the task that a person means: by its id, or by the number in it or on the screen; case is ignored.
import { didYouMean } from '#base/suggest.ts';
import { taskCalled } from '#tasks/task-graph.ts';
import { whyNotRetried } from '#kernel/decide/reopen.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { OperatorError } from '#base/operator-error.ts';
import { shownName } from '#views/status/progress.ts';

export function pickTask(run: Run, name: string): TaskState {
  const ids = new Map([...run.tasks.keys()].map((id) => [id.toLowerCase(), id]));
  const number = name.replace(/^(?:task\s+|#)/i, '').trim();
  const task =
    run.tasks.get(name) ??
    run.tasks.get(taskCalled(name, ids) ?? '') ??
    [...run.tasks.values()].find((one) => shownName(run, one) === number);
  if (task !== undefined) return task;
  const known = [...run.tasks.keys()];
  throw new OperatorError(
    'no-task',
    `The run ${run.id} has no task "${name}".`,
    didYouMean(name, known) ??
      `Its tasks are ${known.slice(0, 8).join(', ')}${known.length > 8 ? ', …' : ''}.`,
  );
}

/** The only task that can be retried; a skipped one only if there is no other. */
export function pickRetryable(run: Run): TaskState {
  const all = [...run.tasks.values()];
  const open = all.filter((task) => whyNotRetried(run, task) === null);
  const unskipped = open.filter(({ status }) => status.is !== 'skipped');
  const candidates = unskipped.length > 0 ? unskipped : open;
  const [first] = candidates.length > 0 ? candidates : all;
  if (first !== undefined && (candidates.length === 1 || all.length === 1)) return first;
  const ids = candidates.map(({ spec }) => spec.id);
  const named = `${ids.slice(0, 8).join(', ')}${ids.length > 8 ? ', …' : ''}`;
  throw new OperatorError(
    'no-task',
    ids.length === 0
      ? `The run ${run.id} has no task that can be retried.`
      : `The run ${run.id} has ${ids.length} tasks that can be retried: ${named}.`,
    ids.length === 0
      ? `See its state: untildone status ${run.id}`
      : `Name one: untildone retry ${ids[0] ?? ''} --run ${run.id}`,
  );
}
