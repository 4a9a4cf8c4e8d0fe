// Suspensions: a run or a task that is parked on a condition, and how its events change that state.
import type { Event } from '#kernel/events/events.ts';
import type { Run } from '#kernel/fold/run.ts';
import { type Condition, isMetByApproval, stateOfCondition } from './condition.ts';
import { conditionWords } from './condition-words.ts';
import type { SuspensionFact } from '#kernel/events/suspension-facts.ts';

export interface Suspension {
  readonly id: string;
  /** Null for the whole run. */
  readonly taskId: string | null;
  readonly condition: Condition;
  readonly why: string;
  readonly by: string;
  /** By the wall clock, as all times here: the run's own time may be ahead of it. */
  readonly since: number;
  /** Null if no reminder is due any more. */
  remindAt: number | null;
  /** A person approved; the rest of the condition is still open. */
  isApproved: boolean;
  /** The condition can no longer be met: a person has to decide. */
  expired: { readonly looks: number; readonly last: string } | null;
  /** Ends the running sessions instead of interrupting them. */
  readonly isNow: boolean;
  readonly isByAgent: boolean;
}

export type SuspensionEvent = Extract<Event, { readonly type: SuspensionFact['type'] }>;

export function isSuspensionEvent(event: Event): event is SuspensionEvent {
  return 'suspensionId' in event;
}

export function applySuspension(run: Run, event: SuspensionEvent): void {
  const { suspensionId } = event;
  if (event.type === 'suspended') {
    const known = run.suspensions.get(suspensionId);
    run.suspensions.set(suspensionId, { ...suspensionOf(event), ...keptOf(known) });
    if (event.isByAgent === true && known === undefined) run.agentSuspensions += 1;
    return;
  }
  const suspension = run.suspensions.get(suspensionId);
  if (suspension === undefined) return;
  switch (event.type) {
    case 'condition-met':
      return void run.suspensions.delete(suspensionId);
    case 'suspension-expired':
      suspension.expired = { looks: event.looks, last: event.last };
      return;
    case 'suspension-approved':
      suspension.isApproved = true;
      return;
    case 'reminded':
      suspension.remindAt = null;
      return;
    case 'suspension-ended':
      run.suspensions.delete(suspensionId);
      if (event.how === 'rejected') giveReason(run, suspension, event.why ?? '');
      return;
  }
}

function suspensionOf(event: Extract<SuspensionEvent, { readonly type: 'suspended' }>): Suspension {
  return {
    id: event.suspensionId,
    taskId: event.taskId ?? null,
    condition: event.condition,
    why: event.why,
    by: event.by,
    since: event.since,
    remindAt: event.remindAt ?? null,
    isApproved: false,
    expired: null,
    isNow: event.isNow === true,
    isByAgent: event.isByAgent === true,
  };
}

/** Keeps the answers so far when a known suspension is recorded again to end its sessions. */
function keptOf(known: Suspension | undefined): Partial<Pick<Suspension, 'isApproved' | 'expired'>> {
  return known === undefined ? {} : { isApproved: known.isApproved, expired: known.expired };
}

/** The next builder gets the reason of a rejection. */
function giveReason(run: Run, { taskId, why }: Suspension, reason: string): void {
  const task = taskId === null ? undefined : run.tasks.get(taskId);
  if (task === undefined) run.messages.push(`Rejected (${why}): ${reason}`);
  else task.dialogue.answered.push({ question: why, text: `Rejected: ${reason}` });
}

/** The suspension of the whole run (null), or of one task; null if there is none. */
export function suspensionFor(run: Run, taskId: string | null): Suspension | null {
  for (const suspension of run.suspensions.values()) if (suspension.taskId === taskId) return suspension;
  return null;
}

/** Of the run and of its tasks, oldest first. */
export function openSuspensions({ suspensions }: Run): Suspension[] {
  return [...suspensions.values()];
}

/** Called when the task has ended. */
export function endSuspensionsOf(run: Run, taskId: string): void {
  for (const [id, suspension] of run.suspensions)
    if (suspension.taskId === taskId) run.suspensions.delete(id);
}

/** Whether only a person's approval or rejection can end it. */
export function needsPerson(suspension: Suspension): boolean {
  return isForPerson(suspension) && !canStillWake(suspension);
}

/** Whether a person can approve or reject it. */
export function isForPerson({ condition, expired, isApproved }: Suspension): boolean {
  if (expired !== null) return true;
  return !isApproved && (isMetByApproval(condition) || hasManual(condition));
}

function hasManual(condition: Condition): boolean {
  if (condition.kind === 'any' || condition.kind === 'all') return condition.of.some(hasManual);
  return condition.kind === 'manual';
}

/** Whether an outside event could still end it, so that watching is of use. */
export function canStillWake({ condition, expired, isApproved }: Suspension): boolean {
  if (expired !== null) return false;
  const byPerson = isApproved ? 'met' : 'never';
  return stateOfCondition(condition, ({ kind }) => (kind === 'manual' ? byPerson : 'pending')) !== 'never';
}

/** What the run is parked on, in words. */
export function suspensionWords({ taskId, condition, why, expired }: Suspension): string {
  const scope = taskId === null ? '' : `task ${taskId}: `;
  if (expired === null) return `${scope}${why} (waits ${conditionWords(condition)})`;
  const polls = expired.looks === 1 ? 'one poll' : `${expired.looks} polls`;
  return `${scope}${why} (expired after ${polls}; the last: ${expired.last}; a person decides)`;
}
