// Orders the tasks that have not started by urgency, as a task file does.
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { Task } from '#kernel/model/task.ts';

/** The rank of a task that names none. */
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

/** Most urgent first; equally urgent tasks keep their order. */
export function byUrgency<T extends Placed>(open: readonly T[]): T[] {
  const urgency = urgencies(open);
  const of = ({ spec }: T): number => urgency.get(spec.id) ?? usualRank;
  return open.toSorted((one, other) => of(one) - of(other));
}

interface Placed {
  readonly spec: Task;
}

/** A dependency of an urgent task is as urgent as that task, in whichever order they are listed. */
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

/** The order of the other tasks stays. */
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
