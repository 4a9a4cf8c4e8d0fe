// What a failed attempt leaves to learn from: of which kind it was, and whether it was like the ones before.
import type { Run, TaskState } from './run.ts';

/** Who is to blame steers who tries next: a slip, a wrong idea, a clash with other work, or a task that cannot be done so. */
export type FailureKind = 'syntax' | 'logic' | 'integration' | 'strategic';

export interface FailureTrace {
  readonly kind: FailureKind;
  /** What failed, without what differs by chance: times, paths of checkouts, addresses. */
  readonly signature: string;
  /** The tree that was left; null when it could not be read. */
  readonly tree: string | null;
  /** Criteria that passed on it. */
  readonly passing: readonly string[];
  /** Whether the next attempt is another agent's. */
  readonly hand: 'same-agent' | 'next-agent';
}

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
