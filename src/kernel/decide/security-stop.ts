// What stops a run at once: a reviewer's critical finding that can be abused, or the failure of a task that guards something.
import type { ReviewState } from '#kernel/fold/review.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { sessionNameOf } from '#kernel/model/session-name.ts';
import type { Blocker } from '#kernel/model/review.ts';
import type { Decision } from './decision.ts';

/** Null when nothing of that kind was seen. */
export function securityStop(run: Run): string | null {
  for (const taskId of run.plan.broken) {
    const task = run.tasks.get(taskId);
    if (task?.status.is === 'failed' && task.spec.securityCritical === true)
      return `the security-critical task ${taskId} failed, so the run stops: ${task.status.reason}`;
  }
  for (const task of run.queue.active) {
    for (const review of task.inspection.reviews.values()) {
      const blocker = holeIn(task, review);
      if (blocker === undefined) continue;
      const who = sessionNameOf(run, review.stepId) ?? review.role;
      return `${who} found a security problem, so the run stops: ${blocker.what}`;
    }
  }
  return null;
}

/** Nothing starts any more; what an agent is doing is ended. */
export function stopForSecurity(run: Run, decision: Decision, reason: string): Decision {
  for (const stepId of run.running.keys()) decision.steer.push({ stepId, kind: 'kill', reason });
  if (run.running.size === 0) decision.record.push({ type: 'run-ended', outcome: 'stopped', reason });
  return decision;
}

/** A claim that we tried and could not reproduce stops nothing; nor does a word that was not taken. */
function holeIn(task: TaskState, { role, stepId, tree, said, trials }: ReviewState): Blocker | undefined {
  const isTaken = task.spec.criteria.some(({ id, check }) => {
    const seen = task.evidence.get(id)?.attempt;
    const isItsWord = seen?.stepId === stepId && seen.tree === tree && seen.verdict === 'fail';
    return check.kind === 'reviewer' && check.role === role && isItsWord;
  });
  if (!isTaken) return undefined;
  return said?.blockers.find(
    ({ severity, isSecurity }, index) =>
      isSecurity && severity === 'critical' && trials[index]?.outcome !== 'not reproduced',
  );
}
