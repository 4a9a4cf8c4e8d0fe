import { describe, expect, it } from 'vitest';
import { parseSessionResult } from './session-result.ts';

const blocker = { what: 'it crashes', severity: 'major', isSecurity: false, command: null };
const verdict = { verdict: 'pass', confidence: 0.9, blockers: [], text: '' };

function withVerdict(change: object): unknown {
  return withSignal({ kind: 'verdict', verdict: { ...verdict, ...change } });
}

function withSignal(signal: object): unknown {
  return {
    kind: 'session',
    ending: { kind: 'finished' },
    signal,
    usage: { usd: 1, tokens: 2 },
    endTree: 'a'.repeat(40),
    log: 'verifier_001.jsonl',
    ran: { driver: 'claude', model: null },
  };
}

describe('a session result from a file or a pipe', () => {
  it('A session result carries a complete verdict [Q10]', () => {
    expect(parseSessionResult(withVerdict({ blockers: [blocker], confidence: null }))).not.toBeNull();
  });

  it.each([
    { verdict: 'maybe' },
    { verdict: undefined },
    { confidence: 'high' },
    { blockers: 'none' },
    { blockers: [{ ...blocker, what: 3 }] },
    { blockers: [{ ...blocker, command: 3 }] },
    { blockers: [null] },
    { text: undefined },
  ])('A session result with a damaged verdict is rejected: %j [Q10]', (change) => {
    expect(parseSessionResult(withVerdict(change))).toBeNull();
  });
});

describe('the conversation id in a session result', () => {
  const withId = (resumeId: unknown): unknown => ({ ...(withVerdict({}) as object), resumeId });

  it('The conversation id is kept as it was written, and may be missing [A1]', () => {
    expect(parseSessionResult(withId('thread-1'))?.resumeId).toBe('thread-1');
    expect(parseSessionResult(withId('x'.repeat(512)))?.resumeId).toHaveLength(512);
    expect(parseSessionResult(withVerdict({}))).not.toHaveProperty('resumeId');
  });

  it.each(['', 'x'.repeat(513), 7, null, ['thread-1']])(
    'A session result is unreadable if its conversation id is %j [A1]',
    (resumeId) => {
      expect(parseSessionResult(withId(resumeId))).toBeNull();
    },
  );
});

describe('a session result of the action loop', () => {
  const report = {
    action: 'DEVELOP',
    status: 'success',
    message: 'done',
    stateUpdates: { tasks: [] },
    filesUpdated: ['a.ts'],
    menuOptions: '',
    next: 'VALIDATE',
  };

  it('A session result carries a complete report, or the problems with one [A2]', () => {
    const results = [
      withSignal({ kind: 'action', report }),
      withSignal({ kind: 'action', report: { ...report, action: 'MENU', next: 'NONE', stateUpdates: {} } }),
      withSignal({ kind: 'action-unreadable', problems: ['no block'], text: 'I am done' }),
    ];
    for (const result of results) expect(parseSessionResult(result)).toEqual(result);
  });

  it.each<[string, object]>([
    ['no report', { kind: 'action' }],
    ['a list as report', { kind: 'action', report: [] }],
    ['an unknown action', { kind: 'action', report: { ...report, action: 'DEPLOY' } }],
    ['an unknown status', { kind: 'action', report: { ...report, status: 'ok' } }],
    ['no message', { kind: 'action', report: { ...report, message: null } }],
    ['a list as state', { kind: 'action', report: { ...report, stateUpdates: [] } }],
    ['a huge state', { kind: 'action', report: { ...report, stateUpdates: { a: 'x'.repeat(70_000) } } }],
    ['a number as file', { kind: 'action', report: { ...report, filesUpdated: [1] } }],
    ['a text as files', { kind: 'action', report: { ...report, filesUpdated: 'a.ts' } }],
    ['no menu', { kind: 'action', report: { ...report, menuOptions: undefined } }],
    ['an unknown wish', { kind: 'action', report: { ...report, next: 'done' } }],
    ['no problems', { kind: 'action-unreadable' }],
    ['a text as problems', { kind: 'action-unreadable', problems: 'none' }],
    ['an object as problem', { kind: 'action-unreadable', problems: [{}] }],
  ])('A session result whose action has %s is rejected [A2]', (_, signal) => {
    expect(parseSessionResult(withSignal(signal))).toBeNull();
  });
});
