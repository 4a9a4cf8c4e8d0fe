// Simulated days: drivers that exit, wakers, a machine that sleeps, and a run that ends during a wait.
import { type AwaitedCondition, type SimpleCondition, simpleConditions } from '#kernel/waiting/condition.ts';
import type { Incarnation, Universe } from '../universe.ts';
import { forbid } from '../universe.ts';
import { openSuspensions, type ObservedSuspension } from './wait-view.ts';
import { isWatched, startWaker } from './waker.ts';
import { holds, isTrueNow, setClock, sleep, type Waits } from './waits.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Events without a new fact before a person shuts the machine down or returns to the run. */
const quietMax = 60;
/** More than any wake-up takes once everything is due. */
const lastHappenings = 400;

/** Who left with something that can end the wait by itself. */
const leftWaiting = new WeakSet<Incarnation>();

/** Null in a life that does not wait: then its temper says. */
export function mayLeaveWaiting(
  universe: Universe,
  incarnation: Incarnation,
  awaited: readonly AwaitedCondition[],
): boolean | null {
  const { waits, clock } = universe;
  leftWaiting.delete(incarnation);
  if (waits === null || awaited.length === 0) return null;
  const times = awaited.flatMap((one) =>
    one.kind === 'suspension'
      ? simpleConditions(one.condition).flatMap((simple) => (simple.kind === 'time' ? [simple.at] : []))
      : [one.at],
  );
  const isFar = Math.min(...times) - clock.now() > 10 * minuteMs;
  // A person may also end it.
  const isLeft = isWatched(universe) ? isFar : waits.lastLeft === null && waits.random.chance(0.1);
  if (isLeft) leftWaiting.add(incarnation);
  return isLeft;
}

/** Whether the driver left a run that can continue by itself. */
export function leftBy({ waits, counts }: Universe, incarnation: Incarnation): boolean {
  if (waits === null || !leftWaiting.has(incarnation)) return false;
  counts.waiting.leftWaiting += 1;
  waits.isLeftAlone = true;
  return true;
}

/** The run has no driver, and none was requested yet. */
export function isLeftAlone({ waits }: Universe): boolean {
  if (waits === null) return false;
  waits.isLeftAlone &&= !waits.isWanted;
  waits.isWanted = false;
  return waits.isLeftAlone;
}

/** False when nothing happens by itself: a person is next. */
export function timePasses(universe: Universe): boolean {
  const { waits, schedule, journal, clock } = universe;
  if (waits === null) return schedule.next();
  waits.clockPeak = clock.now();
  if (journal.lines.length !== waits.linesSeen) waits.quiet = 0;
  waits.linesSeen = journal.lines.length;
  waits.quiet += 1;
  if (waits.lastLeft !== null) {
    // A poll may take hours; meanwhile another process asks every few seconds whether it may poll.
    if (waits.looking === null || waits.looking.by.isDead) waits.lastLeft -= 1;
    // Between two looks a file is looked at every second: not all of them are lived through.
    if (waits.quiet % quietMax === 0) sleep(universe, hourMs);
    // A driver that was asked to leave has its last calls under way.
    return schedule.next() && waits.lastLeft > 0;
  }
  if (waits.quiet < quietMax && schedule.next()) return true;
  waits.quiet = Math.floor(quietMax / 2);
  return shutTheMachine(universe, waits);
}

function shutTheMachine(universe: Universe, waits: Waits): boolean {
  const { random } = waits;
  if (!isWatched(universe) && random.chance(0.5)) startWaker(universe);
  if (openSuspensions(universe.ledger.view).length === 0 || random.chance(0.15)) {
    waits.isLeftAlone = false;
    return false;
  }
  // A command of the repository first wakes what is due.
  if (random.chance(0.2)) waits.isWanted = true;
  sleep(universe, random.pick([minuteMs, hourMs, 8 * hourMs, 2 * dayMs]));
  return true;
}

/** Everything that is waited for comes true or is given up, and somebody watches: then it must be seen. Once, and while that lasts. */
export function beginLastWait(universe: Universe): boolean {
  const { waits, clock } = universe;
  const open = waitedFor(universe);
  if (waits === null || open.length === 0) return false;
  waits.isLeftAlone = true;
  if (waits.lastLeft !== null) return waits.lastLeft > 0;
  universe.trace(() => 'the last wait begins');
  waits.lastLeft = lastHappenings;
  universe.counts.waiting.lastWaits += 1;
  universe.isCalm = true;
  const times = open.flatMap(({ condition }) => simpleConditions(condition).flatMap(timeOf));
  const latest = Math.max(clock.now(), ...times) + dayMs;
  sleep(universe, 10 * dayMs);
  if (latest > clock.now()) setClock(universe, latest - clock.now());
  if (!isWatched(universe)) startWaker(universe);
  waits.isWanted = waits.entry === null;
  return true;
}

function timeOf(simple: SimpleCondition): number[] {
  if (simple.kind === 'time') return [simple.at];
  return simple.kind === 'poll' ? [simple.until] : [];
}

/** What can end by itself: not what a pause, a stop, trouble or the end of the budget holds back. */
function waitedFor({ waits, ledger, incarnations }: Universe): ObservedSuspension[] {
  const { view } = ledger;
  const run = incarnations.findLast((one) => one.run !== null)?.run ?? null;
  if (run === null || view.outcome !== null || view.isStopping) return [];
  // No run can continue then, whatever it waits for.
  const isSpent = run.activeMs >= run.budget.activeMs;
  const isHeld = run.paused !== null || run.trouble !== null || isSpent;
  if (waits === null || isHeld) return [];
  const open = openSuspensions(view);
  const ofRun = open.filter(({ taskId }) => taskId === null);
  const canEnd = ({ condition, isApproved, isExpired }: ObservedSuspension): boolean =>
    !isExpired && holds(condition, ({ kind }) => kind !== 'manual' || isApproved);
  return (ofRun.length > 0 ? ofRun : open).filter(canEnd);
}

/** A life that ends parked on a condition that holds has lost a wake-up. */
export function judgeWakeUps(universe: Universe): void {
  const { waits, clock } = universe;
  if (waits === null || waits.lastLeft === null) return;
  for (const { id, condition, isApproved } of waitedFor(universe)) {
    const isMet = holds(condition, (simple) => {
      switch (simple.kind) {
        case 'time':
          return clock.now() >= simple.at;
        case 'manual':
          return isApproved;
        case 'poll':
          return isTrueNow(universe, simple.command);
        case 'file':
          return isTrueNow(universe, simple.path);
      }
    });
    forbid(universe, isMet, `the wake-up of ${id} is lost: its condition holds`);
  }
}
