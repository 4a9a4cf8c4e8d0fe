import { expect, test } from 'vitest';
import type { SessionResult } from '#kernel/model/step.ts';
import type { Admission, KnownLimit } from '#ports/admission.ts';
import type { SessionOrder, Sessions, SessionStep } from '#ports/sessions.ts';
import { createAdmittedSessions } from './admitted-sessions.ts';

const agent = { name: 'claude', model: null };
const finished: SessionResult = {
  kind: 'session',
  ending: { kind: 'finished' },
  signal: { kind: 'done' },
  usage: { usd: 1, tokens: 10 },
  endTree: 'tree',
  log: 'builder_001.jsonl',
  ran: { driver: 'claude', model: null },
};
const limitReached: SessionResult = {
  ...finished,
  ending: { kind: 'failed', errorClass: 'usage-limit', detail: 'used up', resetAt: 5_000 },
};
const step: SessionStep = {
  stepId: '0003-builder-main',
  taskId: 'main',
  baseTree: 'base',
  reserve: { sessions: 1, usd: 1, tokens: 1 },
  deed: {
    kind: 'session',
    role: 'builder',
    attempt: 1,
    ordinal: 1,
    agent,
    prompt: '',
    readOnly: false,
    words: { done: 'DONE', reportTag: null },
    limits: { wallMs: 1, idleMs: 1, graceMs: 1 },
    resume: null,
  },
};
const order: SessionOrder = { epoch: 1, cwd: '/', onChatter: () => {} };

function admitted(result: SessionResult, known: KnownLimit | null = null) {
  const calls: string[] = [];
  let limit = known;
  const own: Sessions = {
    warm: () => void calls.push('warm'),
    start: () => {
      calls.push('start');
      return { ended: Promise.resolve(result), steer: () => {} };
    },
    adopt: async () => result,
    close: async () => {},
  };
  const admission: Admission = {
    limitOf: () => limit,
    noteLimit: (_, { until, reason }) => {
      calls.push(`limit ${String(until)}`);
      limit = { until: until ?? 0, reason, runId: 'run-1' };
    },
    noteSuccess: (_, startedAt) => void calls.push(`success ${startedAt}`),
    forget: () => {},
  };
  const sessions = createAdmittedSessions({
    own,
    admission,
    runId: 'run-1',
    driverOf: () => 'claude',
    agents: [agent],
    now: () => 1_000,
  });
  return { sessions, calls };
}

test('A session that finishes is a success, and one that reaches a usage limit records it [U5]', async () => {
  const good = admitted(finished);
  expect(await good.sessions.start(step, order).ended).toBe(finished);
  expect(good.calls).toEqual(['start', 'success 1000']);
  const bad = admitted(limitReached);
  expect(await bad.sessions.start(step, order).ended).toBe(limitReached);
  expect(bad.calls).toEqual(['start', 'limit 5000']);
});

test('While a limit is known no host is started, not even ahead of time, and the reason names the run that reached it [U5]', async () => {
  const { sessions, calls } = admitted(finished, { until: 5_000, reason: 'used up', runId: 'run-9' });
  sessions.warm();
  const running = sessions.start(step, order);
  running.steer({ stepId: step.stepId, kind: 'interrupt' });
  expect(await running.ended).toMatchObject({
    ending: {
      kind: 'failed',
      errorClass: 'usage-limit',
      resetAt: 5_000,
      detail:
        'another run (run-9) met the usage limit of claude, which ends at 1970-01-01T00:00:05.000Z: used up',
    },
    usage: { usd: 0, tokens: 0 },
    endTree: null,
    notAdmitted: true,
  });
  expect(calls).toEqual([]);
});

test('A limit that a session reached without a driver is recorded when it is adopted, and its success clears nothing [U5] [X5]', async () => {
  const bad = admitted(limitReached);
  await bad.sessions.adopt(step);
  expect(bad.calls).toEqual(['limit 5000']);
  const good = admitted(finished);
  await good.sessions.adopt(step);
  expect(good.calls).toEqual([]);
});
