import { describe, expect, it } from 'vitest';
import { parseSessionResult } from './session-result.ts';

const blocker = { what: 'it crashes', severity: 'major', isSecurity: false, command: null };
const verdict = { verdict: 'pass', confidence: 0.9, blockers: [], text: '' };

function withVerdict(change: object): unknown {
  return {
    kind: 'session',
    ending: { kind: 'finished' },
    signal: { kind: 'verdict', verdict: { ...verdict, ...change } },
    usage: { usd: 1, tokens: 2 },
    endTree: 'a'.repeat(40),
    log: 'verifier_001.jsonl',
    ran: { driver: 'claude', model: null },
  };
}

describe('a session result from a file or a pipe', () => {
  it('carries a verdict that is whole [Q10]', () => {
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
  ])('is none with a damaged verdict: %j [Q10]', (change) => {
    expect(parseSessionResult(withVerdict(change))).toBeNull();
  });
});

describe('the id of a conversation in a session result', () => {
  const withId = (resumeId: unknown): unknown => ({ ...(withVerdict({}) as object), resumeId });

  it('is kept as it was written, and may be missing [A1]', () => {
    expect(parseSessionResult(withId('thread-1'))?.resumeId).toBe('thread-1');
    expect(parseSessionResult(withId('x'.repeat(512)))?.resumeId).toHaveLength(512);
    expect(parseSessionResult(withVerdict({}))).not.toHaveProperty('resumeId');
  });

  it.each(['', 'x'.repeat(513), 7, null, ['thread-1']])(
    'makes the result unreadable as %j [A1]',
    (resumeId) => {
      expect(parseSessionResult(withId(resumeId))).toBeNull();
    },
  );
});
