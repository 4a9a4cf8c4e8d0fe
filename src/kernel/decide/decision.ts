// A decision: what should happen now, and how a step joins it.
import { noReserve, type Reserve, reserveSession, takeReserve } from '#kernel/model/budget.ts';
import { dryRunWait, isHeldBack } from './dry-run.ts';
import { endSpent } from './decide-spent.ts';
import type { Fact } from '#kernel/events/events.ts';
import type { Run } from '#kernel/fold/run.ts';
import { type Operation, type Steer, type Step, stepIdOf } from '#kernel/model/step.ts';
import type { AwaitedCondition } from '#kernel/waiting/condition.ts';

export interface Decision {
  /** Conclusions to append before anything else; then `decide` runs again. */
  record: Fact[];
  start: Step[];
  steer: Steer[];
  /** The time at which the decision would change by itself. */
  wakeAt: number | null;
  /** Conditions outside the run that would change the decision. */
  until: AwaitedCondition[];
  /** Whether a task waits for a time, so that the run continues by itself. */
  isTimed: boolean;
  /** What the run is parked on if nothing runs, starts or waits for a time. */
  waitingFor: string | null;
}

export function emptyDecision(): Decision {
  return { record: [], start: [], steer: [], wakeAt: null, until: [], isTimed: false, waitingFor: null };
}

export function start(
  run: Run,
  decision: Decision,
  wanted: Pick<Step, 'taskId' | 'baseTree' | 'deed'>,
): void {
  if (isHeldBack(run, wanted.deed)) return void (decision.waitingFor ??= dryRunWait);
  const operation = numbered(wanted.deed, decision);
  const reserve = operation.kind === 'session' ? reserveBeside(run, decision) : noReserve;
  if ('spentOut' in reserve) {
    // A running step may end and return a part of its reserve, so the run ends only when none is left.
    if (run.running.size === 0 && decision.start.length === 0)
      endSpent(run, decision, `the budget of ${reserve.spentOut} is used up`);
    return;
  }
  const number = run.stepsStarted + decision.start.length + 1;
  decision.start.push({ stepId: stepIdOf(number, wanted), ...wanted, deed: operation, reserve });
}

/** Steps started by one decision share the remaining budget. */
function reserveBeside(run: Run, decision: Decision): Reserve | { readonly spentOut: string } {
  if (run.activeMs >= run.budget.activeMs) return { spentOut: 'time' };
  const ledger = { ...run.ledger, reserved: { ...run.ledger.reserved } };
  for (const step of decision.start) takeReserve(ledger, step.reserve);
  return reserveSession(ledger, run.budget);
}

/** Policies do not see the other new steps: sessions of one role that start together are numbered here. */
function numbered(operation: Operation, decision: Decision): Operation {
  if (operation.kind !== 'session') return operation;
  const beside = decision.start.filter(
    (step) => step.deed.kind === 'session' && step.deed.role === operation.role,
  );
  return { ...operation, ordinal: operation.ordinal + beside.length };
}
