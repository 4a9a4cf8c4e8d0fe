// The usage limits that a run knows: which agent met one, its end, and how a person can end the wait.
import type { Event } from '#kernel/events/events.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { TransientError } from './transient-error.ts';
import type { AgentChoice } from '#kernel/model/step.ts';
import { wallNow } from './pass-time.ts';

export function isSameAgent(one: AgentChoice, other: AgentChoice): boolean {
  return one.name === other.name && one.model === other.model;
}

/** Whether a usage limit that this task met keeps the agent from building it now. */
export function isLimited(run: Run, { provider }: TaskState, agent: AgentChoice): boolean {
  return provider.limits.some((limit) => isSameAgent(limit, agent) && limit.until > wallNow(run));
}

export function applyUsageLimit(
  run: Run,
  task: TaskState,
  { until, limited, takenOverBy }: Extract<Event, { readonly type: 'usage-limited' }>,
): void {
  changeTransientErrors(task, (transientError) => ({ ...transientError, until }));
  if (limited !== undefined)
    task.provider.limits = [...task.provider.limits.filter((one) => !isSameAgent(one, limited)), limited];
  // The time in which another agent builds counts as work.
  if (takenOverBy === undefined) run.limitedUntil = Math.max(run.limitedUntil ?? 0, until);
}

/** Transient errors that the run waits for; none for a task that has a running step. */
export function awaitedTransientErrors({ queue, plan, running }: Run): TransientError[] {
  const ofTasks = [...queue.active]
    .filter(({ runningSteps }) => runningSteps === 0)
    .flatMap(({ provider, inspection }) => [
      provider.transientError,
      ...[...inspection.reviews.values()].map((one) => one.transientError),
    ]);
  const ofPlan = running.size === 0 ? [plan.transientError] : [];
  return [...ofTasks, ...ofPlan].filter((one) => one !== null && one.count > 0) as TransientError[];
}

/** A person resumed the run: each agent is tried at once, with a fresh count of failures. */
export function endWaits(run: Run): void {
  run.limitedUntil = null;
  for (const task of run.queue.active) {
    task.provider.limits = [];
    changeTransientErrors(task, (transientError) => ({ ...transientError, count: 0 }));
  }
  if (run.plan.transientError !== null) run.plan.transientError = { ...run.plan.transientError, count: 0 };
}

/** The wall clock reached `due`: every wait for a limit up to that time ends. */
export function reachLimits(run: Run, due: number): void {
  const reached = (transientError: TransientError): TransientError =>
    transientError.until === null || transientError.until > due
      ? transientError
      : { ...transientError, isReached: true };
  for (const task of run.tasks.values()) changeTransientErrors(task, reached);
  if (run.plan.transientError !== null) run.plan.transientError = reached(run.plan.transientError);
  if (run.limitedUntil !== null && run.limitedUntil <= due) run.limitedUntil = null;
}

/** Of the task's builder and of its reviewers. */
function changeTransientErrors(
  { provider, inspection }: TaskState,
  change: (setback: TransientError) => TransientError,
): void {
  for (const one of [provider, ...inspection.reviews.values()])
    if (one.transientError !== null) one.transientError = change(one.transientError);
}
