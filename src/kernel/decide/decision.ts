// What should happen now, and how a step joins it.
import { noReserve, type Reserve, reserveSession, takeReserve } from '#kernel/model/budget.ts';
import { dryRunWait, isHeldBack } from './dry-run.ts';
import { endSpent } from './decide-spent.ts';
import type { Fact } from '#kernel/events/events.ts';
import type { Run } from '#kernel/fold/run.ts';
import { type Deed, type Steer, type Step, stepIdOf } from '#kernel/model/step.ts';
import type { Awaited } from '#kernel/waiting/condition.ts';

export interface Decision {
  /** Conclusions to append before anything else; then decide again. */
  record: Fact[];
  start: Step[];
  steer: Steer[];
  /** When time alone changes the answer. */
  wakeAt: number | null;
  /** What of the world would change the answer. */
  until: Awaited[];
  /** Whether a task waits for its time, so that the run goes on by itself. */
  isTimed: boolean;
  /** What the run is parked on when nothing runs, starts or is timed. */
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
  const deed = numbered(wanted.deed, decision);
  const reserve = deed.kind === 'session' ? reserveBeside(run, decision) : noReserve;
  if ('spentOut' in reserve) {
    // What runs may end and give back a part of its reserve; only then is it the end.
    if (run.running.size === 0 && decision.start.length === 0)
      endSpent(run, decision, `the budget of ${reserve.spentOut} is used up`);
    return;
  }
  const number = run.stepsStarted + decision.start.length + 1;
  decision.start.push({ stepId: stepIdOf(number, wanted), ...wanted, deed, reserve });
}

/** What starts in the same breath is paid from the same purse. */
function reserveBeside(run: Run, decision: Decision): Reserve | { readonly spentOut: string } {
  if (run.activeMs >= run.budget.activeMs) return { spentOut: 'time' };
  const ledger = { ...run.ledger, reserved: { ...run.ledger.reserved } };
  for (const step of decision.start) takeReserve(ledger, step.reserve);
  return reserveSession(ledger, run.budget);
}

/** Policies see the run, not what else starts now: sessions of one role that start together are counted on. */
function numbered(deed: Deed, decision: Decision): Deed {
  if (deed.kind !== 'session') return deed;
  const beside = decision.start.filter(
    (step) => step.deed.kind === 'session' && step.deed.role === deed.role,
  );
  return { ...deed, ordinal: deed.ordinal + beside.length };
}
