import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countReached } from '#test/assert-property.ts';
import type { BudgetLimits, Reserve, Usage } from './budget.ts';
import { emptyLedger, reserveSession, settleReserve, takeReserve } from './budget.ts';

const limits: fc.Arbitrary<BudgetLimits> = fc.record({
  sessions: fc.integer({ min: 0, max: 12 }),
  attemptsPerTask: fc.constant(5),
  activeMs: fc.constant(1000),
  usd: fc.integer({ min: 0, max: 60 }),
  tokens: fc.integer({ min: 0, max: 100_000 }),
  sessionUsd: fc.integer({ min: 1, max: 10 }),
  sessionTokens: fc.integer({ min: 1, max: 20_000 }),
});

/** Each number starts a session, settles the oldest one with that part of its reserve, or loses it. */
const deeds = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant('start' as const) },
    fc.constant('lose' as const),
    fc.integer({ min: 0, max: 100 }),
  ),
  { minLength: 10, maxLength: 80 },
);

describe('The budget ledger', () => {
  it('The budget is never reserved twice and never overdrawn, whatever is started, settled and lost [X1]', () => {
    const spentOut = countReached('a session that the budget refuses', { floor: 0.3 });
    const sideBySide = countReached('several open sessions', { floor: 0.1 });
    assertProperty(
      fc.property(limits, deeds, (budget, happenings) => {
        const ledger = emptyLedger();
        const open: Reserve[] = [];
        let spentBefore = 0;
        for (const operation of happenings) {
          if (operation === 'start') {
            const reserve = reserveSession(ledger, budget);
            if ('spentOut' in reserve) {
              spentOut.mark();
              continue;
            }
            takeReserve(ledger, reserve);
            open.push(reserve);
            if (open.length > 1) sideBySide.mark();
          } else {
            const reserve = open.shift();
            if (reserve !== undefined)
              settleReserve(ledger, reserve, operation === 'lose' ? null : part(reserve, operation));
          }
          for (const kind of ['sessions', 'usd', 'tokens'] as const)
            expect(ledger.spent[kind] + ledger.reserved[kind]).toBeLessThanOrEqual(budget[kind] + 1e-6);
          expect(ledger.spent.usd).toBeGreaterThanOrEqual(spentBefore);
          spentBefore = ledger.spent.usd;
        }
      }),
      { reaches: [spentOut, sideBySide] },
    );
  });

  it('A lost session is charged with its whole reservation: a crash is never free [X1]', () => {
    const lost = countReached('a session that could start', { floor: 0.5 });
    assertProperty(
      fc.property(limits, (budget) => {
        const ledger = emptyLedger();
        const reserve = reserveSession(ledger, budget);
        fc.pre(!('spentOut' in reserve));
        lost.mark();
        takeReserve(ledger, reserve);
        settleReserve(ledger, reserve, null);
        expect(ledger.spent).toEqual(reserve);
        expect(ledger.reserved).toEqual({ sessions: 0, usd: 0, tokens: 0 });
      }),
      { reaches: [lost] },
    );
  });

  it('The spent dollars are a lower bound once a session reported no cost [X1]', () => {
    const ledger = emptyLedger();
    const reserve: Reserve = { sessions: 1, usd: 5, tokens: 100 };
    takeReserve(ledger, reserve);
    settleReserve(ledger, reserve, { usd: null, tokens: null });
    expect(ledger).toMatchObject({ spent: { sessions: 1, usd: 0 }, usdIsComplete: false });
  });

  it.each([
    [{ sessions: 0 }, '0 sessions'],
    [{ usd: 0 }, '0 USD'],
    [{ tokens: 0 }, '0 tokens'],
  ])('The budget names the limit that is used up: %o [X1]', (none, spentOut) => {
    const budget = {
      sessions: 1,
      attemptsPerTask: 5,
      activeMs: 1,
      usd: 1,
      tokens: 1,
      sessionUsd: 1,
      sessionTokens: 1,
    };
    expect(reserveSession(emptyLedger(), { ...budget, ...none })).toEqual({ spentOut });
  });
});

function part(reserve: Reserve, percent: number): Usage {
  return { usd: (reserve.usd * percent) / 100, tokens: Math.floor((reserve.tokens * percent) / 100) };
}
