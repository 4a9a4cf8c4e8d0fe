import { describe, expect, it } from 'vitest';
import type { Evidence } from '#kernel/criterion.ts';
import type { Finding } from '#ports/checker.ts';
import { doubtFewer, doubtSilence } from './silent-runner.ts';

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

describe('a test runner that executes fewer tests than before the work', () => {
  const before = { ...base, tests: { executed: 5, skipped: 0 } };
  const now = (executed: number, skipped = 0): Finding => ({ ...pass, tests: { executed, skipped } });

  it('is no pass, and both numbers are told [K7]', () => {
    expect(doubtFewer(now(4), 'npm test', before)).toMatchObject({
      verdict: 'unknown',
      reason: 'exit 0, but it executed 4 tests, and 5 before the work',
    });
    expect(doubtFewer(now(1, 4), 'make', before)?.reason).toContain(
      'executed 1 test (4 more skipped), and 5',
    );
  });

  it('is believed with as many, with more, where nobody told, and where the command chooses itself [K7]', () => {
    expect(doubtFewer(now(5), 'npm test', before)).toBeNull();
    expect(doubtFewer(now(6, 3), 'npm test', before)).toBeNull();
    expect(doubtFewer(pass, 'npm test', before)).toBeNull();
    expect(doubtFewer(now(4), 'npm test', base)).toBeNull();
    expect(doubtFewer(now(4), 'vitest run --changed main', before)).toBeNull();
    expect(doubtFewer({ ...now(4), verdict: 'fail' }, 'npm test', before)).toBeNull();
  });
});
