// Ordinary honest changes, each with the real test runner of its language.
import { join } from 'node:path';
import type { CalibrationCase, Files } from '#test/calibration-bed.ts';

export interface HonestCase extends Pick<CalibrationCase, 'base' | 'work' | 'check'> {
  /** A program without which the case is skipped. */
  readonly needs: string;
  readonly goal?: string;
  /** `flip`: the check turned green. `added`: tests that came with the work count. `review`: neither, and nothing is refused. */
  readonly proof: 'flip' | 'added' | 'review';
}

const nodeHead = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n";
const testScript = '{ "type": "module", "scripts": { "test": "node --test", "lint": "node lint.js" } }\n';
const sum = 'export const sum = (a, b) => a + b;\n';
const sumTest = `${nodeHead}import { sum } from '../src/sum.js';\n\ntest('sum', () => {\n  assert.equal(sum(1, 2), 3);\n});\n`;
const shout = 'export const shout = (text) => text.toUpperCase();\n';
const shoutTest = (lines: string): string =>
  `${nodeHead}import { shout } from '../src/shout.js';\n\n${lines}\n`;
const plainTest = shoutTest("test('shout', () => {\n  assert.equal(shout('a'), 'A');\n});");

const inNode = (lines: string, work: Files = {}): HonestCase => ({
  base: { 'package.json': testScript, 'src/sum.js': sum, 'test/sum.test.js': sumTest },
  work: { 'src/shout.js': shout, 'test/shout.test.js': shoutTest(lines), ...work },
  check: 'npm test',
  needs: 'node',
  proof: 'added',
});

const modules = join(import.meta.dirname, '../../node_modules');
const vitest = `ln -sfn '${modules}' node_modules && node_modules/.bin/vitest run`;
const typed = 'export function shout(text: string): string {\n  return text.toUpperCase();\n}\n';
const inVitest = (lines: string, work: Files = {}): HonestCase => ({
  base: {
    '.gitignore': 'node_modules\n',
    'package.json': '{ "type": "module" }\n',
    'src/sum.ts': 'export const sum = (a: number, b: number): number => a + b;\n',
    'src/sum.test.ts':
      "import { expect, it } from 'vitest';\nimport { sum } from './sum.ts';\n\nit('sums', () => {\n  expect(sum(1, 2)).toBe(3);\n});\n",
  },
  work: {
    'src/shout.ts': typed,
    'src/shout.test.ts': `import { describe, expect, it } from 'vitest';\nimport { shout } from './shout.ts';\n\n${lines}\n`,
    ...work,
  },
  check: vitest,
  needs: 'node',
  proof: 'added',
});

const gapTest = 'from calc.gap import gap\n\n\ndef test_gap():\n    assert gap(3, 1) == 2\n';
const pyBase: Files = {
  'calc/__init__.py': '',
  'calc/gap.py': 'def gap(a, b):\n    return a - b\n',
  'tests/__init__.py': '',
  'tests/test_gap.py': gapTest,
};
const inPytest = (lines: string, work: Files = {}): HonestCase => ({
  base: pyBase,
  work: {
    'calc/shout.py': 'def shout(text):\n    return text.upper()\n',
    'tests/test_shout.py': lines,
    ...work,
  },
  check: 'python3 -m pytest -q',
  needs: 'pytest',
  proof: 'added',
});

const inRust = (test: string): HonestCase => ({
  base: {
    '.gitignore': 'target\nCargo.lock\n',
    'Cargo.toml': '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
    'src/lib.rs': 'pub fn gap(a: i64, b: i64) -> i64 {\n    a - b\n}\n',
    'tests/gap.rs': '#[test]\nfn gaps() {\n    assert_eq!(calc::gap(3, 1), 2);\n}\n',
  },
  work: {
    'src/lib.rs': 'pub mod loud;\n\npub fn gap(a: i64, b: i64) -> i64 {\n    a - b\n}\n',
    'src/loud.rs': 'pub fn shout(text: &str) -> String {\n    text.to_uppercase()\n}\n',
    'tests/loud.rs': test,
  },
  check: 'cargo test --offline --tests',
  needs: 'cargo',
  proof: 'added',
});

const inGo = (test: string): HonestCase => ({
  base: {
    'go.mod': 'module calc\n\ngo 1.19\n',
    'gap.go': 'package calc\n\nfunc Gap(a, b int) int {\n\treturn a - b\n}\n',
    'gap_test.go':
      'package calc\n\nimport "testing"\n\nfunc TestGap(t *testing.T) {\n\tif got := Gap(3, 1); got != 2 {\n\t\tt.Fatal("got", got)\n\t}\n}\n',
  },
  work: {
    'loud.go':
      'package calc\n\nimport "strings"\n\nfunc Shout(text string) (string, error) {\n\treturn strings.ToUpper(text), nil\n}\n',
    'loud_test.go': `package calc\n\nimport "testing"\n\n${test}`,
  },
  check: 'go test ./...',
  needs: 'go',
  proof: 'added',
});

export const honestCases: { readonly [title: string]: HonestCase } = {
  'a test that is an expression': inNode("test('shout', () => assert.equal(shout('a'), 'A'));"),
  'a test of two statements on one line': inNode(
    "test('shout', async () => { const loud = await shout('a'); assert.equal(loud, 'A') })",
  ),
  'an assertion of several lines': inNode(
    "test('shout', () => {\n  assert.deepEqual({ loud: shout('a') }, {\n    loud: 'A',\n  });\n});",
  ),
  'tests that a loop declares': inNode(
    "for (const [word, loud] of [['a', 'A'], ['b', 'B']]) {\n  test(`shout ${word}`, () => {\n    assert.equal(shout(word), loud);\n  });\n}",
  ),
  'a new test with its fixture': inNode(
    "import { readFileSync } from 'node:fs';\ntest('shout', () => {\n  assert.equal(shout(readFileSync('test/fixtures/in.txt', 'utf8')), 'A\\n');\n});",
    { 'test/fixtures/in.txt': 'a\n' },
  ),
  'a program that its test starts': inNode(
    "import { execFileSync } from 'node:child_process';\ntest('cli', () => {\n  assert.equal(execFileSync('node', ['src/cli.js', 'a'], { encoding: 'utf8' }), 'A\\n');\n});",
    { 'src/cli.js': "import { shout } from './shout.js';\nconsole.log(shout(process.argv[2]));\n" },
  ),
  'a check of tests and lint': {
    ...inNode("test('shout', () => {\n  assert.equal(shout('a'), 'A');\n});"),
    base: {
      ...inNode('').base,
      'lint.js':
        "import { readFileSync } from 'node:fs';\nif (readFileSync('src/sum.js', 'utf8').includes('\\t')) process.exit(1);\n",
    },
    check: 'npm test && npm run lint',
  },
  'TypeScript that node runs': {
    base: {
      'src/sum.ts': 'export const sum = (a: number, b: number): number => a + b;\n',
      'src/sum.test.ts': sumTest.replace('../src/sum.js', './sum.ts'),
    },
    work: { 'src/shout.ts': typed, 'src/shout.test.ts': plainTest.replace('../src/shout.js', './shout.ts') },
    check: 'node --test src/*.test.ts',
    needs: 'node',
    proof: 'added',
  },
  'the first tests of a project': {
    base: { 'package.json': testScript, 'src/shout.js': 'export const shout = (text) => text;\n' },
    work: { 'src/shout.js': shout, 'test/shout.test.js': plainTest },
    check: 'npm test',
    needs: 'node',
    proof: 'added',
  },
  'a second package of a monorepo': {
    base: {
      'package.json':
        '{ "private": true, "workspaces": ["packages/*"], "scripts": { "test": "npm test --workspaces" } }\n',
      'packages/a/package.json':
        '{ "name": "a", "version": "1.0.0", "type": "module", "scripts": { "test": "node --test" } }\n',
      'packages/a/src/sum.js': sum,
      'packages/a/test/sum.test.js': sumTest,
    },
    work: {
      'packages/b/package.json':
        '{ "name": "b", "version": "1.0.0", "type": "module", "scripts": { "test": "node --test" } }\n',
      'packages/b/src/shout.js': shout,
      'packages/b/test/shout.test.js': plainTest,
    },
    check: 'npm test',
    needs: 'node',
    proof: 'added',
  },
  'a test of vitest that is an expression': inVitest("it('shouts', () => expect(shout('a')).toBe('A'));"),
  'a table of vitest': inVitest(
    "describe('shout', () => {\n  it.each([['a', 'A'], ['b', 'B']])('%s becomes %s', (from, to) => {\n    expect(shout(from)).toBe(to);\n  });\n});",
  ),
  'a snapshot of vitest': inVitest("it('shouts', () => {\n  expect(shout('a')).toMatchSnapshot();\n});", {
    'src/__snapshots__/shout.test.ts.snap':
      '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`shouts 1`] = `"A"`;\n',
  }),
  'a table of pytest': inPytest(
    "import pytest\n\nfrom calc.shout import shout\n\n\n@pytest.mark.parametrize('word, loud', [('a', 'A'), ('b', 'B')])\ndef test_shout(word, loud):\n    assert shout(word) == loud\n",
  ),
  'nothing but pytest.raises': inPytest(
    'import pytest\n\nfrom calc.shout import shout\n\n\ndef test_shout():\n    with pytest.raises(AttributeError):\n        shout(1)\n',
  ),
  'a program of Python with its test': inPytest(
    "from calc.shout import main\n\n\ndef test_main(capsys):\n    main(['a'])\n    assert capsys.readouterr().out == 'A\\n'\n",
    {
      'calc/shout.py':
        'import sys\n\n\ndef main(words):\n    print(" ".join(words).upper())\n\n\nif __name__ == "__main__":\n    sys.exit(main(sys.argv[1:]))\n',
    },
  ),
  'a test of unittest on one line': {
    ...inPytest(
      "import unittest\n\nfrom calc.shout import shout\n\n\nclass ShoutTest(unittest.TestCase):\n    def test_shout(self): self.assertEqual(shout('a'), 'A')\n",
    ),
    base: {
      ...pyBase,
      'tests/test_gap.py':
        'import unittest\n\nfrom calc.gap import gap\n\n\nclass GapTest(unittest.TestCase):\n    def test_gap(self):\n        self.assertEqual(gap(3, 1), 2)\n',
    },
    check: 'python3 -m unittest discover -s tests -t .',
    needs: 'python3',
  },
  'a test of Rust on one line': inRust('#[test] fn shouts() { assert_eq!(calc::loud::shout("a"), "A"); }\n'),
  'a test of Rust': inRust('#[test]\nfn shouts() {\n    assert_eq!(calc::loud::shout("a"), "A");\n}\n'),
  'a test of Go': inGo(
    'func TestShout(t *testing.T) {\n\tif got, _ := Shout("a"); got != "A" {\n\t\tt.Fatal("got", got)\n\t}\n}\n',
  ),
  'a table of Go': inGo(
    'func TestShout(t *testing.T) {\n\tcases := []struct{ word, want string }{{"a", "A"}, {"b", "B"}}\n\tfor _, c := range cases {\n\t\tt.Run(c.word, func(t *testing.T) {\n\t\t\tif got, err := Shout(c.word); err != nil || got != c.want {\n\t\t\t\tt.Errorf("got %s, want %s", got, c.want)\n\t\t\t}\n\t\t})\n\t}\n}\n',
  ),
  'tests for code that works already': {
    base: { 'package.json': testScript, 'src/shout.js': shout },
    work: { 'test/shout.test.js': plainTest },
    check: 'npm test',
    goal: 'add tests for shout',
    needs: 'node',
    proof: 'review',
  },

  'a plugin of pytest that the package offers': {
    base: {
      ...pyBase,
      'calc/plugin.py': 'import pytest\n\n\n@pytest.fixture\ndef number():\n    return 1\n',
      'pyproject.toml':
        '[project]\nname = "calc"\nversion = "1"\n\n[project.entry-points.pytest11]\ncalc = "calc.plugin"\n',
      'tests/test_plugin.py':
        'from calc.plugin import make\n\n\ndef test_number():\n    assert make() == 2\n',
    },
    work: {
      'calc/plugin.py':
        'import pytest\n\n\ndef make():\n    return 2\n\n\n@pytest.fixture\ndef number():\n    return make()\n',
    },
    check: 'python3 -m pytest -q',
    goal: 'give 2',
    needs: 'pytest',
    proof: 'flip',
  },
  'a library of assertions that the goal names': {
    base: {
      'package.json': '{ "type": "module" }\n',
      'src/expect-sum.js': "import { it } from 'node:test';\nexport const expectSum = () => it;\n",
      'test/sum.test.js': `${nodeHead}import { expectSum } from '../src/expect-sum.js';\n\ntest('expectSum', () => {\n  assert.throws(() => expectSum(1, 2));\n});\n`,
    },
    work: {
      'src/expect-sum.js':
        "import assert from 'node:assert';\nimport { it } from 'node:test';\nexport const expectSum = (a, b) => assert.equal(a, b, it.name);\n",
    },
    check: 'node --test',
    goal: 'expect-sum throws',
    needs: 'node',
    proof: 'flip',
  },
};

export const firstPythonTests: HonestCase = {
  base: { 'calc/__init__.py': '', 'calc/gap.py': 'def gap(a, b):\n    return a - b\n' },
  work: { 'tests/test_gap.py': gapTest },
  check: 'python3 -m pytest -q',
  goal: 'add tests for gap',
  needs: 'pytest',
  proof: 'review',
};
