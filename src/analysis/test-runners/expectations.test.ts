import { expect, it } from 'vitest';
import { runnerOf } from './test-runners.ts';
import type { RunnerContext } from './test-runner.ts';

const context = (command: string): RunnerContext => ({
  command,
  scripts: [],
  output: '',
  dependencies: [],
  settings: [],
  changed: ['src/expect.js', 'src/both.js', 'lib/calc/expect.py'],
  changedTexts: [
    { path: 'calc/expect.go', text: 'package calc\n\nfunc expect(t *testing.T, got, want int) {}\n' },
    { path: 'calc/mul.go', text: 'package calc\n\nfunc Mul(a, b int) int {\n\treturn a * b\n}\n' },
  ],
});
const jsHead = `import { add } from '../src/add.js';\nimport { expectSum, expect as own } from '../src/expect';\nimport { both, expectBoth } from '../src/both.js';\nimport { other } from './other.js';\nimport { far } from 'far';\n`;
const pyHead = 'from calc.add import add\nfrom calc.expect import (expect_sum, expect_text as text)\n\n\n';

function changed(path: string, text: string, command: string): readonly string[] {
  const file = { path, text };
  const found = runnerOf(file, context(command))?.changeExpectations?.(file, context(command), null);
  if (found === undefined || found.kind === 'none') return [];
  const before = text.split('\n');
  return found.text.split('\n').filter((line, at) => line !== before[at]);
}

const inJs = (body: string, title = "'adds', () =>"): readonly string[] =>
  changed('test/a.test.js', `${jsHead}it(${title} {\n  ${body}\n});\n`, 'vitest run');
const inPython = (body: string): readonly string[] =>
  changed('tests/test_a.py', `${pyHead}def test_a():\n    ${body}\n`, 'pytest');

it.each(['vitest run', 'jest', 'mocha'])(
  'A test of %s that calls a changed helper expects another value',
  (command) => {
    const text = `${jsHead}it('adds', () => {\n  expectSum(add(3, 4), 7);\n});\n`;
    expect(changed('test/a.test.js', text, command)).toEqual(['  expectSum(add(3, 4), 1016);']);
  },
);

it.each([
  ['expectSum(add(3, 4), -7.5)', 'expectSum(add(3, 4), 1001.5)'],
  ["await own(await add('a, b'), 'c');", "await own(await add('a, b'), 'c other');"],
  ['const a = 1;\n  expectSum(add(a), "x")', 'expectSum(add(a), "x other")'],
])('The statement %s expects another value', (body, expected) => {
  expect(inJs(body)).toEqual([`  ${expected}`]);
});

it.each([
  ['a third argument, which may be a tolerance or a message', 'expectSum(add(3, 4), 7, 1);'],
  ['one argument', 'expectSum(add(3, 4));'],
  ['a comparison in the first argument', "expectSum(add(3, 4) === 7, 'adds');"],
  ['a value that was computed before', 'const sum = add(3, 4);\n  expectSum(sum, 7);'],
  ['an expectation that is no plain literal', 'expectSum(add(3, 4), 3 + 4);'],
  ['an expectation with an escape', String.raw`expectSum(add(3, 4), 'a\n');`],
  ['a list as expectation', 'expectSum(add(3, 4), [7]);'],
  ['a helper that the work did not change', 'other(add(3, 4), 7);'],
  ['a helper of a package', 'far(add(3, 4), 7);'],
  ['a function that is not imported', 'expectSum(Number(7), 7);'],
  ['a helper from the file of the function itself', 'expectBoth(both(3, 4), 7);'],
  ['an assertion of the runner beside it', 'expectSum(add(3, 4), 7);\n  expect(add(1, 1)).toBe(2);'],
  ['a thrown error beside it', "expectSum(add(3, 4), 7);\n  if (add(1) !== 1) throw new Error('add');"],
  ['a branch', 'if (add(1)) {\n    expectSum(add(3, 4), 7);\n  }'],
  ['more in the statement', 'expectSum(add(3, 4), 7).then(add);'],
])('A test of JavaScript with %s is left alone', (_, body) => {
  expect(inJs(body)).toEqual([]);
});

it('A test that may assert with the object it is called with is left alone', () => {
  expect(inJs('t.is(1, 1);\n  expectSum(add(3, 4), 7);', "'adds', (t) =>")).toEqual([]);
});

it.each([
  ['expect_sum(add(3, 4), 7)', 'expect_sum(add(3, 4), 1016)'],
  ['text(add("a", "b"), "ab")', 'text(add("a", "b"), "ab other")'],
])('The statement %s of Python expects another value', (body, expected) => {
  expect(inPython(body)).toEqual([`    ${expected}`]);
});

it.each([
  ['a third argument', 'expect_sum(add(3, 4), 7, 1)'],
  ['an argument by name', 'expect_sum(add(3, 4), wanted=7)'],
  ['a formatted string', 'text(add(3, 4), f"{1}")'],
  ['an assertion beside it', 'expect_sum(add(3, 4), 7)\n    assert add(1, 1) == 2'],
  ['an expected error', 'expect_sum(add(3, 4), 7)\n    with pytest.raises(ValueError):\n        add(1)'],
  ['a comparison', 'expect_sum(add(3, 4) == 7, "adds")'],
  ['a helper that the work did not change', 'add(add(3, 4), 7)'],
  ['a return before it', 'return\n    expect_sum(add(3, 4), 7)'],
])('A test of Python with %s is left alone', (_, body) => {
  expect(inPython(body)).toEqual([]);
});

it('A helper of Python is found by its own folder', () => {
  const text = `from calc.add import add\nfrom ..expect import expect_sum\n\n\ndef test_a():\n    expect_sum(add(3, 4), 7)\n`;
  expect(changed('lib/calc/tests/test_a.py', text, 'pytest')).toEqual(['    expect_sum(add(3, 4), 1016)']);
  expect(changed('lib/tests/test_a.py', text, 'pytest')).toEqual([]);
});

const inGo = (body: string, path = 'calc/a_test.go'): readonly string[] =>
  changed(
    path,
    `package calc\n\nimport "testing"\n\nfunc TestA(t *testing.T) {\n\t${body}\n}\n`,
    'go test ./...',
  );

it.each([
  ['expect(t, Add(3, 4), 7)', 'expect(t, Add(3, 4), 1016)'],
  ['expect(t, Mul(3, 4), 12)', 'expect(t, Mul(3, 4), 1021)'],
])('The statement %s of Go expects another value', (body, expected) => {
  expect(inGo(body)).toEqual([`\t${expected}`]);
});

it.each([
  ['an assertion beside it', 'expect(t, Add(3, 4), 7)\n\tif Add(1, 1) != 2 {\n\t\tt.Fatal()\n\t}'],
  ['a helper that the work did not change', 'equal(t, Add(3, 4), 7)'],
  ['one more argument', 'expect(t, Add(3, 4), 7, 1)'],
])('A test of Go with %s is left alone', (_, body) => {
  expect(inGo(body)).toEqual([]);
});

it('A helper of Go judges the tests of its own folder alone', () => {
  expect(inGo('expect(t, Add(3, 4), 7)', 'other/a_test.go')).toEqual([]);
});
