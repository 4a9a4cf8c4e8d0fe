// The index of tasks that may start, in the order of the plan.
import type { Run, TaskState } from './run.ts';
import { endSuspensionsOf } from '#kernel/waiting/suspension.ts';
import type { TaskStatus } from '#kernel/model/task.ts';

export function queue(run: Run, task: TaskState): void {
  task.status = { is: 'ready' };
  run.queue.ready.splice(position(run.queue.ready, task.index), 0, task);
}

/** Reopens a task that was proven, landed or failed. */
export function reopen(run: Run, task: TaskState): void {
  if (task.status.is === 'landed') run.plan.landed -= 1;
  if (task.status.is === 'landed' || task.status.is === 'failed') run.queue.unfinished += 1;
  run.queue.active.delete(task);
  queue(run, task);
}

export function activate(run: Run, task: TaskState): void {
  task.status = { is: 'active' };
  run.queue.active.add(task);
  const at = position(run.queue.ready, task.index);
  if (run.queue.ready[at] === task) run.queue.ready.splice(at, 1);
}

export function finishTask(
  run: Run,
  task: TaskState,
  status: TaskStatus & { readonly is: 'landed' | 'failed' | 'skipped' },
): void {
  const at = position(run.queue.ready, task.index);
  if (run.queue.ready[at] === task) run.queue.ready.splice(at, 1);
  run.queue.active.delete(task);
  if (task.status.is !== 'failed') run.queue.unfinished -= 1;
  task.status = status;
  endSuspensionsOf(run, task.spec.id);
  if (status.is === 'landed') {
    run.plan.landed += 1;
    run.history.landedAt.set(task.spec.id, run.now);
  }
  if (status.is === 'skipped') run.plan.gone += 1;
  if (status.is !== 'failed') release(run, task);
}

function release(run: Run, task: TaskState): void {
  for (const id of run.queue.dependents.get(task.spec.id) ?? []) {
    const waiting = run.tasks.get(id);
    if (waiting?.status.is !== 'waiting') continue;
    const unmet = waiting.status.unmet - 1;
    waiting.status = { is: 'waiting', unmet };
    if (unmet === 0) queue(run, waiting);
  }
  run.queue.dependents.delete(task.spec.id);
}

/** The present or future position of a task with this index in the sorted list. */
function position(ready: readonly TaskState[], index: number): number {
  let low = 0;
  let high = ready.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ready[middle]?.index ?? Infinity) < index) low = middle + 1;
    else high = middle;
  }
  return low;
}
