// Stops a run at once for an exploitable critical finding of a reviewer, or a failed security-critical task.
import type { ReviewState } from '#kernel/fold/review.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { sessionNameOf } from '#kernel/model/session-name.ts';
import type { Blocker } from '#kernel/model/review.ts';
import type { Decision } from './decision.ts';

/** Null if there is no such reason. */
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

/** Nothing starts any more, and every running step is killed. */
export function stopForSecurity(run: Run, decision: Decision, reason: string): Decision {
  for (const stepId of run.running.keys()) decision.steer.push({ stepId, kind: 'kill', reason });
  if (run.running.size === 0) decision.record.push({ type: 'run-ended', outcome: 'stopped', reason });
  return decision;
}

/** A claim that we could not reproduce stops nothing, nor does a verdict that was not accepted. */
function holeIn(task: TaskState, { role, stepId, tree, verdict, trials }: ReviewState): Blocker | undefined {
  const isTaken = task.spec.criteria.some(({ id, check }) => {
    const evidence = task.evidence.get(id)?.attempt;
    const isItsWord = evidence?.stepId === stepId && evidence.tree === tree && evidence.verdict === 'fail';
    return check.kind === 'reviewer' && check.role === role && isItsWord;
  });
  if (!isTaken) return undefined;
  return verdict?.blockers.find(
    ({ severity, isSecurity }, index) =>
      isSecurity && severity === 'critical' && trials[index]?.outcome !== 'not reproduced',
  );
}
