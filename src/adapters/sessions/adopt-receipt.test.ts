// A session whose host is gone is judged by the files that it left: the receipt counts, whatever the other files
// say.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import type { SessionResult } from '#kernel/model/step.ts';
import type { LostSession, SessionStep } from '#ports/sessions.ts';
import { createHostSessions } from './host-process.ts';
import { writeHostRecord } from './host-record.ts';
import { receiptFileOf, saveReceipt } from './receipt-file.ts';

const step: SessionStep = {
  stepId: '0003-builder-main',
  taskId: 'main',
  baseTree: 'x',
  reserve: { sessions: 1, usd: 1, tokens: 1_000 },
  deed: {
    kind: 'session',
    role: 'builder',
    attempt: 1,
    ordinal: 1,
    agent: { name: 'a', model: null },
    prompt: 'do it',
    readOnly: false,
    words: { done: '==DONE==', reportTag: null },
    resume: null,
    limits: { wallMs: 60_000, idleMs: 60_000, graceMs: 300 },
  },
};
const finished: SessionResult = {
  kind: 'session',
  ending: { kind: 'finished' },
  signal: { kind: 'done' },
  usage: { usd: 1.5, tokens: 2_000 },
  endTree: 'c'.repeat(40),
  log: 'builder_001.jsonl',
  ran: { driver: 'scripted', model: null },
};
const endedAs = (result: SessionResult): string =>
  `${JSON.stringify({ at: 1, type: 'session-ended', stepId: step.stepId, result })}\n`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'untildone-adopt-'));
  mkdirSync(join(folder, 'logs'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function adopt(): Promise<unknown> {
  const sessions = createHostSessions({
    hostEntry: '/no/such/host',
    nodePath: process.execPath,
    runId: `adopt-${process.pid}`,
    receiptsDir: join(folder, 'receipts'),
    logsDir: join(folder, 'logs'),
    hostsDir: join(folder, 'hosts'),
    worktree: null,
    agents: {},
    knowledge: { prices: {}, usageLimitWordings: [] },
    envFor: () => ({}),
    processes: createProcesses({ confine: 'marker' }),
    confine: 'marker',
  });
  return sessions.adopt(step);
}

/** As a host of an earlier boot left it. */
function noteHost(): void {
  const gone = { pid: 1, startTime: null, bootId: null };
  writeHostRecord(join(folder, 'hosts'), { mark: null, stepId: step.stepId, log: finished.log, ...gone });
}

const writeLog = (text: string): void => writeFileSync(join(folder, 'logs', finished.log), text);
const save = () =>
  saveReceipt(receiptFileOf(join(folder, 'receipts'), step.stepId), {
    stepId: step.stepId,
    epoch: 1,
    result: finished,
  });

it.each([
  ['is garbage', () => writeLog('\u0000\u0000{"at":1,"type":"session-ended","stepId"')],
  ['is empty', () => writeLog('')],
  ['is gone', () => {}],
  [
    'tells of another end',
    () => writeLog(endedAs({ ...finished, ending: { kind: 'crashed', detail: 'boom' } })),
  ],
])('A session with a good receipt is adopted as finished, though its log %s [D4]', async (_, makeLog) => {
  noteHost();
  makeLog();
  await save();
  expect(await adopt()).toEqual(finished);
});

it('A session with a good receipt is adopted as finished, though nothing says which host served it [D4]', async () => {
  await save();
  expect(await adopt()).toEqual(finished);
});

it('A session with a damaged receipt is adopted from the end in its log [D4]', async () => {
  noteHost();
  writeLog(endedAs(finished));
  await save();
  writeFileSync(receiptFileOf(join(folder, 'receipts'), step.stepId), '{"stepId":');
  expect(await adopt()).toEqual(finished);
});

it('A session with a damaged receipt and a damaged log is lost, and charged with all that was reserved for it [X1]', async () => {
  noteHost();
  writeLog('garbage');
  await save();
  writeFileSync(receiptFileOf(join(folder, 'receipts'), step.stepId), '{"stepId":');
  const lost: LostSession = {
    kind: 'lost',
    reason: 'its host ended and its receipt cannot be read',
    usage: null,
  };
  expect(await adopt()).toEqual(lost);
});

it('A session is adopted with the id of its conversation, from its receipt or from its log [A1] [D4]', async () => {
  const resumable = { ...finished, resumeId: 'thread-1' };
  noteHost();
  writeLog(endedAs(resumable));
  expect(await adopt()).toEqual(resumable);
  const file = receiptFileOf(join(folder, 'receipts'), step.stepId);
  await saveReceipt(file, { stepId: step.stepId, epoch: 1, result: { ...resumable, resumeId: 'thread-2' } });
  expect(await adopt()).toMatchObject({ resumeId: 'thread-2' });
});
