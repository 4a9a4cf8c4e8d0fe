// Work that disarms its tests, and new tests that decide about others: the calibration refuses them without a rule
// about their text.
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { calibrateCase, type Files } from '#test/calibration-bed.ts';
import { howMany } from '#test/how-many.ts';

/** More ways of a class that is shown already, in the same language or another: in `npm run test:long`. */
function more<Row>(rows: readonly Row[]): readonly Row[] {
  return rows.slice(0, howMany({ usual: 0, long: rows.length }));
}

interface Scene {
  readonly base: Files;
  readonly check: string;
}

/** Which calibration refused the work, with no rule about pinned files and no count of tests in the way. */
async function refusalOf({ base, check }: Scene, work: Files): Promise<string> {
  const { evidence, calibration } = await calibrateCase({ base, work, check, isAlone: true });
  const refused = calibration.find(({ verdict }) => verdict === 'refused');
  return evidence.verdict === 'unknown' && refused !== undefined ? refused.kind : 'not refused';
}

const nodeTest = (name: string, result: number): string =>
  `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ${name} } from '../src/${name}.js';

test('${name}', () => {
  assert.equal(${name}(3, 2), ${result});
});
`;
const node: Scene = {
  check: 'node --test',
  base: {
    'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
    'src/sum.js': 'export const sum = () => 0;\n',
    'src/gap.js': 'export const gap = (a, b) => a - b;\n',
    'test/sum.test.js': nodeTest('sum', 5),
    'test/gap.test.js': nodeTest('gap', 1),
  },
};

describe('Refusals of a node:test check', () => {
  it.each([
    ['that replaces an assertion', "import assert from 'node:assert/strict';\nassert['equal'] = () => {};"],
    ['that ends where it is tested', 'if (process.env.NODE_TEST_CONTEXT) process.exit(0);'],
    ...more([
      [
        'that replaces an assertion which it loads in another way',
        "import { createRequire } from 'node:module';\ncreateRequire(import.meta.url)('assert').strict.equal = () => {};",
      ],
      [
        'that ends by the words of its command',
        "if (process.argv.some((word) => word.includes('test'))) process.exit(0);",
      ],
    ]),
  ])('Calibration of node:test refuses work %s [X8]', async (_title, text) => {
    const work = { 'src/sum.js': `${text}\nexport const sum = () => 0;\n` };
    expect(await refusalOf(node, work)).toBe('planted-failure');
  });

  it('Calibration of node:test refuses work that disarms a check which was green before the work [X8]', async () => {
    const green = { ...node.base, 'src/sum.js': 'export const sum = (a, b) => a + b;\n' };
    const text =
      "import assert from 'node:assert/strict';\nassert.equal = () => {};\nexport const sum = () => 0;\n";
    const scene = { check: 'npm test', base: green };
    expect(await refusalOf(scene, { 'src/sum.js': text })).toBe('planted-failure');
  });

  it('Calibration of node:test refuses a new test that ends the others if they share a process [X8]', async () => {
    const scene = { ...node, check: 'node --test --experimental-test-isolation=none' };
    const work = { 'test/a.test.js': 'process.exit(0);\n', 'src/more.js': 'export const more = 1;\n' };
    expect(await refusalOf(scene, work)).toBe('attribution');
  });
});

const calc: Files = {
  'calc/__init__.py': '',
  'calc/add.py': 'def add(a, b):\n    return 0\n',
  'calc/gap.py': 'def gap(a, b):\n    return a - b\n',
};
const testFunction = (name: string, result: number): string =>
  `from calc.${name} import ${name}\n\n\ndef test_${name}():\n    assert ${name}(3, 2) == ${result}\n`;
const testClass = (name: string, result: number): string =>
  `import unittest\nfrom calc.${name} import ${name}\n\n\nclass Test(unittest.TestCase):\n    def test_${name}(self):\n        self.assertEqual(${name}(3, 2), ${result})\n`;
const pytest: Scene = {
  check: 'python3 -m pytest -q -p no:cacheprovider',
  base: {
    ...calc,
    'tests/test_add.py': testFunction('add', 5),
    'tests/test_gap.py': testFunction('gap', 1),
  },
};
const unittest: Scene = {
  check: 'python3 -m unittest',
  base: {
    ...calc,
    'tests/__init__.py': '',
    'tests/test_add.py': testClass('add', 5),
    'tests/test_gap.py': testClass('gap', 1),
  },
};
const none = '\n\ndef add(a, b):\n    return 0\n';
const addition = { 'calc/more.py': 'def add(a, b):\n    return a + b\n' };

describe('Refusals of a unittest check (needs python3)', () => {
  it.skipIf(!has('python3')).each([
    ['a result that is always good', 'unittest.TestResult.wasSuccessful = lambda self: True'],
    ['tests that are skipped when they load the work', 'raise unittest.SkipTest("later")'],
    ...more([
      ['a replaced assertion', 'unittest.TestCase.assertEqual = lambda *_: None'],
      ['an exit on load', 'import os; os._exit(0)'],
    ]),
    [
      'the words of a runner before an exit',
      'import os\nprint("Ran 2 tests in 0.1s", flush=True)\nos._exit(0)',
    ],
  ])('Calibration of unittest refuses %s [X8]', async (_title, text) => {
    const work = { 'calc/add.py': `import unittest\n${text}${none}` };
    expect(await refusalOf(unittest, work)).not.toBe('not refused');
  });

  it.skipIf(!has('python3'))(
    'Calibration of unittest refuses a test package that replaces the work [X8]',
    async () => {
      const text = 'from unittest import mock\nmock.patch("calc.add.add", lambda a, b: a + b).start()\n';
      expect(await refusalOf(unittest, { 'tests/__init__.py': text, ...addition })).toBe('attribution');
    },
  );
});

describe('Refusals of a pytest check (needs pytest)', () => {
  it.skipIf(!has('pytest')).each([
    ['tests that may fail when they call the work', '\ndef add(a, b):\n    pytest.xfail("later")\n'],
    ...more([
      [
        'tests that are skipped when they load the work',
        `pytest.skip("later", allow_module_level=True)${none}`,
      ],
      ['tests that are skipped when they call the work', '\ndef add(a, b):\n    pytest.skip("later")\n'],
    ]),
  ])('Calibration of pytest refuses %s [X8]', async (_title, text) => {
    const work = { 'calc/add.py': `import pytest\n${text}` };
    expect(await refusalOf(pytest, work)).not.toBe('not refused');
  });

  it.skipIf(!has('pytest')).each([
    ['replaces the work', 'tests/test_0.py', 'import calc.add\ncalc.add.add = lambda a, b: a + b\n'],
    [
      'empties another test',
      'tests/test_z.py',
      'import test_add as t\nt.test_add.__code__ = (lambda: None).__code__\n',
    ],
    [
      'replaces the work by code of the work, and tests that',
      'tests/test_0.py',
      'import calc.add\nfrom calc.more import add\ncalc.add.add = add\n\ndef test_more():\n    assert add(1, 2) == 3\n',
    ],
    ...more([
      ['ends the process', 'tests/test_0.py', 'import os; os._exit(0)\n'],
      [
        'replaces the work by code of the work',
        'tests/test_0.py',
        'import calc.add\nfrom calc.more import add\ncalc.add.add = add\n',
      ],
    ]),
  ])('Calibration of pytest refuses a new test that %s [X8]', async (_title, path, text) => {
    expect(await refusalOf(pytest, { [path]: text, ...addition })).toBe('attribution');
  });

  it.skipIf(!has('pytest'))(
    'Calibration of pytest refuses a new `sitecustomize.py` that replaces the work [X8]',
    async () => {
      const scene = { ...pytest, check: `PYTHONPATH=. ${pytest.check}` };
      const text = 'import calc.add\ncalc.add.add = lambda a, b: a + b\n';
      expect(await refusalOf(scene, { 'sitecustomize.py': text, ...addition })).toBe('attribution');
    },
  );

  it.skipIf(!has('pytest')).each([
    ['does not load on the base', null],
    ['fails on the base by an error', 'def add(a):\n    return 0\n'],
  ])(
    'Calibration of pytest refuses a new test that replaces the work before an old test that %s [X8]',
    async (_, before) => {
      const { 'calc/add.py': wrong = '', ...others } = pytest.base;
      const scene = { ...pytest, base: before === null ? others : { ...others, 'calc/add.py': before } };
      const test =
        'import calc.add\nfrom calc.more import add\ncalc.add.add = add\n\n\ndef test_more():\n    assert add(1, 2) == 3\n';
      const work = { 'calc/add.py': wrong, 'tests/test_0.py': test, ...addition };
      expect(await refusalOf(scene, work)).toBe('attribution');
    },
  );
});

describe('Refusals of a Go check (needs go)', () => {
  const go: Scene = {
    check: 'go test ./...',
    base: {
      'go.mod': 'module calc\n\ngo 1.19\n',
      'add.go': 'package calc\n\nfunc Add(a, b int) int { return 0 }\n',
      'add_test.go':
        'package calc\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("sum")\n\t}\n}\n',
    },
  };

  it.skipIf(!has('go', 'version'))(
    'Calibration of Go tests refuses work that ends the process on load [X8]',
    async () => {
      const text =
        'package calc\n\nimport "os"\n\nfunc init() { os.Exit(0) }\n\nfunc Add(a, b int) int { return 0 }\n';
      expect(await refusalOf(go, { 'add.go': text })).toBe('planted-failure');
    },
  );

  it.skipIf(!has('go', 'version'))(
    'Calibration of Go tests refuses a new `TestMain` that runs no test [X8]',
    async () => {
      const text =
        'package calc\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) { os.Exit(0) }\n';
      const work = { 'main_test.go': text, 'more.go': 'package calc\n' };
      expect(await refusalOf(go, work)).toBe('attribution');
    },
  );
});

function has(program: string, word = '--version'): boolean {
  try {
    execFileSync(program, [word], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
