import { describe, expect, it } from 'vitest';
import type { AwaitedCondition, Condition } from '#kernel/waiting/condition.ts';
import { leaveOrStay, nextTime, type Wait } from './leave-or-stay.ts';

const now = 1_000_000;
const hour = 3_600_000;
const poll: Condition = { kind: 'poll', command: 'true', everyMs: 1000, until: now + hour, timeoutMs: 1000 };

describe('A driver that leaves a waiting run, or stays [U2]', () => {
  it('A driver without a terminal leaves when the time is far away and a watch runs', () => {
    expect(choose([time(now + hour)])).toEqual({ kind: 'leave' });
    expect(choose([{ kind: 'limit', at: now + hour }])).toEqual({ kind: 'leave' });
  });

  it('A driver without a terminal stays when no watch would wake the run', () => {
    expect(choose([time(now + hour)], { isWatched: false })).toEqual({ kind: 'stay', why: 'not-woken' });
    expect(choose([of(poll)], { isWatched: false })).toEqual({ kind: 'stay', why: 'not-woken' });
  });

  it('A driver stays when the run continues within ten minutes', () => {
    expect(choose([time(now + 600_000)])).toEqual({ kind: 'stay', why: 'soon' });
    expect(choose([time(now + 600_001)])).toEqual({ kind: 'leave' });
    // A reminder does not resume the run.
    expect(choose([time(now + hour), reminder(now + 1000)])).toEqual({ kind: 'leave' });
  });

  it('A driver in a terminal always stays', () => {
    expect(choose([time(now + hour)], { isTerminal: true })).toEqual({ kind: 'stay', why: 'terminal' });
  });

  it('A driver leaves a run that only a person can continue, whether a watch runs or not', () => {
    expect(choose([reminder(now + hour)], { isWatched: false })).toEqual({ kind: 'leave' });
  });

  it('A driver leaves a run that waits for a command, because a watch runs that command too', () => {
    expect(choose([of(poll)])).toEqual({ kind: 'leave' });
  });

  it('A driver does not leave a wait whose time has come', () => {
    expect(choose([time(now)])).toEqual({ kind: 'look' });
    expect(choose([{ kind: 'limit', at: now - 1 }])).toEqual({ kind: 'look' });
    expect(choose([reminder(now - 1)], { isWatched: false })).toEqual({ kind: 'look' });
    const either: Condition = { kind: 'any', of: [{ kind: 'time', at: now - 1 }, poll] };
    expect(choose([of(either)])).toEqual({ kind: 'look' });
    const both: Condition = { kind: 'all', of: [{ kind: 'time', at: now - 1 }, poll] };
    expect(choose([of(both)])).toEqual({ kind: 'leave' });
  });

  it('Only future times count as the next time', () => {
    expect(nextTime([time(now - 1), time(now + 5), reminder(now + 2)], now)).toBe(now + 5);
    expect(nextTime([of(poll)], now)).toBe(Infinity);
  });
});

function choose(awaited: readonly AwaitedCondition[], other: Partial<Wait> = {}) {
  return leaveOrStay({ awaited, now, isTerminal: false, isWatched: true, ...other });
}

function time(at: number): AwaitedCondition {
  return of({ kind: 'time', at });
}

function of(condition: Condition): AwaitedCondition {
  return { kind: 'suspension', suspensionId: 's', condition, isApproved: false, since: 0 };
}

function reminder(at: number): AwaitedCondition {
  return { kind: 'reminder', suspensionId: 's', at };
}
