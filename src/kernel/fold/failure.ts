// The failed attempts of a task: how many, the last one, and traces for the policy.
import type { Run, TaskState } from './run.ts';
import type { FailureTrace } from '#kernel/events/failure-trace.ts';

export interface Failures {
  count: number;
  /** Also set if the acceptance refused an attempt that had passed, which is not counted. */
  last: { readonly attempt: number; readonly reason: string; readonly at: number } | null;
  /** The kinds of the failures, oldest first, bounded. */
  readonly trail: FailureTrace[];
  /** How far the task has advanced in its list of agents. */
  fallbackIndex: number;
}

export function noFailures(): Failures {
  return { count: 0, last: null, trail: [], fallbackIndex: 0 };
}

/** Enough for the rules by default. A `stuck.max` above this number is never reached. */
const trailMax = 12;

export function keepTrace(task: TaskState, trace: FailureTrace | undefined): void {
  if (trace === undefined) return;
  task.failures.trail.push(trace);
  if (task.failures.trail.length > trailMax) task.failures.trail.shift();
  if (trace.hand === 'next-agent') task.failures.fallbackIndex += 1;
}

/** A person asked for a retry: it begins with the first agent again. */
export function forgetTrail(run: Run, task: TaskState): void {
  task.failures.trail.length = 0;
  task.failures.fallbackIndex = 0;
  const at = run.plan.broken.indexOf(task.spec.id);
  if (at >= 0) run.plan.broken.splice(at, 1);
}
