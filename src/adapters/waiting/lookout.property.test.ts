// Promises of a lookout under any clock: no result too early, none later than a poll, no polls that overlap.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AwaitedCondition, Condition, SimpleCondition } from '#kernel/waiting/condition.ts';
import type { Sighting } from '#ports/lookout.ts';
import { assertProperty, countReached } from '#test/assert-property.ts';
import { simulatedClock, type SimulatedClock } from '#testing/simulated-clock.ts';
import { createLookout } from './lookout.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const start = Date.UTC(2026, 9, 24);

/** The clock runs, is set, shows 1970 after the start of the machine, or goes an hour back in the night that ends summer time. */
const moves = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('runs' as const), ms: fc.integer({ min: 1, max: 6 * hourMs }) }),
    fc.record({ kind: fc.constant('is set' as const), ms: fc.integer({ min: -2 * dayMs, max: 2 * dayMs }) }),
    fc.constantFrom({ kind: 'is set' as const, ms: -hourMs }, { kind: 'is set' as const, ms: hourMs }),
    fc.constant({ kind: 'forgets the date' as const, ms: 0 }),
  ),
  { minLength: 3, maxLength: 30 },
);

function suspension(condition: Condition, isApproved = false): AwaitedCondition {
  return { kind: 'suspension', suspensionId: 's', condition, isApproved, since: start };
}

/** Everything that has been resolved is known after this. */
async function settle(): Promise<void> {
  await new Promise<void>((resolve) => {
    process.nextTick(resolve);
  });
}

/** Lets time pass from one sleeper to the next, as it does. */
async function run(clock: SimulatedClock, ms: number, after: () => void = () => {}): Promise<void> {
  const end = clock.now() + ms;
  for (let due = clock.nextDue(); due !== null && due <= end; due = clock.nextDue()) {
    clock.advance(Math.max(0, due - clock.now()));
    await settle();
    after();
  }
  clock.advance(Math.max(0, end - clock.now()));
  await settle();
  after();
}

const never = new AbortController().signal;

describe('time conditions', () => {
  it('A time is never met before the wall clock shows it, and always as soon as it does, whatever the clock does [U2]', async () => {
    const back = countReached('a clock that was past the time when the wait began anew', { floor: 0.05 });
    const reached = countReached('a time that is reached', { floor: 0.2 });
    await assertProperty(
      fc.asyncProperty(moves, fc.integer({ min: 0, max: dayMs }), async (all, inMs) => {
        const clock = simulatedClock(start);
        const at = start + inMs;
        const looks = { poll: async () => null, file: async () => false };
        const lookout = createLookout({ clock, probes: looks });
        let seen: Sighting | null = null;
        let isPast = false;
        let earliest = Infinity;
        const watch = (): void => {
          isPast ||= clock.now() >= at;
          if (isPast) reached.mark();
          if (isPast && clock.now() < at) back.mark();
          expect(seen !== null).toBe(isPast);
        };
        void lookout.wait([suspension({ kind: 'time', at })], never).then((sighting) => {
          seen = sighting;
          earliest = Math.min(earliest, sighting?.seenAt ?? Infinity);
        });
        await settle();
        watch();
        for (const { kind, ms } of all) {
          if (kind === 'runs') await run(clock, ms, watch);
          else clock.jump(kind === 'is set' ? ms : 1000 - clock.now());
          await settle();
          watch();
        }
        await lookout.close();
        expect(earliest).toBeGreaterThanOrEqual(at);
      }),
      { reaches: [back, reached] },
    );
  });
});

describe('poll conditions', () => {
  const poll = {
    kind: 'poll',
    command: 'ci',
    everyMs: 60_000,
    until: start + hourMs,
    timeoutMs: 1000,
  } as const;

  it('A poll runs once at a time, an interval after its last run ended, however often it is waited for [U3]', async () => {
    const interrupted = countReached('a wait that ends during a look', { floor: 0.2 });
    const slow = countReached('a look that takes longer than the interval', { floor: 0.2 });
    await assertProperty(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 200_000 }), fc.boolean()), {
          minLength: 3,
          maxLength: 12,
        }),
        fc.integer({ min: 1, max: 150_000 }),
        async (waits, lookMs) => {
          const clock = simulatedClock(start);
          const began: number[] = [];
          const ended: number[] = [];
          let underWay = 0;
          let most = 0;
          const look = async () => {
            underWay += 1;
            most = Math.max(most, underWay);
            began.push(clock.now());
            await clock.waitUntil(clock.now() + lookMs, never);
            ended.push(clock.now());
            underWay -= 1;
            return { isMet: false, words: 'exit 1', looks: began.length };
          };
          const lookout = createLookout({ clock, probes: { poll: look, file: async () => false } });
          if (lookMs > poll.everyMs) slow.mark();
          for (const [ms, isAborted] of waits) {
            const over = new AbortController();
            const waiting = lookout.wait([suspension({ ...poll, until: start + 9 * dayMs })], over.signal);
            await settle();
            await run(clock, ms);
            if (underWay > 0) interrupted.mark();
            if (isAborted) over.abort();
            // A wait that was not cancelled continues beside the next one.
            expect(isAborted ? await waiting : null).toBeNull();
          }
          for (const [index, at] of began.slice(1).entries())
            expect(at - (ended[index] ?? Infinity)).toBeGreaterThanOrEqual(poll.everyMs);
          expect(most).toBe(1);
        },
      ),
      { reaches: [interrupted, slow], numRuns: 60 },
    );
  });

  it('A poll that is met while nothing waits for it is met for the next wait, without another run [U3]', async () => {
    const clock = simulatedClock(start);
    let looks = 0;
    const look = async () => {
      looks += 1;
      await clock.waitUntil(clock.now() + 5000, never);
      return { isMet: true, words: 'exit 0', looks };
    };
    const lookout = createLookout({ clock, probes: { poll: look, file: async () => false } });
    const over = new AbortController();
    const first = lookout.wait([suspension(poll)], over.signal);
    await settle();
    over.abort();
    expect(await first).toBeNull();
    await run(clock, 6000);
    expect(await lookout.wait([suspension(poll)], never)).toMatchObject({
      kind: 'met',
      what: '`ci` exited 0',
    });
    expect(looks).toBe(1);
  });

  it('A poll is given up only by a run that began after its limit, also if no process ran it for days [U3]', async () => {
    for (const jump of [0, 30 * 60_000, 2 * hourMs, 5 * dayMs]) {
      const clock = simulatedClock(start);
      const began: number[] = [];
      const look = async () => {
        began.push(clock.now());
        return { isMet: false, words: 'exit 1: red', looks: began.length };
      };
      const lookout = createLookout({ clock, probes: { poll: look, file: async () => false } });
      clock.jump(jump);
      let seen: Sighting | null = null;
      void lookout.wait([suspension(poll)], never).then((sighting) => {
        seen = sighting;
      });
      await settle();
      expect(seen === null).toBe(jump < hourMs);
      await run(clock, 2 * hourMs);
      expect(seen).toMatchObject({ kind: 'expired', what: 'exit 1: red', looks: began.length });
      expect(began.at(-1)).toBeGreaterThanOrEqual(poll.until);
      expect(began.filter((at) => at >= poll.until)).toHaveLength(1);
    }
  });

  it('A poll that another process runs is not given up, and is tried again soon, whatever its interval is [U3]', async () => {
    const clock = simulatedClock(start + 2 * hourMs);
    const tried: number[] = [];
    const look = async () => {
      tried.push(clock.now());
      return tried.length < 3 ? null : { isMet: false, words: 'exit 1', looks: 1 };
    };
    const lookout = createLookout({ clock, probes: { poll: look, file: async () => false } });
    const waiting = lookout.wait([suspension(poll)], never);
    await settle();
    await run(clock, 5 * 60_000);
    expect(await waiting).toMatchObject({ kind: 'expired', looks: 1 });
    expect(tried.map((at) => at - (tried[0] ?? 0))).toEqual([0, 5_000, 10_000]);
  });

  it('Each of many polls gets its turn, and no more run at once than are allowed [U3]', async () => {
    const clock = simulatedClock(start);
    let underWay = 0;
    let most = 0;
    const seen = new Set<string>();
    const look = async (_: unknown, { command }: { readonly command: string }) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await clock.waitUntil(clock.now() + 1000, never);
      underWay -= 1;
      seen.add(command);
      return { isMet: false, words: 'exit 1', looks: 1 };
    };
    const lookout = createLookout({ clock, pollsMax: 3, probes: { poll: look, file: async () => false } });
    const of = Array.from({ length: 10 }, (_, index) => ({ ...poll, command: `c${index}` }));
    const looked = lookout.probe([suspension({ kind: 'all', of })]);
    await settle();
    await run(clock, 20_000);
    expect(await looked).toBeNull();
    expect([most, seen.size]).toEqual([3, 10]);
  });

  it('Closing the lookout aborts the poll under way and waits for its end [U3]', async () => {
    const clock = simulatedClock(start);
    let isEnded = false;
    const look = async (_: unknown, __: unknown, signal: AbortSignal) => {
      await clock.waitUntil(clock.now() + hourMs, signal);
      isEnded = true;
      return { isMet: false, words: 'cancelled', looks: 1 };
    };
    const lookout = createLookout({ clock, probes: { poll: look, file: async () => false } });
    const waiting = lookout.wait([suspension(poll)], never);
    await settle();
    const closed = lookout.close();
    await settle();
    expect(isEnded).toBe(true);
    await closed;
    expect(await waiting).toBeNull();
  });
});

describe('combined conditions', () => {
  const leaf: fc.Arbitrary<SimpleCondition> = fc.oneof(
    fc.record({ kind: fc.constant('time' as const), at: fc.constantFrom(start - 1, start, start + 1) }),
    fc.constant({ kind: 'manual' as const }),
    fc.record({ kind: fc.constant('file' as const), path: fc.constantFrom('/there', '/gone') }),
    fc.record({
      kind: fc.constant('poll' as const),
      command: fc.constantFrom('green', 'red'),
      everyMs: fc.constant(60_000),
      until: fc.constantFrom(start - 1, start + dayMs),
      timeoutMs: fc.constant(1000),
    }),
  );
  const { tree } = fc.letrec<{ tree: Condition }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.record({
        kind: fc.constant('any' as const),
        of: fc.array(tie('tree'), { minLength: 1, maxLength: 4 }),
      }),
      fc.record({
        kind: fc.constant('all' as const),
        of: fc.array(tie('tree'), { minLength: 1, maxLength: 4 }),
      }),
    ),
  }));

  const isTrue = (condition: Condition, isApproved: boolean): boolean => {
    switch (condition.kind) {
      case 'any':
        return condition.of.some((one) => isTrue(one, isApproved));
      case 'all':
        return condition.of.every((one) => isTrue(one, isApproved));
      case 'time':
        return condition.at <= start;
      case 'manual':
        return isApproved;
      case 'file':
        return condition.path === '/there';
      case 'poll':
        return condition.command === 'green';
    }
  };
  const isHopeless = (condition: Condition): boolean => {
    switch (condition.kind) {
      case 'any':
        return condition.of.every(isHopeless);
      case 'all':
        return condition.of.some(isHopeless);
      case 'poll':
        return condition.command === 'red' && condition.until <= start;
      default:
        return false;
    }
  };

  it('Combined conditions are met, given up or open as their parts say [U2]', async () => {
    const reached = {
      met: countReached('a condition that is met', { floor: 0.1 }),
      expired: countReached('a condition that is given up', { floor: 0.02 }),
      open: countReached('a condition that is open', { floor: 0.1 }),
    };
    await assertProperty(
      fc.asyncProperty(tree, fc.boolean(), async (condition, isApproved) => {
        const lookout = createLookout({
          clock: simulatedClock(start),
          probes: {
            poll: async (_, { command }) => ({ isMet: command === 'green', words: 'exit', looks: 1 }),
            file: async ({ path }) => path === '/there',
          },
        });
        const seen = await lookout.probe([suspension(condition, isApproved)]);
        const expected = isTrue(condition, isApproved) ? 'met' : isHopeless(condition) ? 'expired' : 'open';
        expect(seen?.kind ?? 'open').toBe(expected);
        reached[expected].mark();
      }),
      { numRuns: 300, reaches: [reached.met, reached.expired, reached.open] },
    );
  });
});

describe('late conditions', () => {
  it('A condition that is noticed late says why; within a minute and a half it is not late [U2]', async () => {
    const asked: [number, boolean][] = [];
    const whyLate = (lateMs: number, isResident: boolean): string => {
      asked.push([lateMs, isResident]);
      return isResident ? 'the machine slept' : 'no process was running';
    };
    const looks = { poll: async () => null, file: async () => false };
    const at = start + hourMs;
    const clock = simulatedClock(start);
    const lookout = createLookout({ clock, probes: looks, whyLate });
    const resident = lookout.wait([suspension({ kind: 'time', at })], never);
    await settle();
    clock.jump(9 * hourMs);
    expect(await resident).toMatchObject({ due: at, late: 'the machine slept', seenAt: start + 9 * hourMs });
    const later = createLookout({ clock, probes: looks, whyLate });
    expect(await later.probe([suspension({ kind: 'time', at })])).toMatchObject({
      late: 'no process was running',
    });
    expect(asked).toEqual([
      [8 * hourMs, true],
      [8 * hourMs, false],
    ]);
    const inTime = createLookout({ clock: simulatedClock(at + 89_000), probes: looks, whyLate });
    expect(await inTime.probe([suspension({ kind: 'time', at })])).not.toHaveProperty('late');
  });
});
