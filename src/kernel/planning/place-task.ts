// Where a task stands among those not started: the more urgent first, as a task file would have it.
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { Task } from '#kernel/model/task.ts';

/** Of a task that says nothing of it. */
const usualRank = 2;

/** The first open task that is less urgent; null: behind all of them. */
export function placeFor(run: Run, task: Task): string | null {
  const rank = task.rank ?? usualRank;
  const open = [...run.tasks.values()].filter(
    ({ status }) => status.is === 'waiting' || status.is === 'ready',
  );
  const urgency = urgencies(open);
  return open.find(({ spec }) => (urgency.get(spec.id) ?? usualRank) > rank)?.spec.id ?? null;
}

/** The more urgent first; among those that are as urgent the order stays. */
export function byUrgency<T extends Placed>(open: readonly T[]): T[] {
  const urgency = urgencies(open);
  const of = ({ spec }: T): number => urgency.get(spec.id) ?? usualRank;
  return open.toSorted((one, other) => of(one) - of(other));
}

interface Placed {
  readonly spec: Task;
}

/** What an urgent task waits for is as urgent as that one, in whichever order they stand. */
function urgencies(open: readonly Placed[]): Map<string, number> {
  const specs = new Map(open.map(({ spec }) => [spec.id, spec]));
  const urgency = new Map(open.map(({ spec }) => [spec.id, spec.rank ?? usualRank]));
  const left = [...specs.values()];
  for (let spec = left.pop(); spec !== undefined; spec = left.pop()) {
    const own = urgency.get(spec.id) ?? usualRank;
    for (const id of spec.dependsOn) {
      const needed = specs.get(id);
      if (needed === undefined || (urgency.get(id) ?? usualRank) <= own) continue;
      urgency.set(id, own);
      left.push(needed);
    }
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
