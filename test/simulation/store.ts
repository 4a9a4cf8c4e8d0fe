// The simulated journal, on a disk that forgets unsynced data at a power loss.
import type { Event } from '#kernel/events/events.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Journal, Store } from '#ports/store.ts';
import { judgeEvents } from './oracle.ts';
import { judgeActions } from './action-oracle.ts';
import { judgePlan } from './plan-oracle.ts';
import { judgeWaits } from './waiting/wait-oracle.ts';
import type { Incarnation, Universe } from './universe.ts';
import { call, diskFills, never, survives } from './universe.ts';
import { emptyView, see } from './view.ts';

export function simulatedStore(universe: Universe, incarnation: Incarnation): Store {
  return {
    create: async () => {},
    list: async () => ['run'],
    read: async () => ({ events: allEvents(universe), notes: [] }),
    readAfter: async () => null,
    holder: async () => null,
    open: async () => call(universe, incarnation, () => open(universe, incarnation)),
  };
}

export function allEvents(universe: Universe, lines = universe.journal.lines.length): Event[] {
  return universe.journal.lines.slice(0, lines).flatMap((line) => line.events);
}

/** Without power everything that was not synced is gone, or the first part of it is not. */
export function losePower(universe: Universe): void {
  const { journal, ledger, random } = universe;
  journal.lines.length = journal.synced + random.int(journal.lines.length - journal.synced + 1);
  journal.synced = journal.lines.length;
  const { budget, policy } = universe.plan.config;
  ledger.view = emptyView(budget, policy.actions?.mode);
  for (const line of journal.lines) for (const event of line.events) see(ledger.view, event, line.by);
}

export function writeLine(universe: Universe, events: readonly Event[], by: number): void {
  // As it would be read back: plain JSON, sharing nothing with the driver. Costly, so only in every eighth life.
  const copy = universe.seed % 8 === 0 ? (JSON.parse(JSON.stringify(events)) as Event[]) : events;
  universe.journal.lines.push({ events: copy, by });
  for (const event of copy) {
    judgePlan(universe, event);
    judgeActions(universe, event);
    judgeWaits(universe, event, by);
    see(universe.ledger.view, event, by);
  }
}

function open(
  universe: Universe,
  incarnation: Incarnation,
): Journal | { heldBy: { pid: number; host: string; since: number } } {
  const holder = universe.incarnations.find((one) => one.holdsJournal && !one.isDead && one !== incarnation);
  if (holder !== undefined && !universe.plan.temper.lockIsBroken) {
    return { heldBy: { pid: holder.number, host: 'here', since: 0 } };
  }
  incarnation.holdsJournal = true;
  incarnation.acknowledged = universe.journal.lines.length;
  let isSpoilt = false;
  return {
    events: allEvents(universe),
    notes: [],
    position: () => ({ bytes: 0, seq: 0 }),
    async append(events, { sync }) {
      if (!survives(universe, incarnation)) return never();
      if (isSpoilt) throw new OperatorError('journal-closed', 'the journal takes no more', 'Resume the run.');
      refuseTheOld(universe, incarnation);
      isSpoilt = diskFills(universe);
      incarnation.mustLeave ||= isSpoilt;
      if (!isSpoilt || universe.random.chance(0.5)) write(universe, incarnation, events);
      if (isSpoilt) throw new OperatorError('disk-full', 'the disk is full', 'Free some space.');
      if (!survives(universe, incarnation)) return never();
      if (sync && universe.faults.syncLies !== true) universe.journal.synced = universe.journal.lines.length;
      if (!survives(universe, incarnation)) return never();
      incarnation.acknowledged = universe.journal.lines.length;
    },
    async close() {
      if (incarnation.isDead) return never();
      incarnation.holdsJournal = false;
    },
  };
}

/** A driver whose picture of the journal is old has been replaced by another one. */
function refuseTheOld(universe: Universe, incarnation: Incarnation): void {
  if (incarnation.acknowledged === universe.journal.lines.length) return;
  if (universe.faults.lowerEpochIsAccepted === true) return;
  incarnation.mustLeave = true;
  universe.trace(() => `driver ${incarnation.number} is refused: another one wrote meanwhile`);
  throw new OperatorError('replaced', 'another driver has taken over', 'Follow that one.');
}

function write(universe: Universe, incarnation: Incarnation, events: readonly Event[]): void {
  judgeEvents(universe, incarnation, events);
  for (const event of events) universe.trace(() => `  ${incarnation.number}> ${describe(event)}`);
  writeLine(universe, events, incarnation.number);
}

function describe(event: Event): string {
  const { type, at, ...rest } = event;
  return `${at % 10_000_000} ${type} ${JSON.stringify(rest).slice(0, 220)}`;
}
