// Where a task that comes later stands among those that nobody has begun: the more urgent first, as a task file would have it.
import type { Run, TaskState } from './run.ts';
import type { Task } from './task.ts';

/** Of a task that says nothing of it. */
const usualRank = 2;

/** The first open task that is less urgent; null: behind all of them. */
export function placeFor(run: Run, task: Task): string | null {
  const rank = task.rank ?? usualRank;
  const open = [...run.tasks.values()].filter(({ status }) => status === 'waiting' || status === 'ready');
  const urgency = urgencies(open);
  return open.find(({ spec }) => (urgency.get(spec.id) ?? usualRank) > rank)?.spec.id ?? null;
}

/** What an urgent task waits for is as urgent as that one. */
function urgencies(open: readonly TaskState[]): Map<string, number> {
  const urgency = new Map<string, number>();
  for (const { spec } of open.toReversed()) {
    const own = Math.min(spec.rank ?? usualRank, urgency.get(spec.id) ?? Infinity);
    urgency.set(spec.id, own);
    for (const id of spec.dependsOn) urgency.set(id, Math.min(own, urgency.get(id) ?? Infinity));
  }
  return urgency;
}

/** Everybody behind it stands one further back; the order among the others stays. */
export function moveBefore(run: Run, task: TaskState, before: string): void {
  const others = [...run.tasks.values()].filter((one) => one !== task);
  const at = others.findIndex(({ spec }) => spec.id === before);
  if (at < 0) return;
  run.tasks.clear();
  for (const [index, one] of others.toSpliced(at, 0, task).entries()) {
    one.index = index;
    run.tasks.set(one.spec.id, one);
  }
}
