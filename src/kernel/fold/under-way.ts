// What has to be waited for: by a new plan, and by everybody who wants to begin.
import type { Run, TaskState } from './run.ts';
import { suspensionFor } from '#kernel/waiting/suspension.ts';

/** One that waits for an answer, and has nothing running, keeps nobody waiting. */
export function isAsking({ status, runningSteps }: TaskState): boolean {
  return status.is === 'needs-input' && runningSteps === 0;
}

/** A suspended task that has nothing running keeps nothing waiting either. */
export function isAnyUnderWay(run: Run): boolean {
  const isHeld = (task: TaskState): boolean =>
    task.runningSteps === 0 && suspensionFor(run, task.spec.id) !== null;
  for (const task of run.queue.active) if (!isAsking(task) && !isHeld(task)) return true;
  return false;
}

/** No builder has started: the run's checkout holds nothing but the base. */
export function isUntouched({ tasks }: Run): boolean {
  for (const { attempt } of tasks.values()) if (attempt > 0) return false;
  return true;
}

export function isPreparing({ running }: Run): boolean {
  for (const { deed } of running.values()) if (deed.kind === 'prepare') return true;
  return false;
}
