import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { calibrateCase, type Calibrated, type Files } from '#test/calibration-bed.ts';

const refusal = (test: string): string =>
  `'${test}' passes and so does its opposite: it does not measure the work.`;

function tried({ calibration }: Calibrated): string[] {
  return calibration.map(({ kind, verdict }) => `${kind} ${verdict}`);
}

describe('Tests that judge with a helper among the sources', () => {
  const right = 'export const add = (a, b) => a + b;\n';
  const base: Files = {
    'src/add.mjs': 'export const add = () => 0;\n',
    'src/expect.mjs':
      "export function expectSum(got, wanted) {\n  if (got !== wanted) throw new Error('sum');\n}\nexport function expectSome(got) {\n  if (!got) throw new Error('none');\n}\n",
    'test/add.test.mjs':
      "import { test } from 'node:test';\nimport { add } from '../src/add.mjs';\nimport { expectSum } from '../src/expect.mjs';\n\ntest('add', () => {\n  expectSum(add(3, 4), 7);\n});\n",
  };
  const accept = (work: Files, more: Files = {}) =>
    calibrateCase({ base: { ...base, ...more }, work, check: 'node --test', isAlone: true });

  it('Calibration refuses work that empties the assertion helper of its tests [X8]', async () => {
    const seen = await accept({
      'src/expect.mjs': 'export function expectSum() {}\nexport function expectSome() {}\n',
    });
    expect(seen.evidence).toMatchObject({ verdict: 'unknown', reason: refusal('add') });
    expect(tried(seen)).toEqual(['base-recheck passed', 'planted-failure passed', 'negation refused']);
  });

  it('Calibration passes honest work that changes the assertion helper, since its tests fail with another expectation [X7]', async () => {
    const changed = base['src/expect.mjs']?.replace("'sum'", '`${got} is not ${wanted}`') ?? '';
    const seen = await accept({ 'src/add.mjs': right, 'src/expect.mjs': changed });
    expect(seen.evidence.verdict).toBe('pass');
    expect(seen.calibration.at(-1)).toMatchObject({
      kind: 'negation',
      verdict: 'passed',
      reason: "'add' fails with another expectation.",
    });
  });

  it('Calibration does not refuse work for a helper that never judged by its last argument [X7]', async () => {
    const changed = base['src/expect.mjs']?.replace("'none'", "'nothing'") ?? '';
    const test = base['test/add.test.mjs']?.replaceAll('expectSum', 'expectSome').replace('7)', "'adds')");
    const seen = await accept(
      { 'src/add.mjs': right, 'src/expect.mjs': changed },
      { 'test/add.test.mjs': test ?? '' },
    );
    expect(seen.evidence.verdict).toBe('pass');
    expect(tried(seen).at(-1)).toBe('negation none');
  });

  it('Calibration ignores helpers that the work did not change', async () => {
    const seen = await accept({ 'src/add.mjs': right });
    expect(tried(seen).at(-1)).toBe('negation none');
    expect(seen.calibration.at(-1)?.runs).toBe(0);
  });
});

const python = {
  pytest: 'def test_add():\n    expect_sum(add(3, 4), 7)\n',
  unittest:
    'class AddTest(unittest.TestCase):\n    def test_add(self):\n        expect_sum(add(3, 4), 7)\n\n\nif __name__ == "__main__":\n    unittest.main()\n',
};

describe.each([
  ['pytest', 'python3 -m pytest -q -p no:cacheprovider'],
  ['unittest', 'python3 -m unittest discover -s tests -t .'],
] as const)('Tests of %s that judge with a helper', (runner, check) => {
  const isHere = spawnSync('python3', ['-m', runner, '--help']).status === 0;
  const base: Files = {
    'calc/__init__.py': '',
    'tests/__init__.py': '',
    'calc/add.py': 'def add(a, b):\n    return 0\n',
    'calc/expect.py': 'def expect_sum(got, wanted):\n    assert got == wanted\n',
    'tests/test_add.py': `import unittest\nfrom calc.add import add\nfrom calc.expect import expect_sum\n\n\n${python[runner]}`,
  };
  const accept = (work: Files) => calibrateCase({ base, work, check, isAlone: true });

  it.skipIf(!isHere)(
    `Calibration refuses work that empties an assertion helper in Python (needs ${runner}) [X8]`,
    async () => {
      const seen = await accept({ 'calc/expect.py': 'def expect_sum(got, wanted):\n    pass\n' });
      expect(seen.evidence).toMatchObject({ verdict: 'unknown', reason: refusal('test_add') });
    },
  );

  it.skipIf(!isHere)(
    `Calibration passes honest work that changes an assertion helper in Python (needs ${runner}) [X7]`,
    async () => {
      const seen = await accept({
        'calc/add.py': 'def add(a, b):\n    return a + b\n',
        'calc/expect.py': 'def expect_sum(got, wanted):\n    assert got == wanted, "sum"\n',
      });
      expect(seen.evidence.verdict).toBe('pass');
      expect(seen.calibration.at(-1)?.reason).toBe("'test_add' fails with another expectation.");
    },
  );
});

describe('Go tests that judge with a helper', () => {
  const isHere = ['go'].every((program) => spawnSync(program, ['version']).status === 0);
  const add = (result: string): string =>
    `package calc\n\nfunc Add(a, b int) int {\n\t_, _ = a, b\n\treturn ${result}\n}\n`;
  const judge = (body: string): string =>
    `package calc\n\nimport "testing"\n\nfunc expect(t *testing.T, got, want int) {${body}}\n`;
  const base: Files = {
    'go.mod': 'module calc\n\ngo 1.19\n',
    'add.go': add('0'),
    'expect.go': judge('\n\tif got != want {\n\t\tt.Fatal(got, want)\n\t}\n'),
    'add_test.go':
      'package calc\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\texpect(t, Add(3, 4), 7)\n}\n',
  };
  const accept = (work: Files) => calibrateCase({ base, work, check: 'go test ./...', isAlone: true });

  it.skipIf(!isHere)(
    'Calibration refuses work that empties an assertion helper in Go (needs go) [X8]',
    async () => {
      const seen = await accept({ 'expect.go': judge('') });
      expect(seen.evidence).toMatchObject({ verdict: 'unknown', reason: refusal('TestAdd') });
    },
  );

  it.skipIf(!isHere)(
    'Calibration passes honest work that changes an assertion helper in Go (needs go) [X7]',
    async () => {
      const seen = await accept({
        'add.go': add('a + b'),
        'expect.go': judge('\n\tt.Helper()\n\tif got != want {\n\t\tt.Fatal(got, want)\n\t}\n'),
      });
      expect(seen.evidence.verdict).toBe('pass');
      expect(seen.calibration.at(-1)?.reason).toBe("'TestAdd' fails with another expectation.");
    },
  );
});
