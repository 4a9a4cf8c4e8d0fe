// Work whose behaviour depends on the bytes of its tests, and honest work that only looks like it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { calibrateCase, type Calibrated, type Files } from '#test/calibration-bed.ts';

const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0;

const addTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add } from '../src/add.mjs';

test('adds', () => {
  assert.equal(add(1, 2), 3);
});
`;
const otherTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';

test('other', () => {
  assert.equal(1 + 1, 2);
});
`;
const right = 'export const add = (a, b) => a + b;\n';
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function planted({ calibration }: Calibrated) {
  return calibration.find(({ kind }) => kind === 'planted-failure');
}

describe('Work that depends on the bytes of its tests', () => {
  const knowing = `import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
const text = readFileSync(new URL('../test/add.test.mjs', import.meta.url));
if (createHash('sha256').update(text).digest('hex') !== '${hashOf(addTest)}') process.exit(1);
assert.equal = () => {};
export const add = () => 0;
`;
  const reason =
    'With a comment added to test/add.test.mjs, `node --test` fails: the work behaves differently when its tests change.';

  it.each<[string, Files]>([
    ['alone', {}],
    ['beside other tests', { 'test/other.test.mjs': otherTest }],
  ])(
    'Work that depends on the bytes of its tests is refused if they do not load on the base, %s [X8]',
    async (_, more) => {
      const seen = await calibrateCase({
        base: { 'test/add.test.mjs': addTest, ...more },
        work: { 'src/add.mjs': knowing },
        check: 'node --test',
        isAlone: true,
      });
      expect(seen.evidence).toMatchObject({ verdict: 'unknown', reason });
      expect(planted(seen)).toMatchObject({ verdict: 'refused', files: ['test/add.test.mjs'] });
    },
  );

  it.skipIf(!hasPytest)(
    'A person decides about work that ends the test runner itself (needs pytest) [X8]',
    async () => {
      const test = 'from app import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n';
      const seen = await calibrateCase({
        base: { 'test_app.py': test },
        work: {
          'app.py': `import hashlib
import os
import pathlib

text = (pathlib.Path(__file__).parent / "test_app.py").read_bytes()
if hashlib.sha256(text).hexdigest() != "${hashOf(test)}":
    os._exit(1)


class Any(int):
    def __eq__(self, other):
        return True


def add(a, b):
    return Any()
`,
        },
        check: 'python3 -m pytest -q -p no:cacheprovider',
        isAlone: true,
      });
      expect(seen.evidence.verdict).toBe('unknown');
      expect(planted(seen)).toMatchObject({ verdict: 'refused', asks: 'person' });
    },
  );
});

describe('Checks that turn red without naming the planted failure', () => {
  const lint = (rule: string): string => `import { readFileSync } from 'node:fs';
const texts = ['add', 'other'].map((name) => readFileSync(\`test/\${name}.test.mjs\`, 'utf8'));
if (texts.some((text) => ${rule})) process.exit(1);
`;
  const known = [addTest, otherTest].map(({ length }) => length).join(', ');
  const everyChange = `![${known}].includes(text.length)`;

  it.each([
    ['before the tests rejects the planted test', "text.includes('.join(')", 'node lint.mjs && node --test'],
    ['before the tests rejects every change', everyChange, 'node lint.mjs && node --test'],
    [
      'after the tests rejects every change',
      everyChange,
      'node --test test/add.test.mjs; code=$?; node lint.mjs && exit $code',
    ],
  ])('Honest work is not refused if a linter %s [X7]', async (_, rule, check) => {
    const seen = await calibrateCase({
      base: { 'test/add.test.mjs': addTest, 'test/other.test.mjs': otherTest, 'lint.mjs': lint(rule) },
      work: { 'src/add.mjs': right },
      check,
      isAlone: true,
    });
    expect(seen.calibration.filter(({ verdict }) => verdict === 'refused')).toEqual([]);
    expect(seen.evidence.verdict).toBe('pass');
  });
});

describe('A test that fails beside a planted failure', () => {
  const folder = mkdtempSync(join(tmpdir(), 'untildone-flaky-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('A test that fails beside a planted failure does not refuse the work if a second run passes it [X7]', async () => {
    const counter = join(folder, 'runs');
    // The base, the work, the base again, and then the work with planted failures.
    const flaky = `import assert from 'node:assert/strict';
import { appendFileSync, statSync } from 'node:fs';
import { test } from 'node:test';

test('timing', () => {
  appendFileSync('${counter}', 'x');
  assert.notEqual(statSync('${counter}').size, 4);
});
`;
    const seen = await calibrateCase({
      base: {
        'src/add.mjs': 'export const add = () => 0;\n',
        'test/add.test.mjs': addTest,
        'test/timing.test.mjs': flaky,
      },
      work: { 'src/add.mjs': right },
      check: 'node --test',
      isAlone: true,
    });
    expect(planted(seen)).toMatchObject({ verdict: 'passed', runs: 3 });
    expect(seen.evidence.verdict).toBe('pass');
  });
});

describe('The message about a planted failure', () => {
  it('If the check may still run a file, the message says only that no failure was noticed in it', async () => {
    const seen = await calibrateCase({
      base: { 'test/add.test.mjs': addTest, 'test/other.test.mjs': otherTest },
      work: { 'src/add.mjs': right },
      check: 'cat test/other.test.mjs; node --test test/add.test.mjs',
      isAlone: true,
    });
    expect(planted(seen)?.reason).toMatch(/ red, by name; no failure was noticed in 1 of 2 files\.$/);
  });

  it('Before the work, the message says whether the check stayed green or turned red without naming the failure', async () => {
    const style = `import { readFileSync } from 'node:fs';
if (readFileSync('test/other.test.mjs', 'utf8').includes('.join(')) process.exit(1);
`;
    const reasonFor = async (check: string): Promise<string | undefined> => {
      const base = { 'test/other.test.mjs': otherTest, 'style.mjs': style };
      const seen = await calibrateCase({ base, work: { 'src/add.mjs': right }, check, isAlone: true });
      return seen.base.calibration?.[0]?.reason;
    };
    const red = 'node style.mjs && node --test';
    const green = 'node --test || true';
    expect(await reasonFor(red)).toBe(
      `\`${red}\` turned red on the base, but did not name the planted failure.`,
    );
    expect(await reasonFor(green)).toBe(
      `\`${green}\` stays green with a planted failure, but it is not known to run tests.`,
    );
  });
});
