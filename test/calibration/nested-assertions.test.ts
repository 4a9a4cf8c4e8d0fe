// Tests with all assertions in loops or callbacks: work that never reaches them passes, and the calibration
// refuses it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { calibrateCase, type Files } from '#test/calibration-bed.ts';

interface Scene {
  readonly check: string;
  readonly base: Files;
  readonly honest: Files;
  readonly wrong: Files;
}

async function verdictOf({ check, base }: Scene, work: Files): Promise<string> {
  const { evidence, calibration } = await calibrateCase({ base, work, check, isAlone: true });
  const refused = calibration.find(({ verdict }) => verdict === 'refused');
  return refused === undefined
    ? evidence.verdict
    : `${refused.kind}${refused.asks === 'person' ? ' (asks a person)' : ''}: ${refused.reason}`;
}

const idle = (test: string): string =>
  `negation (asks a person): '${test}' passes, and none of its assertions runs any more, in a loop or a callback: only a person can tell whether that is meant.`;

function nodeScene(body: string, sources: readonly [base: string, honest: string, wrong: string]): Scene {
  const [base, honest, wrong] = sources.map((source) => ({ 'src/work.js': `export ${source}\n` }));
  const test = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { work } from '../src/work.js';

test('works', (t) => {
${body}
});
`;
  return {
    check: 'node --test',
    base: { 'package.json': '{ "type": "module" }\n', 'test/work.test.js': test, ...base },
    honest: { ...honest },
    wrong: { ...wrong },
  };
}

const lists = ['const work = () => [1, 2];', 'const work = () => [1];', 'const work = () => [];'] as const;
const callbacks = [
  'const work = (a, b, done) => done(a - b);',
  'const work = (a, b, done) => done(a + b);',
  'const work = (a, b, done) => {};',
] as const;
const inLoop = nodeScene('  for (const n of work()) {\n    assert.equal(n, 1);\n  }', lists);
const inCallback = nodeScene('  work(1, 2, (got) => {\n    assert.equal(got, 3);\n  });', callbacks);

describe('Nested assertions under node:test', () => {
  it.each([
    ['in a loop', inLoop],
    ['in a callback', inCallback],
  ])(
    'In a check of node:test, an assertion %s that never runs does not count, and one that holds does [X8]',
    async (_title, scene) => {
      expect(await verdictOf(scene, scene.wrong)).toBe(idle('works'));
      expect(await verdictOf(scene, scene.honest)).toBe('pass');
    },
  );

  it('In a check of node:test, an assertion in a catch block that honest work does not enter does not refuse it [X7]', async () => {
    const body =
      "  for (const n of [1]) {\n    try {\n      work(n);\n    } catch (error) {\n      assert.equal(error.message, 'x');\n    }\n  }";
    const base = "const work = () => { throw new Error('y'); };";
    const scene = nodeScene(body, [base, 'const work = () => 1;', '']);
    expect(await verdictOf(scene, scene.honest)).toBe('pass');
  });

  it('In a check of node:test, an assertion in a loop that decided nothing on the base does not refuse honest work [X7]', async () => {
    const body =
      '  const expectOne = (n) => {\n    assert.equal(n, 1);\n  };\n  expectOne(work.value);\n  for (const warning of work.warnings) {\n    assert.equal(warning, 1);\n  }';
    const base = 'const work = { value: 2, warnings: [] };';
    const scene = nodeScene(body, [base, 'const work = { value: 1, warnings: [] };', '']);
    expect(await verdictOf(scene, scene.honest)).toBe('pass');
  });
});

const modules = join(import.meta.dirname, '../../node_modules');
const source = (list: string): Files => ({ 'src/all.ts': `export const all = (): number[] => ${list};\n` });
const vitest: Scene = {
  check: `ln -sfn '${modules}' node_modules && node_modules/.bin/vitest run`,
  base: {
    '.gitignore': 'node_modules\n',
    'package.json': '{ "type": "module" }\n',
    'src/all.test.ts':
      "import { expect, it } from 'vitest';\nimport { all } from './all.ts';\n\nit('lists', () => {\n  all().forEach((n) => { expect(n).toBe(1); });\n});\n",
    ...source('[2]'),
  },
  honest: source('[1]'),
  wrong: source('[]'),
};

it('In a check of vitest, an assertion in forEach that never runs does not count, and one that holds does [X8]', async () => {
  expect(await verdictOf(vitest, vitest.wrong)).toBe(idle('lists'));
  expect(await verdictOf(vitest, vitest.honest)).toBe('pass');
});

const rows = (list: string): Files => ({ 'calc/rows.py': `def rows():\n    return ${list}\n` });
const python = (check: string, test: string): Scene => ({
  check,
  base: { 'calc/__init__.py': '', 'tests/__init__.py': '', 'tests/test_rows.py': test, ...rows('[1, 2]') },
  honest: rows('[1]'),
  wrong: rows('[]'),
});
const pytest = python(
  'python3 -m pytest -q -p no:cacheprovider',
  'from calc.rows import rows\n\n\ndef test_rows():\n    for row in rows():\n        assert row == 1\n',
);
const unittest = python(
  'python3 -m unittest',
  'import unittest\nfrom calc.rows import rows\n\n\nclass Test(unittest.TestCase):\n    def test_rows(self):\n        for row in rows():\n            with self.subTest(row=row):\n                self.assertEqual(row, 1)\n',
);
const has = (...module: readonly string[]): boolean => spawnSync('python3', module).status === 0;

for (const { runner, scene, isHere } of [
  { runner: 'pytest', scene: pytest, isHere: has('-m', 'pytest', '--version') },
  { runner: 'unittest', scene: unittest, isHere: has('--version') },
])
  it.skipIf(!isHere)(
    `In a check of ${runner}, an assertion in a loop that never runs does not count, and one that holds does (needs ${runner}) [X8]`,
    async () => {
      expect(await verdictOf(scene, scene.wrong)).toBe(idle('test_rows'));
      expect(await verdictOf(scene, scene.honest)).toBe('pass');
    },
  );
