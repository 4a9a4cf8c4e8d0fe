import { describe, expect, it } from 'vitest';
import type { SessionErrorClass } from '#kernel/model/ending.ts';
import { commandCriterion, playRun, simulatedTask } from '#test/simulated/simulated-run.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import { recovery } from './recover.ts';

function playing(): PlayedRun {
  const played = playRun({ tasks: [simulatedTask('main', { criteria: [commandCriterion('works')] })] });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  return played;
}

function fail(played: PlayedRun, errorClass: SessionErrorClass, resetAt?: number): void {
  const ending = {
    kind: 'failed',
    errorClass,
    detail: 'no luck',
    ...(resetAt === undefined ? {} : { resetAt }),
  } as const;
  const step = played.beginOne();
  played.endSession(step, { ending, endTree: step.baseTree });
  played.settle();
}

function task(played: PlayedRun) {
  const [only] = played.run.tasks.values();
  if (only === undefined) throw new Error('the run has a task');
  return only;
}

/** Each wait as a share of the planned one. */
function sharesOf(waits: readonly number[]): number[] {
  const planned = [5_000, 15_000, 60_000, 180_000, 600_000];
  return waits.map((wait, index) => wait / (planned[index] ?? 0));
}

/** Jitter is at most a fifth, either way. */
function isNear(share: number): boolean {
  return share >= 0.8 && share <= 1.2;
}

it('Runs that failed at the same moment do not retry at the same moment [U5]', () => {
  const waitOf = (runId: string): number => {
    const transientError = { role: 'builder', detail: '', count: 3, at: 0, resetAt: null, until: null };
    const rest = recovery(
      { ...playing().run, id: runId, now: 1 },
      { ...transientError, errorClass: 'overloaded' },
    );
    return rest?.kind === 'wait' ? rest.until : Number.NaN;
  };
  const waits = Array.from({ length: 40 }, (_, index) => waitOf(`run-${index}`));
  expect(waits.every((wait) => isNear(wait / 60_000))).toBe(true);
  expect(new Set(waits).size).toBeGreaterThan(30);
});

describe('An overloaded or unreachable provider', () => {
  it('An overloaded provider is retried after increasing waits, and no attempt is counted', () => {
    const played = playing();
    const waits: number[] = [];
    for (let count = 1; count <= 5; count += 1) {
      fail(played, 'overloaded');
      const { wakeAt, start } = played.decide();
      expect(start).toEqual([]);
      waits.push((wakeAt ?? 0) - played.run.now);
      played.pass(waits.at(-1) ?? 0);
    }
    expect(sharesOf(waits).every(isNear)).toBe(true);
    expect(task(played)).toMatchObject({ attempt: 1, failures: { count: 0 } });
    expect(played.beginOne()).toMatchObject({ deed: { role: 'builder', attempt: 1 } });
  });

  it('The work before a provider error is still checked [B4]', () => {
    const played = playing();
    const ending = { kind: 'failed', errorClass: 'overloaded', detail: 'no luck' } as const;
    played.endSession(played.beginOne(), { ending, endTree: 'half' });
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.settle();
    played.pass(5_000);
    const again = played.beginOne();
    expect(again).toMatchObject({ baseTree: 'half', deed: { role: 'builder', attempt: 1 } });
    played.endSession(again, { ending, endTree: 'whole' });
    played.endCheck(played.beginOne(), { works: 'pass' });
    played.settle();
    expect(task(played).status.is).toBe('proven');
  });

  it('A task fails when provider errors outlast the retries', () => {
    const played = playing();
    for (let count = 1; count <= 6; count += 1) {
      fail(played, 'network');
      played.pass(720_000);
      played.settle();
    }
    expect(played.run.outcome).toMatchObject({ outcome: 'failed' });
    expect(played.run.outcome?.reason).toContain('6 sessions in a row failed');
  });

  it('Provider errors are forgotten after a session that ended well', () => {
    const played = playing();
    fail(played, 'overloaded');
    played.pass(5_000);
    played.endSession(played.beginOne(), { endTree: 'work' });
    expect(task(played).provider.transientError).toBeNull();
  });
});

describe('A usage limit', () => {
  it('A run waits for the reset of a usage limit, which counts neither an attempt nor time [U5]', () => {
    const played = playing();
    const before = played.run.activeMs;
    const resetAt = played.run.now + 3 * 3_600_000;
    fail(played, 'usage-limit', resetAt);
    expect(played.decide()).toMatchObject({ start: [], until: [{ kind: 'limit' }] });
    played.pass((played.run.limitedUntil ?? 0) - played.run.now);
    expect(played.beginOne()).toMatchObject({ deed: { role: 'builder', attempt: 1 } });
    expect(played.run.activeMs - before).toBeLessThan(60_000);
  });

  it('Each run resumes at its own moment within 10 s after the reset, so that runs do not hit a shared limit together [U5]', () => {
    const resetAt = 1_000_000;
    const untilOf = (runId: string, count: number): number => {
      const limit = { errorClass: 'usage-limit', detail: 'used up', resetAt, until: null } as const;
      const transientError = { role: 'builder', count, at: resetAt - 60_000, ...limit };
      const rest = recovery({ ...playing().run, id: runId }, transientError);
      return rest?.kind === 'limited' ? rest.until - resetAt : Number.NaN;
    };
    const ids = Array.from({ length: 40 }, (_, index) => `run-${index}`);
    for (const count of [1, 2]) {
      const waits = ids.map((runId) => untilOf(runId, count));
      expect(waits.every((waitMs) => waitMs >= 1_000 && waitMs <= 10_000)).toBe(true);
      expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(7_000);
      // Different runs retry at different moments; the same run always at the same one.
      expect(new Set(waits).size).toBeGreaterThan(30);
      expect(waits).toEqual(ids.map((runId) => untilOf(runId, count)));
    }
  });

  it('A usage limit whose reset has already passed is retried less and less often', () => {
    const played = playing();
    const waits: number[] = [];
    for (let count = 1; count <= 4; count += 1) {
      fail(played, 'usage-limit', played.run.now - 1_000);
      waits.push((played.run.limitedUntil ?? 0) - played.run.now);
      played.pass(waits.at(-1) ?? 0);
    }
    expect(sharesOf(waits).every(isNear)).toBe(true);
  });

  it('A usage limit with an unknown end is retried with back-off [U5]', () => {
    const played = playing();
    fail(played, 'usage-limit');
    const until = played.run.limitedUntil ?? 0;
    expect(until - played.run.now).toBe(15 * 60_000);
    played.pass(15 * 60_000);
    fail(played, 'usage-limit');
    expect((played.run.limitedUntil ?? 0) - played.run.now).toBe(30 * 60_000);
  });

  it('A usage limit that ends later than the longest wait parks the run [U5]', () => {
    const played = playing();
    fail(played, 'usage-limit', played.run.now + 48 * 3_600_000);
    expect(played.decide()).toMatchObject({ start: [], isTimed: false });
    expect(played.decide().waitingFor).toMatch(
      /^a usage limit until \d{4}-\S+Z, which is later than the longest wait \(usageLimit.maxWait, 12 h\): no luck$/,
    );
    expect(played.run.outcome).toBeNull();
  });

  it('A person who resumes a waiting run, or one parked on a distant limit, retries the provider at once [U5]', () => {
    for (const hours of [3, 48]) {
      const played = playing();
      fail(played, 'usage-limit', played.run.now + hours * 3_600_000);
      expect(played.decide().start).toEqual([]);
      played.ask({ kind: 'resume' });
      played.settle();
      expect(played.run.limitedUntil).toBeNull();
      expect(played.beginOne()).toMatchObject({ deed: { role: 'builder', attempt: 1 } });
      expect(played.ask({ kind: 'resume' })).toBe('control-2');
      played.settle();
      // A working session has no wait that could end.
      expect(played.run.controls.get('control-2')).toBe('refused');
    }
  });

  it('Successive limits without a success count as one wait, which the cap ends [U5]', () => {
    const played = playing();
    for (let count = 1; count <= 5; count += 1) {
      fail(played, 'usage-limit', played.run.now + 2 * 3_600_000);
      expect(played.decide().until).toMatchObject([{ kind: 'limit' }]);
      played.pass((played.run.limitedUntil ?? 0) - played.run.now);
    }
    fail(played, 'usage-limit', played.run.now + 2 * 3_600_000);
    expect(played.decide()).toMatchObject({ isTimed: false, start: [] });
    expect(played.decide().waitingFor).toContain('later than the longest wait');
    expect(task(played)).toMatchObject({ attempt: 1, failures: { count: 0 } });
  });
});
