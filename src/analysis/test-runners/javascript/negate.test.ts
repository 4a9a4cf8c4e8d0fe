import { expect, it } from 'vitest';
import { nodeTest } from './node-test.ts';
import type { RunnerContext } from '#analysis/test-runners/test-runner.ts';

const context: RunnerContext = { command: '', scripts: [], output: '', dependencies: [], settings: [] };
const head = `import assert from 'node:assert';\nimport { describe, test } from 'node:test';\n`;

function negatedLines(body: string): readonly string[] {
  const text = head + body;
  const negated = nodeTest.negate({ path: 'a.test.js', text }, context, null);
  if (negated.kind === 'none') return [];
  const before = text.split('\n');
  return negated.text.split('\n').filter((line, index) => line !== before[index]);
}

it.each([
  ['assert.equal(a, b);', 'assert.notEqual(a, b);'],
  ['await assert.rejects(f());', 'await assert.doesNotReject(f());'],
  ["assert(a === '(', 'x'.length);", null],
  ["assert(a === '(');", "assert(!(a === '('));"],
  ['assert.ok(a, b);', null],
  ['assert.equal(a,', null],
  ['if (a) assert.equal(a, b);', null],
  ['for (const a of b) assert.equal(a, b);', null],
  ['list.forEach((a) => assert.equal(a, b));', null],
  ['assert.unknown(a, b);', null],
])('The line %s directly in a test becomes %s', (line, expected) => {
  const lines = negatedLines(`test('a', async () => {\n  ${line}\n});\n`);
  expect(lines).toEqual(expected === null ? [] : [`  ${expected}`]);
});

it.each([
  ['a block', `test('a', () => {\n  if (x) {\n    assert.equal(1, 1);\n  }\n});\n`],
  ['a branch without braces', `test('a', () => {\n  if (x)\n    assert.equal(1, 1);\n});\n`],
  ['a callback', `test('a', () => {\n  run(() => {\n    assert.equal(1, 1);\n  });\n});\n`],
  ['a try block', `test('a', () => {\n  try {\n    assert.equal(1, 1);\n  } catch {}\n});\n`],
  ['the lines after a return', `test('a', () => {\n  if (x) { return; }\n  assert.equal(1, 1);\n});\n`],
  [
    'a loop that declares tests',
    `for (const x of y) {\n  test('a', () => {\n    assert.equal(1, 1);\n  });\n}\n`,
  ],
  [
    'a skipped suite',
    `describe.skip('s', () => {\n  test('a', () => {\n    assert.equal(1, 1);\n  });\n});\n`,
  ],
  ['a skipped test', `test('a', { skip: true }, () => {\n  assert.equal(1, 1);\n});\n`],
  ['a template string', `const x = \`\ntest('a', () => {\n  assert.equal(1, 1);\n});\n\`;\n`],
  [
    'two tests of one name',
    `test('a', () => {\n  assert.ok(1);\n});\ntest('a', () => {\n  assert.ok(1);\n});\n`,
  ],
])('An assertion in %s is not negated', (_, body) => {
  expect(negatedLines(body)).toEqual([]);
});

it.each([
  ["test('a', () => assert.equal(a, b));", "test('a', () => assert.notEqual(a, b));"],
  ["test('a', async () => assert.ok(await a()));", "test('a', async () => assert.ok(!(await a())));"],
  ["test('a', () => { assert.equal(a, b); });", "test('a', () => { assert.notEqual(a, b); });"],
  ["test('a', () => { b(); assert(a) })", "test('a', () => { b(); assert(!(a)) })"],
  ["test('a', () => { if (x) return; assert(a); });", null],
  ["test('a', () => { for (;;) assert(a); });", null],
  ["test('a', () => assert.equal(a, b), 1000);", null],
  ["test('a', () => list.forEach((x) => assert(x)));", null],
])('The test %s on one line becomes %s', (line, expected) => {
  expect(negatedLines(`${line}\n`)).toEqual(expected === null ? [] : [expected]);
});

it('Only the tests that are asked for are negated, also inside suites', () => {
  const text = `${head}describe('s', () => {\n  test('a', () => {\n    assert.ok(1);\n  });\n  test('b', () => {\n    assert.ok(2);\n  });\n});\n`;
  const negated = nodeTest.negate({ path: 'a.test.js', text }, context, ['b']);
  expect(negated).toMatchObject({ tests: ['b'], text: text.replace('assert.ok(2)', 'assert.ok(!(2))') });
});
