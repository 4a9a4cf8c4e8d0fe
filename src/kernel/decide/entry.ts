// Entry criteria must hold before the first session of a task. They run on the base, before money is spent.
import { isExit } from '#kernel/model/criterion.ts';
import type { Fact } from '#kernel/events/events.ts';
import { isRequired } from '#kernel/proof/proof.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';

/** Null if nothing keeps the task from starting. */
export function failedEntryCriteria(run: Run, task: TaskState): Fact | null {
  if (task.attempt > 0) return null;
  const failed = task.spec.criteria.flatMap((criterion) => {
    if (isExit(criterion) || !isRequired(run, task, criterion)) return [];
    const evidence = task.evidence.get(criterion.id)?.base;
    return evidence?.verdict === 'pass' ? [] : [`${criterion.id}: ${evidence?.reason ?? 'was not checked'}`];
  });
  if (failed.length === 0) return null;
  const reason = `an entry criterion does not hold, so the task was not started: ${failed.join('; ')}`;
  return { type: 'task-failed', taskId: task.spec.id, outcome: 'blocked', reason };
}
