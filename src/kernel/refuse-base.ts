// A check that no work can turn green stops the run before its first session is paid for.
import type { Fact } from './events.ts';
import { isRequired } from './proof.ts';
import type { Run, TaskState } from './run.ts';

/** Null once a session was started, and where a person took the run up again all the same. */
export function refusedBase(run: Run, task: TaskState): Fact | null {
  const { spent, reserved } = run.ledger;
  if (spent.sessions + reserved.sessions > 0 || run.reopenings.length > 0) return null;
  for (const criterion of task.spec.criteria) {
    const cause = task.evidence.get(criterion.id)?.base?.cause;
    if (cause === undefined || cause.kind === 'suspicious') continue;
    // Entry criteria say themselves what happens where they do not hold.
    if (criterion.kind === 'entry' || !isRequired(run, task, criterion)) continue;
    const reason = `the check ${criterion.id} cannot pass here: ${cause.text}`;
    return { type: 'run-ended', outcome: 'blocked', reason, refused: 'preflight' };
  }
  return null;
}
