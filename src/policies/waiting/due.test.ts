import { describe, expect, it } from 'vitest';
import type { AwaitedCondition, Condition } from '#kernel/waiting/condition.ts';
import { isDue, type KnownOfWorld } from './due.ts';
import { wakeAgainAfterMs } from './wake-again.ts';

const now = 1_000_000;
const poll: Condition = { kind: 'poll', command: 'true', everyMs: 60_000, until: now * 2, timeoutMs: 1 };
const file: Condition = { kind: 'file', path: '/ready' };

describe('Due conditions of a waiting run [D2]', () => {
  it('A time, a limit or a reminder is due when the clock has reached it', () => {
    expect(due(of({ kind: 'time', at: now }))).toBe(true);
    expect(due(of({ kind: 'time', at: now + 1 }))).toBe(false);
    expect(due({ kind: 'limit', at: now })).toBe(true);
    expect(due({ kind: 'reminder', suspensionId: 's', at: now + 1 })).toBe(false);
  });

  it('A poll is due when its interval has passed since its last run, in any process', () => {
    expect(due(of(poll))).toBe(true);
    expect(due(of(poll), { lastPollAt: () => now - 59_999 })).toBe(false);
    expect(due(of(poll), { lastPollAt: () => now - 60_000 })).toBe(true);
    // A poll from the future: the clock was set back.
    expect(due(of(poll), { lastPollAt: () => now + 1 })).toBe(true);
  });

  it('A file is due when it exists, an approval when it was given', () => {
    expect(due(of(file))).toBe(false);
    expect(due(of(file), { isFileThere: () => true })).toBe(true);
    expect(due(of({ kind: 'manual' }))).toBe(false);
    expect(due({ ...of({ kind: 'all', of: [{ kind: 'manual' }, poll] }), isApproved: true })).toBe(true);
  });

  it('A combined condition is due when its known parts satisfy it', () => {
    expect(due(of({ kind: 'all', of: [{ kind: 'time', at: now + 1 }, poll] }))).toBe(false);
    expect(due(of({ kind: 'any', of: [{ kind: 'time', at: now + 1 }, poll] }))).toBe(true);
  });
});

describe('Back-off of a run that was woken in vain [U3]', () => {
  it('The pause between wake-ups doubles with each try, up to ten minutes', () => {
    const waits = [1, 2, 3, 20, 10_000].map((tries) => wakeAgainAfterMs([of(file)], tries));
    expect(waits).toEqual([10_000, 20_000, 40_000, 600_000, 600_000]);
  });

  it('A poll never runs sooner than its interval', () => {
    const rare: Condition = { ...poll, everyMs: 3_600_000 };
    expect(wakeAgainAfterMs([of(rare)], 1)).toBe(3_600_000);
    expect(wakeAgainAfterMs([of(poll), of(rare)], 1)).toBe(60_000);
  });
});

function due(awaited: AwaitedCondition, known: Partial<KnownOfWorld> = {}): boolean {
  return isDue([awaited], { now, lastPollAt: () => null, isFileThere: () => false, ...known });
}

function of(condition: Condition): Extract<AwaitedCondition, { readonly kind: 'suspension' }> {
  return { kind: 'suspension', suspensionId: 's', condition, isApproved: false, since: 0 };
}
