// Names the conditions outside the run that it waits for, so that its driver watches them.
import { interruptSessions } from './hold.ts';
import type { Move } from './policy.ts';
import type { Run } from '#kernel/fold/run.ts';
import { minuteOf } from '#kernel/waiting/condition-words.ts';
import { canStillWake, type Suspension, suspensionWords } from '#kernel/waiting/suspension.ts';
import type { Decision } from './decision.ts';

/** The whole run is suspended: its sessions are interrupted, and nothing starts. */
export function holdSuspended(run: Run, decision: Decision, suspension: Suspension): Decision {
  interruptSessions(run, decision);
  awaitSuspension(suspension, decision);
  return decision;
}

export function awaitLimit({ until, why }: Move & { kind: 'wait' }, decision: Decision): void {
  decision.until.push({ kind: 'limit', at: until });
  decision.waitingFor ??= `a usage limit until ${minuteOf(until)}: ${why}`;
}

function awaitSuspension(suspension: Suspension, decision: Decision): void {
  const { id: suspensionId, condition, isApproved, remindAt, since } = suspension;
  decision.waitingFor ??= suspensionWords(suspension);
  if (canStillWake(suspension))
    decision.until.push({ kind: 'suspension', suspensionId, condition, isApproved, since });
  if (remindAt !== null) decision.until.push({ kind: 'reminder', suspensionId, at: remindAt });
}

/** Returns the suspended tasks. Their sessions are interrupted, and none of their steps start. */
export function holdSuspendedTasks(run: Run, decision: Decision): ReadonlySet<string> {
  const held = new Set<string>();
  for (const suspension of run.suspensions.values()) {
    const task = suspension.taskId === null ? undefined : run.tasks.get(suspension.taskId);
    if (task === undefined || ['landed', 'failed', 'skipped', 'dropped'].includes(task.status.is)) continue;
    held.add(task.spec.id);
    interruptSessions(run, decision, task.spec.id);
    awaitSuspension(suspension, decision);
  }
  return held;
}
