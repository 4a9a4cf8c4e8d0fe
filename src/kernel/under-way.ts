// Which tasks a new plan has to wait for.
import type { Run, TaskState } from './run.ts';

/** One that waits for an answer, and has nothing running, keeps nobody waiting. */
export function isAsking({ status, runningSteps }: TaskState): boolean {
  return status === 'needs-input' && runningSteps === 0;
}

export function isAnyUnderWay({ active }: Run): boolean {
  for (const task of active) if (!isAsking(task)) return true;
  return false;
}
