// Faults of waiting are planted one at a time; each must be noticed, or the simulation proves nothing of it.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type * as LookoutModule from '#adapters/waiting/lookout.ts';
import type { LookoutOptions } from '#adapters/waiting/lookout.ts';
import type * as DecideWaiting from '#kernel/decide/decide-waiting.ts';
import type * as PassTime from '#kernel/waiting/pass-time.ts';
import { type SimpleCondition, simpleConditions } from '#kernel/waiting/condition.ts';
import type { Suspension } from '#kernel/waiting/suspension.ts';
import type { Lookout, Sighting } from '#ports/lookout.ts';
import type * as LookAndLeave from '#runtime/probe-and-leave.ts';
import { breakApply, firstViolation } from '../teeth.ts';

const inWaits = (): Promise<string> => firstViolation({}, null, ({ waits }) => waits !== null);

/** Replaces the lookout of every process. */
function breakLookout(change: (inner: Lookout, options: LookoutOptions) => Partial<Lookout>): void {
  vi.doMock('#adapters/waiting/lookout.ts', async (original) => {
    const actual = await original<typeof LookoutModule>();
    const createLookout: typeof actual.createLookout = (options) => {
      const inner = actual.createLookout(options);
      return { ...inner, ...change(inner, options) };
    };
    return { ...actual, createLookout };
  });
}

/** As if its end had not been written down. */
function openAgain({ suspensionId, at }: { readonly suspensionId: string; readonly at: number }): Suspension {
  return {
    id: suspensionId,
    taskId: null,
    condition: { kind: 'time', at },
    why: 'still',
    by: 'nobody',
    since: at,
    remindAt: null,
    isApproved: false,
    expired: null,
    isNow: false,
    isByAgent: false,
  };
}

describe('Faults of waiting', () => {
  afterEach(() => {
    vi.doUnmock('#adapters/waiting/lookout.ts');
    vi.doUnmock('#kernel/fold/apply.ts');
    vi.doUnmock('#kernel/decide/decide-waiting.ts');
    vi.doUnmock('#kernel/waiting/pass-time.ts');
    vi.doUnmock('#runtime/probe-and-leave.ts');
  });

  it('A deadline that is judged by a clock that cannot be set back is noticed [U2]', async () => {
    vi.doMock('#adapters/waiting/lookout.ts', async (original) => {
      const actual = await original<typeof LookoutModule>();
      let peak = 0;
      const createLookout: typeof actual.createLookout = (options) => {
        const { clock } = options;
        // Each life begins at the same time.
        if (clock.now() <= 1_800_000_000_000) peak = 0;
        const now = (): number => (peak = Math.max(peak, clock.now()));
        return actual.createLookout({ ...options, clock: { ...clock, now } });
      };
      return { ...actual, createLookout };
    });
    expect(await inWaits()).toMatch(/is due only in \d+ ms by the clock|is met before its condition holds/);
  });

  it('A lost wake-up, by a process that waits for a time and never sees it, is noticed [U2]', async () => {
    const withoutTimes = <T extends { readonly kind: string }>(awaited: readonly T[]): T[] =>
      awaited.filter(({ kind }) => kind !== 'suspension');
    breakLookout((inner) => ({
      probe: (awaited) => inner.probe(withoutTimes(awaited)),
      wait: (awaited, signal) => inner.wait(withoutTimes(awaited), signal),
    }));
    expect(await inWaits()).toMatch(/holds, and the process sleeps|which is due|is lost/);
  });

  it('A driver that leaves without a poll, so that every wake-up is useless, is noticed [U3]', async () => {
    vi.doMock('#runtime/probe-and-leave.ts', () => {
      const probeAndLeave: typeof LookAndLeave.probeAndLeave = async ({ until, mailbox, options }) =>
        !mailbox.hasSome() && (await options.leaveWhenParked(until)) && !mailbox.hasSome() ? 'leave' : 'stay';
      return { probeAndLeave };
    });
    expect(await inWaits()).toMatch(/is lost: its condition holds|gets nowhere/);
  });

  it('A condition that is met twice is noticed [U2]', async () => {
    breakApply((run, event) => {
      if (event.type === 'condition-met') run.suspensions.set(event.suspensionId, openAgain(event));
    });
    expect(await inWaits()).toMatch(/condition-met of k\d+, which ended already: met/);
  });

  it('A reminder that is sent again is noticed [U2]', async () => {
    breakApply((run, event) => {
      if (event.type !== 'reminded') return;
      const suspension = run.suspensions.get(event.suspensionId);
      if (suspension !== undefined) suspension.remindAt = event.at;
    });
    expect(await inWaits()).toMatch(/was reminded of twice/);
  });

  it('A poll that is given up by its time alone, without a poll after waking, is noticed [U3]', async () => {
    const expired = (awaited: Parameters<Lookout['probe']>[0], now: number): Sighting | null => {
      const isOver = (simple: SimpleCondition): boolean => simple.kind === 'poll' && now >= simple.until;
      for (const one of awaited)
        if (one.kind === 'suspension' && simpleConditions(one.condition).every(isOver))
          return { awaited: one, kind: 'expired', what: 'no look', looks: 0, seenAt: now };
      return null;
    };
    breakLookout((inner, { clock }) => ({
      probe: async (awaited) => expired(awaited, clock.now()) ?? inner.probe(awaited),
      wait: async (awaited, signal) => expired(awaited, clock.now()) ?? inner.wait(awaited, signal),
    }));
    expect(await inWaits()).toMatch(/expires without a look after its limit/);
  });

  it('Overlapping runs of one poll are noticed [U3]', async () => {
    vi.doMock('#adapters/waiting/lookout.ts', async (original) => {
      const actual = await original<typeof LookoutModule>();
      const createLookout: typeof actual.createLookout = (options) => {
        const [one, other] = [actual.createLookout(options), actual.createLookout(options)];
        return {
          ...one,
          probe: async (awaited) => (await Promise.all([one.probe(awaited), other.probe(awaited)]))[0],
          wait: async (awaited, signal) =>
            Promise.race([one.wait(awaited, signal), other.wait(awaited, signal)]),
        };
      };
      return { ...actual, createLookout };
    });
    expect(await inWaits()).toMatch(/two looks at .* overlap/);
  });

  it('A suspended task whose steps start anyway is noticed [U1]', async () => {
    vi.doMock('#kernel/decide/decide-waiting.ts', async (original) => {
      const actual = await original<typeof DecideWaiting>();
      const holdSuspendedTasks: typeof actual.holdSuspendedTasks = (run, decision) => {
        actual.holdSuspendedTasks(run, decision);
        return new Set();
      };
      return { ...actual, holdSuspendedTasks };
    });
    expect(await inWaits()).toMatch(/starts while k\d+ suspends it/);
  });

  it('A suspended run whose steps start anyway is noticed [U1]', async () => {
    breakApply((run, event) => {
      if (event.type === 'suspended' && event.taskId === undefined)
        run.suspensions.delete(event.suspensionId);
    });
    expect(await inWaits()).toMatch(/starts while k\d+ suspends it/);
  });

  it('Time in suspension that counts as work is noticed [U1]', async () => {
    vi.doMock('#kernel/waiting/pass-time.ts', async (original) => {
      const actual = await original<typeof PassTime>();
      const passTime: typeof actual.passTime = (run, event) => {
        const waited = run.isDriven && run.suspensions.size > 0 ? Math.max(0, event.at - run.now) : 0;
        actual.passTime(run, event);
        if (event.type !== 'driver-started') run.activeMs += waited;
      };
      return { ...actual, passTime };
    });
    expect(await inWaits()).toMatch(/ms are counted as work/);
  });

  it('A condition that is declared met after a person ended the suspension is noticed [U4]', async () => {
    breakApply((run, event) => {
      if (event.type === 'suspension-ended') run.suspensions.set(event.suspensionId, openAgain(event));
    });
    expect(await inWaits()).toMatch(/condition-met of k\d+, which ended already: (forced|approved|rejected)/);
  });

  it('A usage limit that is declared over before its time is noticed [U5]', async () => {
    breakLookout((inner, { clock }) => ({
      wait: async (awaited, signal) => {
        const limit = awaited.find(({ kind }) => kind === 'limit');
        if (limit === undefined) return inner.wait(awaited, signal);
        return { awaited: limit, kind: 'met', what: 'surely', seenAt: clock.now() };
      },
    }));
    expect(await inWaits()).toMatch(/limit \d+ is due only in/);
  });

  it('A condition that is met by the report of an agent, without a poll, is noticed [U2]', async () => {
    breakLookout((inner, { clock }) => ({
      probe: async (awaited) => {
        const [first] = awaited.filter(({ kind }) => kind === 'suspension');
        return first === undefined
          ? inner.probe(awaited)
          : { awaited: first, kind: 'met', what: 'surely', seenAt: clock.now() };
      },
    }));
    expect(await inWaits()).toMatch(/is met before its condition holds/);
  });
});
