import { describe, expect, it } from 'vitest';
import type { SessionEnding } from '#kernel/model/ending.ts';
import type { Event, Fact } from '#kernel/events/events.ts';
import type { Signal } from '#kernel/model/signal.ts';
import { sanityFindings, wordsFor } from './sanity-findings.ts';

const done: Signal = { kind: 'done' };

function session(
  role: string,
  change: { ending?: SessionEnding; signal?: Signal | null; endTree?: string } = {},
): Fact[] {
  const stepId = `0001-${role}`;
  return [
    {
      type: 'step-started',
      step: {
        stepId,
        taskId: 'main',
        baseTree: 't',
        reserve: { sessions: 1, usd: 1, tokens: 1 },
        deed: {
          kind: 'session',
          role,
          attempt: 1,
          ordinal: 1,
          agent: { name: 'a', model: null },
          prompt: '',
          readOnly: role === 'verifier',
          words: { done: '', reportTag: null },
          limits: { wallMs: 1, idleMs: 1, graceMs: 1 },
          resume: null,
        },
      },
    },
    {
      type: 'step-ended',
      stepId,
      result: {
        kind: 'session',
        ending: change.ending ?? { kind: 'finished' },
        signal: change.signal === undefined ? done : change.signal,
        usage: { usd: 0, tokens: 0 },
        endTree: change.endTree ?? 't',
        log: `${role}_001.jsonl`,
        ran: { driver: 'x', model: null },
      },
    },
  ];
}

function seen(verdict: 'pass' | 'fail', criterionId = 'sanity-file'): Fact {
  return {
    type: 'evidence-recorded',
    evidence: {
      taskId: 'main',
      criterionId,
      stepId: 's',
      purpose: 'attempt',
      place: 'workspace',
      tree: 't',
      verdict,
      reason: verdict === 'pass' ? 'exit 0' : 'exit 1',
      command: 'x',
      ending: null,
      tail: '',
      log: null,
      durationMs: 1,
    },
  };
}

function look(...facts: readonly Fact[]) {
  const events = facts.map((fact): Event => ({ at: 1, ...fact }));
  return sanityFindings(events, () => 'do this');
}

function failure(...facts: readonly Fact[]) {
  const found = look(...facts);
  const at = found.findIndex((one) => one.isGood === false);
  // Whatever comes after the first failure was not come to.
  expect(found.slice(0, at).every((one) => one.isGood === true)).toBe(true);
  expect(found.slice(at + 1).every((one) => one.isGood === null)).toBe(true);
  expect(found).toHaveLength(6);
  return { at, text: found[at]?.text, fix: found[at]?.fix };
}

describe('findings of a sanity check [B12]', () => {
  it('A sanity check is good if both agents answered, we saw the file, and both printed their signal', () => {
    const found = look(...session('builder'), seen('pass'), ...session('verifier'));
    expect(found.map((one) => one.isGood)).toEqual([true, true, true, true, true, true]);
  });

  it.each<[string, Fact[], number, RegExp]>([
    ['a builder that never began', [], 0, /never started/],
    [
      'one that could not be started',
      session('builder', { ending: { kind: 'not-started', reason: 'no program "x"' } }),
      0,
      /^no program "x"$/,
    ],
    ['a word without a deed', [...session('builder'), seen('fail')], 1, /without the requested file.*exit 1/],
    ['no marker', [...session('builder', { signal: null }), seen('pass')], 2, /does not end with the marker/],
    [
      'a verifier that crashed',
      [
        ...session('builder'),
        seen('pass'),
        ...session('verifier', { ending: { kind: 'crashed', detail: 'x' } }),
      ],
      3,
      /crashed: x/,
    ],
    [
      'a verifier that wrote',
      [...session('builder'), seen('pass'), ...session('verifier', { endTree: 'other' })],
      4,
      /changed files/,
    ],
    [
      'a verifier that reports something',
      [
        ...session('builder'),
        seen('pass'),
        ...session('verifier', { signal: { kind: 'report', text: 'no such file' } }),
        seen('fail', 'verifier'),
      ],
      5,
      /it reported: no such file/,
    ],
    [
      'a verifier that prints no verdict',
      [
        ...session('builder'),
        seen('pass'),
        ...session('verifier', { signal: { kind: 'report', text: 'looks\ngood', isUntagged: true } }),
      ],
      5,
      /does not end with the marker.*it said "looks good"/,
    ],
  ])('The sanity check explains the failure: %s', (_, facts, at, text) => {
    expect(failure(...facts)).toMatchObject({ at, text: expect.stringMatching(text) as string });
  });

  it('Every class of error has a sentence in the sanity check', () => {
    const words = (errorClass: 'unknown-model' | 'network' | 'overloaded' | 'refusal'): string =>
      wordsFor({ kind: 'failed', errorClass, detail: 'd' });
    expect(words('unknown-model')).toBe('It does not know the model: d');
    expect(words('network')).toBe('It cannot reach its provider: d');
    expect(words('overloaded')).toBe('Its provider is overloaded: d');
    expect(words('refusal')).toBe('It failed (refusal): d');
    expect(wordsFor({ kind: 'timed-out', limit: 'idle' })).toBe('The session fell silent.');
  });
});
