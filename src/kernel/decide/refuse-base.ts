// Stops a run, or later a task, before its first session if a required check cannot pass on this machine.
import { isExit } from '#kernel/model/criterion.ts';
import type { Fact } from '#kernel/events/events.ts';
import { isRequired } from '#kernel/proof/proof.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';

/** Null once a session of the task has started, and if a person retried it all the same. */
export function refusedBase(run: Run, task: TaskState): Fact | null {
  const { spent, reserved } = run.ledger;
  const isFirst = spent.sessions + reserved.sessions === 0;
  if (task.attempt > 0 || task.past.isRetried || run.reopenings.length > 0) return null;
  // The architect of a campaign may plan what is missing; the checks of the whole goal ran before.
  if (!isFirst && run.config.policy.planning !== undefined) return null;
  for (const criterion of task.spec.criteria) {
    const cause = task.evidence.get(criterion.id)?.base?.cause;
    if (cause === undefined || cause.kind === 'suspicious') continue;
    // Entry criteria have their own rule for a failure.
    if (!isExit(criterion) || !isRequired(run, task, criterion)) continue;
    const reason = `the check ${criterion.id} cannot pass here: ${cause.text}`;
    return isFirst
      ? { type: 'run-ended', outcome: 'blocked', reason, refused: 'preflight' }
      : { type: 'task-failed', taskId: task.spec.id, outcome: 'blocked', reason };
  }
  return null;
}
