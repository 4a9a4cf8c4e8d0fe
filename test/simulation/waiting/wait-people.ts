// Requests of people and agents about suspensions, at any moment and often at the wrong one.
import type { Control } from '#kernel/events/control.ts';
import { type Condition, simpleConditions } from '#kernel/waiting/condition.ts';
import type { Universe } from '../universe.ts';
import { openSuspensions } from './wait-view.ts';
import type { Waits } from './waits.ts';
import { setClock, sleep, trueTime } from './waits.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** What a person does at any moment of a waiting run; null for nothing. */
export function meddleWithWaits(universe: Universe): Control | null {
  const { waits } = universe;
  if (waits === null) return null;
  const { random } = waits;
  if (random.chance(waits.jumpRate)) jumpByDays(universe, waits);
  if (random.chance(waits.sleepRate)) sleep(universe, hourMs + random.int(10 * hourMs));
  return random.chance(waits.suspendRate) ? aboutWaiting(universe, waits) : null;
}

function jumpByDays(universe: Universe, { random }: Waits): void {
  const { clock, counts, schedule } = universe;
  const isYears = random.chance(0.15);
  // A machine that forgot the date shows 1970 until it has asked for the time.
  const ms = isYears ? 1000 - clock.now() : random.int(4 * dayMs) - 2 * dayMs;
  universe.trace(() => `the clock is set by ${ms}`);
  setClock(universe, ms);
  if (isYears) {
    counts.waiting.yearsJumped += 1;
    schedule.after(100 + random.int(20_000), () => setClock(universe, -ms));
  } else counts.waiting.daysJumped += 1;
}

function aboutWaiting(universe: Universe, waits: Waits): Control {
  const { random } = waits;
  const isOpen = openSuspensions(universe.ledger.view).length > 0;
  return random.chance(isOpen ? 0.6 : 0.1) ? endWait(universe, waits) : suspend(universe, waits);
}

function suspend(universe: Universe, waits: Waits): Control {
  const { random } = waits;
  const { clock, ledger } = universe;
  const tasks = [...ledger.view.tasks.keys()];
  const taskId = random.chance(0.05) ? 'nobody' : tasks.length === 0 ? 'nobody' : random.pick(tasks);
  const since = clock.now();
  const why = 'later';
  if (random.chance(0.25)) {
    const condition: Condition = random.chance(0.7)
      ? { kind: 'time', at: since + random.int(random.chance(0.9) ? 20 * hourMs : 3 * dayMs) }
      : planCondition(universe, waits);
    return { kind: 'ask-suspension', taskId, condition, why, since };
  }
  return {
    kind: 'suspend',
    ...(random.chance(0.5) ? { taskId } : {}),
    condition: planCondition(universe, waits),
    why,
    since,
    ...(random.chance(0.7) ? { remindAt: since + random.pick([hourMs, dayMs]) } : {}),
    ...(random.chance(0.2) ? { now: true as const } : {}),
  };
}

export function planCondition(universe: Universe, waits: Waits, depth = 0): Condition {
  const { random, holdsFrom } = waits;
  const now = universe.clock.now();
  const kind = random.weighted([
    [4, 'time'],
    [3, 'poll'],
    [2, 'file'],
    [2, 'manual'],
    [depth < 2 ? 1.5 : 0, 'any'],
    [depth < 2 ? 1.5 : 0, 'all'],
  ] as const);
  const name = (prefix: string): string => {
    const one = `${prefix}${holdsFrom.size}`;
    // Now, soon, tomorrow or never, whatever the clock shows.
    const inMs = random.pick([0, random.int(60_000), random.int(dayMs), random.int(2 * dayMs), Infinity]);
    holdsFrom.set(one, trueTime(universe) + inMs);
    return one;
  };
  switch (kind) {
    case 'time':
      return {
        kind,
        at: now + random.pick([0, random.int(60_000), random.int(dayMs), random.int(4 * dayMs)]),
      };
    case 'poll': {
      const everyMs = random.pick([20 * 60_000, hourMs]);
      return {
        kind,
        command: name('p'),
        everyMs,
        until: now + random.int(dayMs),
        timeoutMs: random.pick([60_000, 2 * everyMs]),
      };
    }
    case 'file':
      return { kind, path: name('/f') };
    case 'manual':
      return { kind };
    case 'any':
    case 'all':
      return {
        kind,
        of: Array.from({ length: 1 + random.int(3) }, () => planCondition(universe, waits, depth + 1)),
      };
  }
}

/** The word of a person on a suspension; sensible or not. */
function endWait(universe: Universe, { random }: Waits): Control {
  const open = openSuspensions(universe.ledger.view);
  const meant = open.length === 0 || random.chance(0.1) ? null : random.pick(open);
  const taskId = meant?.taskId ?? null;
  const named = taskId === null || random.chance(0.2) ? {} : { taskId };
  return random.weighted<Control>([
    [2, { kind: 'resume' }],
    [2, { kind: 'resume', force: true, ...named }],
    [3, { kind: 'resume', approve: true, ...named }],
    [2, { kind: 'resume', reject: 'not so', ...named }],
  ]);
}

/** What a person who reads the notification does about a wait; null if there is no wait, or nothing to do. */
export function wordOnWait(universe: Universe): Control | null {
  const { waits, ledger } = universe;
  const [first] = openSuspensions(ledger.view);
  if (waits === null || first === undefined || waits.random.chance(0.2)) return null;
  const named = first.taskId === null ? {} : { taskId: first.taskId };
  const isForPerson =
    first.isExpired || simpleConditions(first.condition).some(({ kind }) => kind === 'manual');
  if (!isForPerson || first.isApproved || waits.random.chance(0.2))
    return { kind: 'resume', force: true, ...named };
  return waits.random.chance(0.6)
    ? { kind: 'resume', approve: true, ...named }
    : { kind: 'resume', reject: 'not so', ...named };
}
