import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { calibrateCase, type Calibrated, type Files } from '#test/calibration-bed.ts';

const sumTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sum } from '../src/sum.mjs';

test('sum', () => {
  assert.equal(sum(1, 2), 3);
});
`;
const otherTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';

test('other', () => {
  assert.equal(1 + 1, 2);
});
`;
const base: Files = {
  'src/sum.mjs': 'export const sum = () => 0;\n',
  'test/sum.test.mjs': sumTest,
  'test/other.test.mjs': otherTest,
};
const wrong = 'export const sum = () => 0;\n';

function accept(sum: string, check = 'node --test'): Promise<Calibrated> {
  return calibrateCase({ base, work: { 'src/sum.mjs': sum }, check, isAlone: true });
}

function tried({ calibration }: Calibrated): string[] {
  return calibration.map(({ kind, verdict }) => `${kind} ${verdict}`);
}

describe('Calibration of a check that turned green [X15]', () => {
  it('Calibration passes honest work with three more runs of the check [X7]', async () => {
    const seen = await accept('export const sum = (a, b) => a + b;\n');
    expect(seen.evidence.verdict).toBe('pass');
    expect(tried(seen)).toEqual(['base-recheck passed', 'planted-failure passed', 'negation passed']);
    expect(seen.runs).toBe(1 + 3);
    expect(seen.calibration[1]?.reason).toBe(
      'A failing test in each of 2 files turned `node --test` red, by name.',
    );
  });

  it('Calibration refuses work that exits on import, so that no test runs [X8]', async () => {
    const seen = await accept(`${wrong}process.exit(0);\n`);
    expect(seen.evidence).toMatchObject({
      verdict: 'unknown',
      reason: '`node --test` stays green with a failing test in test/sum.test.mjs. It proves nothing.',
    });
    expect(tried(seen)).toEqual(['base-recheck passed', 'planted-failure refused']);
  });

  it('Calibration asks a person at once if the check ignores its tests [X8]', async () => {
    const check = 'node --test; test -f new.txt';
    const work = { 'src/sum.mjs': 'export const sum = (a, b) => a + b;\n', 'new.txt': '' };
    const seen = await calibrateCase({ base, work, check, isAlone: true });
    expect(seen.calibration.at(-1)).toMatchObject({
      verdict: 'refused',
      asks: 'person',
      reason: `\`${check}\` reports a failing test in test/other.test.mjs and 1 more and passes all the same: the check ignores its tests, or the work changes their exit code.`,
    });
  });

  it('Calibration refuses work that exits also if the test file is large, and passes honest work there [X7] [X8]', async () => {
    const large = `${sumTest}\n${'// A line that says nothing.\n'.repeat(30_000)}`;
    const accepted = (sum: string): Promise<Calibrated> =>
      calibrateCase({
        base: { ...base, 'test/sum.test.mjs': large },
        work: { 'src/sum.mjs': sum },
        check: 'node --test',
        isAlone: true,
      });
    expect(tried(await accepted(`${wrong}process.exit(0);\n`)).at(-1)).toBe('planted-failure refused');
    const honest = await accepted('export const sum = (a, b) => a + b;\n');
    expect(honest.calibration[1]?.files).toContain('test/sum.test.mjs');
    expect(tried(honest).at(-1)).toBe('negation passed');
  });

  it('Calibration refuses work whose handler turns a red exit green, although the failure is named [X8]', async () => {
    const seen = await accept(
      `${wrong}process.on('exit', () => { process.exitCode = 0; process.reallyExit(0); });\n`,
      'node test/sum.test.mjs',
    );
    expect(seen.evidence.reason).toBe(
      '`node test/sum.test.mjs` reports a failing test in test/sum.test.mjs and passes all the same: the check ignores its tests, or the work changes their exit code.',
    );
  });

  it('Calibration refuses work that disarms the assertions of its tests [X8]', async () => {
    const seen = await accept(`import assert from 'node:assert/strict';\nassert.equal = () => {};\n${wrong}`);
    expect(seen.evidence.verdict).toBe('unknown');
    expect(tried(seen).at(-1)).toBe('planted-failure refused');
  });

  it('Calibration refuses work that is right only beside the tests that it knows [X8]', async () => {
    const knowing = `import { statSync } from 'node:fs';
const size = statSync(new URL('../test/sum.test.mjs', import.meta.url)).size;
export const sum = (a, b) => (size === ${sumTest.length} ? a + b : 0);
`;
    const seen = await accept(knowing);
    expect(seen.evidence.reason).toBe(
      'With one failing test added, 1 other fails too (sum): the work behaves differently when its tests change.',
    );
  });

  it('Calibration refuses work that disarms only the value its tests expect, since the opposite passes as well [X8]', async () => {
    const knowing = `import assert from 'node:assert/strict';
const { equal } = assert;
assert.equal = (a, b, ...more) => (b === 3 ? undefined : equal(a, b, ...more));
${wrong}`;
    const seen = await accept(knowing);
    expect(seen.evidence.reason).toBe("'sum' passes and so does its opposite: it does not measure the work.");
    expect(tried(seen)).toEqual(['base-recheck passed', 'planted-failure passed', 'negation refused']);
  });

  it('Calibration reports a test file that the check does not run, and does not refuse the work for it', async () => {
    const seen = await accept('export const sum = (a, b) => a + b;\n', 'node --test test/sum.test.mjs');
    expect(seen.evidence.verdict).toBe('pass');
    expect(tried(seen)).toContain('planted-failure passed');
  });

  it('Calibration reports that it is not possible for a check without a known test runner', async () => {
    const seen = await accept(
      'export const sum = (a, b) => a + b;\n',
      `node -e "import('./src/sum.mjs').then(({ sum }) => process.exit(sum(1, 2) - 3))"`,
    );
    expect(seen.evidence.verdict).toBe('pass');
    expect(tried(seen)).toEqual(['base-recheck passed', 'planted-failure none', 'negation none']);
    expect(seen.calibration[1]?.reason).toContain('not calibrated');
  });

  it('Calibration reports for a check that stays green what the base showed, or nothing if the base was not tried', async () => {
    const check = 'node test/other.test.mjs >/dev/null 2>&1 || true';
    const code = { 'src/more.mjs': 'export const more = 1;\n' };
    const added = await calibrateCase({
      base: { 'README.md': 'x\n' },
      work: { 'test/other.test.mjs': otherTest, ...code },
      check,
    });
    const old = await calibrateCase({ base, work: code, check });
    const reasonOf = ({ calibration }: Calibrated): string | undefined =>
      calibration.find(({ kind }) => kind === 'planted-failure')?.reason;
    const green = `\`${check}\` stays green with a planted failure`;
    expect(reasonOf(added)).toBe(`${green}: not calibrated.`);
    expect(reasonOf(old)).toBe(`${green}, on the base as well: not calibrated.`);
  });

  it('Calibration tries a check that stops at its first failure with one file at a time', async () => {
    const seen = await accept(
      'export const sum = (a, b) => a + b;\n',
      'for file in test/*.test.mjs; do node $file || exit 1; done',
    );
    expect(tried(seen)).toEqual(['base-recheck passed', 'planted-failure passed', 'negation passed']);
    expect(seen.calibration[1]).toMatchObject({
      runs: 2,
      files: expect.arrayContaining(['test/sum.test.mjs']) as unknown,
    });
  });
});

describe('Calibration of a check behind make', () => {
  it.skipIf(!has('make'))(
    'Calibration refuses a file that makes the make target up to date (needs make) [X8]',
    async () => {
      const seen = await calibrateCase({
        base: { ...base, Makefile: 'check:\n\tnode --test\n' },
        work: { check: '', 'src/more.mjs': 'export const more = 1;\n' },
        check: 'make check',
        isAlone: true,
      });
      expect(seen.evidence.verdict).toBe('unknown');
      expect(seen.evidence.reason).toBe(
        "The base passes with the work's check alone: the test material changed, not the work.",
      );
    },
  );
});

describe('Calibration of a pytest check', () => {
  const python: Files = {
    'app/__init__.py': '',
    'app/sum.py': 'def add(a, b):\n    return 0\n',
    'tests/test_sum.py': 'from app.sum import add\n\n\ndef test_sum():\n    assert add(1, 2) == 3\n',
  };
  const check = 'python3 -m pytest -q -p no:cacheprovider';
  const work = (text: string) =>
    calibrateCase({ base: python, work: { 'app/sum.py': text }, check, isAlone: true });

  it.skipIf(!has('pytest'))('Calibration of pytest passes honest work (needs pytest) [X7]', async () => {
    const seen = await work('def add(a, b):\n    return a + b\n');
    expect(tried(seen)).toEqual(['base-recheck passed', 'planted-failure passed', 'negation passed']);
    expect(seen.runs).toBe(1 + 3);
  });

  it.skipIf(!has('pytest'))(
    'Calibration of pytest refuses work that ends the process in a handler (needs pytest) [X8]',
    async () => {
      const seen = await work(
        'import atexit, os\natexit.register(lambda: os._exit(0))\n\n\ndef add(a, b):\n    return 0\n',
      );
      expect(seen.evidence.reason).toContain(
        'reports a failing test in tests/test_sum.py and passes all the same: ',
      );
    },
  );
});

function has(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
