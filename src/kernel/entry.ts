// Entry criteria: what must hold before the first session of a task. Looked at on the base, before money is spent.
import { isMachineCheck } from './check.ts';
import type { Fact } from './events.ts';
import { isRequired } from './proof.ts';
import type { Run, TaskState } from './run.ts';

/** What keeps a task from being begun; null when nothing does. */
export function shutEntry(
  run: Run,
  task: TaskState,
): { readonly facts: readonly Fact[]; readonly waitingFor: string | null } | null {
  if (task.attempt > 0) return null;
  const failed: string[] = [];
  for (const criterion of task.spec.criteria) {
    if (criterion.kind !== 'entry' || !isRequired(run, task, criterion)) continue;
    const seen = task.evidence.get(criterion.id);
    const verdict = isMachineCheck(criterion.check) ? seen?.base : seen?.attempt;
    if (verdict?.verdict === 'pass') continue;
    if (criterion.check.kind === 'human' && verdict === undefined)
      return { facts: [], waitingFor: `a person's approval: ${criterion.check.question}` };
    failed.push(`${criterion.id}: ${verdict?.reason ?? 'was not checked'}`);
  }
  if (failed.length === 0) return null;
  const reason = `an entry criterion does not hold, so nothing was begun: ${failed.join('; ')}`;
  const fact: Fact = { type: 'task-failed', taskId: task.spec.id, outcome: 'blocked', reason };
  return { facts: [fact], waitingFor: null };
}
