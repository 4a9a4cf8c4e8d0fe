// What a failed attempt leaves to learn from: of which kind it was, and whether it was like the ones before.
import type { Run, TaskState } from './run.ts';
import type { FailureTrace } from '#kernel/events/failure-trace.ts';

/** More than any rule looks back. */
const trailMax = 12;

export function keepTrace(task: TaskState, trace: FailureTrace | undefined): void {
  if (trace === undefined) return;
  task.trail.push(trace);
  if (task.trail.length > trailMax) task.trail.shift();
  if (trace.hand === 'next-agent') task.rung += 1;
}

/** A person asked for another try: it begins where the first one began. */
export function forgetTrail(run: Run, task: TaskState): void {
  task.trail.length = 0;
  task.rung = 0;
  const at = run.plan.broken.indexOf(task.spec.id);
  if (at >= 0) run.plan.broken.splice(at, 1);
}
