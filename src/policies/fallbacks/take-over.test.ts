import { expect, test } from 'vitest';
import type { AgentChoice, SessionResult, Step } from '#kernel/model/step.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import {
  playRun,
  simulatedConfig,
  simulatedPolicy,
  simulatedTask,
  wakeTime,
} from '#test/simulated/simulated-run.ts';

const hourMs = 3_600_000;
const first = { name: 'simulated', model: null };
const second = { name: 'second', model: null };
const third = { name: 'second', model: 'large' };

function playing(
  fallbacks: readonly AgentChoice[],
  onUsageLimit: 'fallback' | 'wait' = 'fallback',
): PlayedRun {
  const policy = simulatedPolicy({ routing: { domains: {}, fallbacks, onUsageLimit } });
  const played = playRun({ tasks: [simulatedTask('main')], config: simulatedConfig({ policy }) });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  return played;
}

function limitedUntil(resetAt: number): Partial<SessionResult> {
  return {
    ending: { kind: 'failed', errorClass: 'usage-limit', detail: 'used up', resetAt },
    signal: null,
    endTree: null,
  };
}

function builderOf(step: Step): AgentChoice | null {
  return step.deed.kind === 'session' ? step.deed.agent : null;
}

function taskOf(played: PlayedRun) {
  const [only] = played.run.tasks.values();
  if (only === undefined) throw new Error('the run has a task');
  return only;
}

test('Another builder of the list takes over while one is limited, without an attempt or a step along the list [U5] [C6]', () => {
  const played = playing([second]);
  const resetAt = played.run.now + 2 * hourMs;
  played.endSession(played.beginOne(), limitedUntil(resetAt));
  const meanwhile = played.beginOne();
  expect(builderOf(meanwhile)).toEqual(second);
  expect(meanwhile.deed).toMatchObject({ attempt: 1 });
  // The time in which another agent works counts as work.
  expect(played.run.limitedUntil).toBeNull();
  expect(played.events.find(({ type }) => type === 'usage-limited')).toMatchObject({
    limited: first,
    takenOverBy: second,
  });
  expect(taskOf(played)).toMatchObject({ attempt: 1, failures: { count: 0, fallbackIndex: 0 } });
  played.endSession(meanwhile, { endTree: 'whole' });
  played.endCheck(played.beginOne(), { works: 'pass' });
  played.settle();
  expect(taskOf(played)).toMatchObject({ status: { is: 'proven' }, attempt: 1 });
  expect(played.run.sessions.map(({ agent }) => agent)).toEqual([first, second]);
});

test('The first builder works again once its limit is over [U5] [C6]', () => {
  const played = playing([second]);
  const resetAt = played.run.now + hourMs;
  played.endSession(played.beginOne(), limitedUntil(resetAt));
  const meanwhile = played.beginOne();
  played.pass(hourMs + 10_000);
  played.endSession(meanwhile, { ending: { kind: 'cancelled', reason: 'it was ended' }, signal: null });
  expect(builderOf(played.beginOne())).toEqual(first);
});

test('When every builder is limited, the run waits for the earliest reset, and that builder continues [U5] [C6]', () => {
  const played = playing([second, third]);
  const { now } = played.run;
  played.endSession(played.beginOne(), limitedUntil(now + 5 * hourMs));
  played.endSession(played.beginOne(), limitedUntil(now + hourMs));
  const last = played.beginOne();
  expect(builderOf(last)).toEqual(third);
  played.endSession(last, limitedUntil(now + 3 * hourMs));
  const decision = played.settle();
  expect(decision).toMatchObject({ until: [{ kind: 'limit' }], start: [] });
  const wakeAt = wakeTime(decision);
  expect(played.run.limitedUntil).toBe(wakeAt);
  expect((wakeAt ?? 0) - now).toBeLessThan(hourMs + 11_000);
  played.pass((wakeAt ?? 0) - played.run.now);
  const next = played.beginOne();
  expect(builderOf(next)).toEqual(second);
  expect(next.deed).toMatchObject({ attempt: 1 });
  expect(taskOf(played)).toMatchObject({ attempt: 1, failures: { count: 0, fallbackIndex: 0 } });
});

test('With routing.onUsageLimit "wait", the limited builder waits although others could work [U5]', () => {
  const played = playing([second], 'wait');
  played.endSession(played.beginOne(), limitedUntil(played.run.now + hourMs));
  const decision = played.settle();
  expect(decision).toMatchObject({ until: [{ kind: 'limit' }], start: [] });
  const wakeAt = wakeTime(decision);
  played.pass((wakeAt ?? 0) - played.run.now);
  expect(builderOf(played.beginOne())).toEqual(first);
});

test('A limit that ends later than the longest wait does not park the run while another builder is free [U5]', () => {
  const played = playing([second]);
  played.endSession(played.beginOne(), limitedUntil(played.run.now + 100 * hourMs));
  expect(builderOf(played.beginOne())).toEqual(second);
});

test('An interrupted conversation is never continued by another agent [U5] [Q5]', () => {
  const played = playing([second]);
  played.endSession(played.beginOne(), {
    ending: { kind: 'interrupted', resumeId: 'abc' },
    signal: null,
    endTree: 'half',
  });
  const resumed = played.beginOne();
  expect(resumed.deed).toMatchObject({ resume: 'abc', agent: first });
  played.endSession(resumed, { ...limitedUntil(played.run.now + hourMs), notAdmitted: true });
  const other = played.beginOne();
  expect(other.deed).toMatchObject({ resume: null, agent: second });
});

test('A refused start keeps the conversation and the content of the prompt for the next start [U5] [Q5]', () => {
  const played = playing([]);
  played.endSession(played.beginOne(), {
    ending: { kind: 'interrupted', resumeId: 'abc' },
    signal: null,
    endTree: 'half',
  });
  played.ask({ kind: 'tell', text: 'use the parser' });
  played.settle();
  const refused = played.beginOne();
  played.endSession(refused, { ...limitedUntil(played.run.now + hourMs), notAdmitted: true });
  const wakeAt = wakeTime(played.settle());
  played.pass((wakeAt ?? 0) - played.run.now);
  const again = played.beginOne();
  expect(again).toMatchObject({ baseTree: 'half', deed: { resume: 'abc', attempt: 1, agent: first } });
  expect(again.deed).toMatchObject({ prompt: expect.stringContaining('use the parser') as string });
});
