// Asserts what must hold while a driver waits, and when a simulated run is over.
import type { Outcome } from '#kernel/model/outcome.ts';
import type { LedgerSession } from './ledger.ts';
import type { Incarnation, Universe } from './universe.ts';
import { forbid } from './universe.ts';
import { judgeWakeUps } from './waiting/days.ts';

/** Nothing is on its way and the driver waits: then it has taken every control that lies there. */
export function judgeWaiting(universe: Universe, incarnation: Incarnation): void {
  if (incarnation.pending > 0 || incarnation.mustLeave || !incarnation.holdsJournal) return;
  if (incarnation.acknowledged !== universe.journal.lines.length) return;
  forbid(universe, universe.inbox.size > 0, 'the driver sleeps while a control waits for it');
}

export function judgeEnd(universe: Universe): Outcome | 'parked' {
  const { view, alive } = universe.ledger;
  forbid(universe, alive.size > 0 && view.outcome !== null, 'a session outlives the run');
  forbid(universe, view.outcome !== null && view.running.size > 0, 'a step outlives the run');
  for (const [id, { receivedTimes, settled }] of view.controls) {
    forbid(universe, receivedTimes !== 1, `control ${id} was received ${receivedTimes} times`);
    forbid(universe, settled === null, `control ${id} was neither applied nor refused`);
  }
  const lost = universe.counts.controls - view.controls.size - universe.inbox.size - universe.taken.size;
  forbid(universe, lost !== 0, `${lost} controls were lost`);
  judgeAdvice(universe);
  judgeWakeUps(universe);
  return view.outcome ?? 'parked';
}

/** A person's message reaches a builder, if one started after the sessions that should have received it. */
function judgeAdvice(universe: Universe): void {
  const { view, sessions } = universe.ledger;
  for (const { control, settled, settledAt } of view.controls.values()) {
    if (control.kind !== 'tell' || settled !== 'applied') continue;
    let isCarried = false;
    let freeFrom = settledAt;
    const heard: number[] = [];
    for (const { step, position, endedAt } of view.steps.values()) {
      if (step.deed.kind !== 'session' || step.deed.readOnly) continue;
      const isCarrier = step.deed.prompt.includes(control.text);
      if (isDelivered(sessions.get(step.stepId))) {
        isCarried ||= isCarrier;
        heard.push(position);
      } else if (isCarrier) freeFrom = Math.max(freeFrom, endedAt);
    }
    const isMissed = !isCarried && heard.some((position) => position > freeFrom);
    forbid(universe, isMissed, `nobody was told "${control.text}"`);
  }
}

function isDelivered(session: LedgerSession | undefined): boolean {
  const receipt = session?.receipt ?? null;
  if (receipt === null) return false;
  return receipt.ending.kind !== 'cancelled' && receipt.ending.kind !== 'not-started';
}
