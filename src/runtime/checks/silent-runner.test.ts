import { describe, expect, it } from 'vitest';
import type { Evidence } from '#kernel/model/criterion.ts';
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

describe('A check that reported tests before the work and reports none now', () => {
  it.each([
    'python3 -m unittest',
    'pytest tests',
    'node --test tests/a.test.js',
    'npm test',
    'make check',
    './run-tests.sh 2>&1',
    'npm run lint && npm test',
    'pytest -q',
    'python3 -m unittest --quiet',
    'cargo test -q',
    'grep -q done README.md && npm test',
  ])(
    'A check that reports no tests any more does not pass, whatever starts the runner: %s [K7]',
    (command) => {
      expect(doubtSilence(pass, command, base)).toMatchObject({
        verdict: 'unknown',
        reason: 'exit 0, but no test was reported, though tests were reported before the work',
      });
      expect(doubtSilence({ ...pass, ranTests: true }, command, base)).toMatchObject({ verdict: 'pass' });
    },
  );

  it.each([
    'mvn -q test',
    './mvnw -B verify --quiet',
    'out=$(pytest) || echo "$out"',
    'pytest > log || cat log',
    'npx turbo test',
  ])(
    'A check without reported tests passes if the base failed and the command hides the output of a success: %s [K7]',
    (command) => {
      expect(doubtSilence(pass, command, base).verdict).toBe('pass');
      expect(doubtSilence(pass, command, { ...base, verdict: 'pass' }).verdict).toBe('unknown');
    },
  );

  it('A check without reported tests passes if the base reported none either, or the command selects its tests [K7]', () => {
    expect(doubtSilence(pass, 'npm test --silent > /dev/null', { ...base, ranTests: false }).verdict).toBe(
      'pass',
    );
    expect(doubtSilence(pass, 'pytest', undefined).verdict).toBe('pass');
    expect(doubtSilence(pass, 'npx vitest --changed', base).verdict).toBe('pass');
    expect(doubtSilence(pass, 'nx affected -t test', { ...base, verdict: 'pass' }).verdict).toBe('pass');
    expect(doubtSilence({ ...pass, verdict: 'fail' }, 'npm test', base).verdict).toBe('fail');
  });
});

describe('A test runner that executes fewer tests than before the work', () => {
  const before = { ...base, tests: { executed: 5, skipped: 0 } };
  const now = (executed: number, skipped = 0): Finding => ({ ...pass, tests: { executed, skipped } });

  it('A test runner that executes fewer tests does not pass, and both numbers are reported [K7]', () => {
    expect(doubtFewer(now(4), 'npm test', before)).toMatchObject({
      verdict: 'unknown',
      reason: 'exit 0, but it executed 4 tests, and 5 before the work',
    });
    expect(doubtFewer(now(1, 4), 'make', before)?.reason).toContain(
      'executed 1 test (4 more skipped), and 5',
    );
  });

  it('A test runner passes with as many or more tests, without numbers, or if the command selects its tests [K7]', () => {
    expect(doubtFewer(now(5), 'npm test', before)).toBeNull();
    expect(doubtFewer(now(6, 3), 'npm test', before)).toBeNull();
    expect(doubtFewer(pass, 'npm test', before)).toBeNull();
    expect(doubtFewer(now(4), 'npm test', base)).toBeNull();
    expect(doubtFewer(now(4), 'vitest run --changed main', before)).toBeNull();
    expect(doubtFewer({ ...now(4), verdict: 'fail' }, 'npm test', before)).toBeNull();
  });
});
