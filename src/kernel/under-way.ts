// What has to be waited for: by a new plan, and by everybody who wants to begin.
import type { Run, TaskState } from './run.ts';

/** One that waits for an answer, and has nothing running, keeps nobody waiting. */
export function isAsking({ status, runningSteps }: TaskState): boolean {
  return status === 'needs-input' && runningSteps === 0;
}

export function isAnyUnderWay({ active }: Run): boolean {
  for (const task of active) if (!isAsking(task)) return true;
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
