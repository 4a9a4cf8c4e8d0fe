// Decides which tasks are active, so that a new plan or a new task has to wait for them.
import type { Run, TaskState } from './run.ts';
import { suspensionFor } from '#kernel/waiting/suspension.ts';

/** A task that waits for an answer and has no running step blocks nothing. */
export function isAsking({ status, runningSteps }: TaskState): boolean {
  return status.is === 'needs-input' && runningSteps === 0;
}

/** A suspended task without a running step blocks nothing either. */
export function isAnyUnderWay(run: Run): boolean {
  const isHeld = (task: TaskState): boolean =>
    task.runningSteps === 0 && suspensionFor(run, task.spec.id) !== null;
  for (const task of run.queue.active) if (!isAsking(task) && !isHeld(task)) return true;
  return false;
}

/** No builder has started: the run's checkout holds only the base. */
export function isUntouched({ tasks }: Run): boolean {
  for (const { attempt } of tasks.values()) if (attempt > 0) return false;
  return true;
}

export function isPreparing({ running }: Run): boolean {
  for (const { deed } of running.values()) if (deed.kind === 'prepare') return true;
  return false;
}
