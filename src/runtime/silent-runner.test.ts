import { describe, expect, it } from 'vitest';
import type { Evidence } from '#kernel/criterion.ts';
import type { Finding } from '#ports/checker.ts';
import { doubtSilence } from './silent-runner.ts';

const pass: Finding = {
  verdict: 'pass',
  reason: 'exit 0',
  ending: { kind: 'exited', code: 0 },
  tail: '',
  durationMs: 1,
};
const base: Evidence = {
  ...pass,
  verdict: 'fail',
  taskId: 't',
  criterionId: 'c',
  stepId: 's',
  purpose: 'base',
  place: 'clean',
  tree: 'x',
  command: null,
  log: null,
  ranTests: true,
};

describe('a test runner that says nothing any more', () => {
  it.each(['python3 -m unittest', 'pytest tests', 'node --test tests/a.test.js', 'go test ./...'])(
    'is no pass: %s [K7]',
    (command) => {
      expect(doubtSilence(pass, command, base).verdict).toBe('unknown');
      expect(doubtSilence({ ...pass, ranTests: true }, command, base)).toMatchObject({ verdict: 'pass' });
    },
  );

  it('is believed where something may swallow what it says, or where it never said anything [K7]', () => {
    expect(doubtSilence(pass, 'mvn -q test', base).verdict).toBe('pass');
    expect(doubtSilence(pass, 'out=$(pytest) || echo "$out"', base).verdict).toBe('pass');
    expect(doubtSilence(pass, 'pytest > log', base).verdict).toBe('pass');
    expect(doubtSilence(pass, 'pytest', { ...base, ranTests: false }).verdict).toBe('pass');
    expect(doubtSilence(pass, 'pytest', undefined).verdict).toBe('pass');
  });
});
