// Asserts what must never happen while a run waits, from the simulated world's own clocks and polls.
import type { Event } from '#kernel/events/events.ts';
import { type AwaitedCondition, type SimpleCondition, simpleConditions } from '#kernel/waiting/condition.ts';
import type { Sighting } from '#ports/lookout.ts';
import type { Incarnation, Universe } from '../universe.ts';
import { forbid } from '../universe.ts';
import { heldBy, openSuspensions } from './wait-view.ts';
import type { Waiting } from './waits.ts';
import { holds, isHopeless, nameOf } from './waits.ts';

/** Called for each event before it is seen. */
export function judgeWaits(universe: Universe, event: Event, by: number): void {
  const { view } = universe.ledger;
  const counts = universe.counts.waiting;
  switch (event.type) {
    case 'suspended': {
      const { taskId = null, isByAgent, suspensionId } = event;
      const known = view.suspensions.get(suspensionId);
      // The same one, with the word that its sessions end at once.
      if (known !== undefined)
        return forbid(universe, !known.isOpen || event.isNow !== true, `${suspensionId} begins twice`);
      counts.suspensions += 1;
      if (taskId !== null) counts.ofTasks += 1;
      if (isByAgent === true) counts.byAgents += 1;
      const isSecond = openSuspensions(view).some((one) => one.taskId === taskId);
      return forbid(universe, isSecond, `${taskId ?? 'the run'} is suspended twice at once`);
    }
    case 'step-started': {
      const { stepId, taskId } = event.step;
      const held = heldBy(view, taskId);
      return forbid(universe, held !== undefined, `${stepId} starts while ${held?.id ?? ''} suspends it`);
    }
    case 'clock-reached':
      if (event.isWall !== true) return;
      counts.limits += 1;
      return forbidUnseen(universe, by, `limit ${event.due} met`, 'a usage limit is called over');
    case 'condition-met':
    case 'suspension-ended':
    case 'suspension-expired':
    case 'suspension-approved':
    case 'reminded':
      return judgeSuspension(universe, event, by);
    default:
      return;
  }
}

type SuspensionEvent = Extract<
  Event,
  {
    readonly type:
      | 'condition-met'
      | 'suspension-ended'
      | 'suspension-expired'
      | 'suspension-approved'
      | 'reminded';
  }
>;

function judgeSuspension(universe: Universe, event: SuspensionEvent, by: number): void {
  const { suspensionId: id, type } = event;
  const counts = universe.counts.waiting;
  const known = universe.ledger.view.suspensions.get(id);
  const end = known?.end ?? 'never began';
  forbid(universe, known?.isOpen !== true, `${type} of ${id}, which ended already: ${end}`);
  switch (event.type) {
    case 'condition-met':
      counts.met += 1;
      if (event.late !== undefined) counts.metLate += 1;
      return forbidUnseen(universe, by, `suspension ${id} met`, `the condition of ${id} is called met`);
    case 'suspension-expired':
      counts.expired += 1;
      forbid(universe, known?.isExpired === true, `${id} expired twice`);
      return forbidUnseen(universe, by, `suspension ${id} expired`, `${id} is called expired`);
    case 'suspension-ended':
      counts[event.how] += 1;
      return;
    case 'suspension-approved':
      return forbid(universe, known?.isApproved === true, `${id} was approved twice`);
    case 'reminded':
      counts.reminded += 1;
      forbid(universe, known?.isReminded === true, `${id} was reminded of twice`);
      return forbidUnseen(universe, by, `reminder ${id} met`, `a reminder of ${id} is sent`);
  }
}

function forbidUnseen(universe: Universe, by: number, what: string, words: string): void {
  forbid(universe, universe.waits?.sighted.has(`${by} ${what}`) !== true, `${words}, and no look saw it`);
}

/** Called when a lookout says that something is met or expired, in the very moment. */
export function judgeSighting(
  universe: Universe,
  incarnation: Incarnation,
  waiting: Waiting,
  sighting: Sighting,
): void {
  const { waits, clock } = universe;
  if (waits === null) return;
  const { awaited, kind } = sighting;
  const now = Math.max(clock.now(), waits.clockPeak);
  const name = awaited.kind === 'limit' ? `limit ${awaited.at}` : `${awaited.kind} ${awaited.suspensionId}`;
  waits.sighted.add(`${incarnation.number} ${name} ${kind}`);
  if (awaited.kind !== 'suspension')
    return forbid(universe, now < awaited.at, `${name} is due only in ${awaited.at - now} ms by the clock`);
  const { condition, suspensionId } = awaited;
  if (kind === 'expired') {
    const isGone = (simple: SimpleCondition): boolean => {
      if (simple.kind !== 'poll') return false;
      const look = waiting.seen.get(keyOf(suspensionId, simple));
      return look !== undefined && !look.isMet && look.startedAt >= simple.until;
    };
    const isLooked = isHopeless(condition, isGone);
    return forbid(universe, !isLooked, `${suspensionId} expires without a look after its limit`);
  }
  const isMet = holds(condition, (simple) => isConditionMet(awaited, waiting, now, simple));
  forbid(universe, !isMet, `${suspensionId} is met before its condition holds`);
}

type AwaitedSuspension = Extract<AwaitedCondition, { readonly kind: 'suspension' }>;

function isConditionMet(
  awaited: AwaitedSuspension,
  waiting: Waiting,
  now: number,
  simple: SimpleCondition,
): boolean {
  switch (simple.kind) {
    case 'time':
      return now >= simple.at;
    case 'manual':
      return awaited.isApproved;
    case 'poll':
    case 'file':
      return waiting.seen.get(keyOf(awaited.suspensionId, simple))?.isMet === true;
  }
}

export function keyOf(suspensionId: string, simple: SimpleCondition): string {
  return simple.kind === 'poll' ? `${suspensionId} ${nameOf(simple)}` : nameOf(simple);
}

/** Nothing is on its way and a process waits: then nothing of what it waits for is there to be seen. */
export function judgeLookout(universe: Universe, incarnation: Incarnation): void {
  const waiting = universe.waits?.waiting.get(incarnation);
  if (waiting === undefined || incarnation.pending > 0 || incarnation.isDead) return;
  const now = universe.clock.now();
  // The clock was set in the middle of a look: the process comes to it in its next moment.
  const isAwake = (universe.clock.nextDue() ?? Infinity) <= now + 1;
  for (const awaited of waiting.awaited) {
    if (awaited.kind !== 'suspension') {
      forbid(universe, now >= awaited.at, `a ${awaited.kind} is due, and the process sleeps`);
      continue;
    }
    const isMet = holds(awaited.condition, (simple) => isConditionMet(awaited, waiting, now, simple));
    forbid(universe, isMet, `the condition of ${awaited.suspensionId} holds, and the process sleeps`);
    for (const simple of simpleConditions(awaited.condition)) {
      if (simple.kind !== 'poll') continue;
      const key = keyOf(awaited.suspensionId, simple);
      const endedAt = waiting.endedAt.get(key);
      // One that is given up or met already is not looked at again; the rest of its condition is open.
      const isOver =
        waiting.seen.get(key)?.isMet === true || (waiting.seen.get(key)?.startedAt ?? 0) >= simple.until;
      const isLate = endedAt === undefined || now > endedAt + simple.everyMs;
      forbid(universe, isLate && !isOver && !isAwake, `the process does not look at ${key}, which is due`);
    }
  }
}

/** Waiting uses up no budget. */
export function judgeWork(universe: Universe, { run, acknowledged }: Incarnation): void {
  const { view } = universe.ledger;
  if (run === null || acknowledged !== universe.journal.lines.length) return;
  forbid(
    universe,
    run.activeMs > view.workMs,
    `${run.activeMs} ms are counted as work, and ${view.workMs} were`,
  );
}
