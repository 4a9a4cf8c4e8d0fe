// Holds a run that a person stopped, paused or suspended: sessions are asked to end, and nothing starts.
import { present } from '#base/assert.ts';
import { isAttachedStep } from './attached.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { Step } from '#kernel/model/step.ts';
import type { Decision } from './decision.ts';

export function stop(run: Run, decision: Decision): Decision {
  const stopping = present(run.stopping, 'a stop was asked for');
  if (run.running.size === 0) {
    decision.record.push({ type: 'run-ended', outcome: 'stopped', reason: stopping.why });
    return decision;
  }
  for (const [id, step] of run.running) {
    // An attached session cannot be asked to end, so the run no longer waits for it.
    if (stopping.now || isAttachedStep(run, step))
      decision.steer.push({ stepId: id, kind: 'kill', reason: 'stopped' });
    else if (step.deed.kind === 'session') decision.steer.push({ stepId: id, kind: 'interrupt' });
  }
  return decision;
}

export function hold(run: Run, decision: Decision, why: string): Decision {
  interruptSessions(run, decision);
  decision.waitingFor = why;
  return decision;
}

/** Of one task, or of the whole run. */
export function interruptSessions(run: Run, decision: Decision, taskId: string | null = null): void {
  for (const [stepId, step] of run.running) {
    if (step.deed.kind !== 'session' || (taskId !== null && step.taskId !== taskId)) continue;
    const reason = isAttachedStep(run, step) ? null : whyAtOnce(run, step);
    decision.steer.push(reason === null ? { stepId, kind: 'interrupt' } : { stepId, kind: 'kill', reason });
  }
}

/** A run can be paused and suspended at once; either can ask for the end of the session. */
function whyAtOnce({ paused, suspensions }: Run, step: Step): string | null {
  if (paused?.now === true) return 'paused';
  for (const { taskId, isNow } of suspensions.values())
    if (isNow && (taskId === null || taskId === step.taskId)) return 'the run was suspended';
  return null;
}
