import { expect, test } from 'vitest';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import { playRun, simulatedTask } from '#test/simulated/simulated-run.ts';
import { apply } from '#kernel/fold/apply.ts';
import { emptyLedger, noReserve, settleReserve } from '#kernel/model/budget.ts';
import type { Step } from '#kernel/model/step.ts';

const hour = 3_600_000;

function begun(): { played: PlayedRun; builder: Step } {
  const played = playRun({ tasks: [simulatedTask('main')] });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  return { played, builder: played.beginOne() };
}

test('The time between a killed driver and the next one is not active time [X1]', () => {
  const { run } = begun().played;
  const before = run.activeMs;
  apply(run, { at: run.now + hour, type: 'driver-started', epoch: 2, driver: 'next' });
  expect(run.activeMs).toBe(before);
});

test('The wait for the end of a usage limit is not active time [X1]', () => {
  const { played, builder } = begun();
  const { run } = played;
  const until = run.now + hour;
  const ending = { kind: 'failed', errorClass: 'usage-limit', detail: 'full', resetAt: until } as const;
  played.endSession(builder, { ending, signal: null });
  played.settle();
  const before = run.activeMs;
  played.pass(hour);
  expect(run.activeMs).toBe(before);
});

test('The time of a run does not decrease when an event has an earlier time [B1]', () => {
  const { run } = begun().played;
  const { now, activeMs } = run;
  apply(run, { at: now - hour, type: 'clock-reached', due: now });
  expect(run).toMatchObject({ now, activeMs });
});

test('A driver that does not raise the epoch is refused [Q4]', () => {
  const { run } = begun().played;
  const again = { at: run.now, type: 'driver-started', epoch: run.epoch, driver: 'old' } as const;
  expect(() => apply(run, again)).toThrow('does not follow epoch');
});

test('Transient errors of a provider are counted until a session works again [X3]', () => {
  const { played, builder } = begun();
  const ending = { kind: 'failed', errorClass: 'network', detail: 'no route' } as const;
  played.endSession(builder, { ending, signal: null });
  played.settle();
  played.pass(hour);
  played.endSession(played.beginOne(), { ending, signal: null });
  expect(played.run.tasks.get('main')?.provider.transientError).toMatchObject({ count: 2 });
  played.pass(hour);
  played.endSession(played.beginOne(), { endTree: 'work' });
  expect(played.run.tasks.get('main')?.provider.transientError).toBeNull();
});

test('A session whose client reports no cost makes the sum of dollars a lower bound [X1]', () => {
  const ledger = emptyLedger();
  settleReserve(ledger, noReserve, { usd: null, tokens: null });
  expect(ledger.usdIsComplete).toBe(true);
  settleReserve(ledger, { sessions: 1, usd: 1, tokens: 1 }, { usd: null, tokens: 5 });
  expect(ledger.usdIsComplete).toBe(false);
});
