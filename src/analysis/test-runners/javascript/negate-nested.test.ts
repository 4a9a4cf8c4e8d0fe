import { expect, it } from 'vitest';
import { nodeTest } from './node-test.ts';
import type { RunnerContext } from '#analysis/test-runners/test-runner.ts';

const context: RunnerContext = { command: '', scripts: [], output: '', dependencies: [], settings: [] };
const head = `import assert from 'node:assert';\nimport { test } from 'node:test';\n`;

function nested(body: string): { readonly text: string; readonly without: string } | null {
  const text = `${head}test('a', async (t) => {${body}});\n`;
  const negated = nodeTest.negateNested?.({ path: 'a.test.js', text }, context, null);
  if (negated === undefined || negated.kind === 'none') return null;
  const bodyOf = (whole: string): string =>
    whole.slice(`${head}test('a', async (t) => {`.length, -'});\n'.length);
  return { text: bodyOf(negated.text), without: bodyOf(negated.without) };
}

it.each([
  ['for (const n of f()) { assert.equal(n, 1); }'],
  ['\n  for (const n of f()) {\n    g();\n    assert.equal(n, 1);\n  }\n'],
  ['for await (const n of f()) assert.equal(n, 1);'],
  ['while (f()) { assert.equal(n, 1); }'],
  ['f().forEach((n) => { assert.equal(n, 1); });'],
  ['f().forEach((n) => assert.equal(n, 1));'],
  ['f().forEach(n => assert.equal(n, 1));'],
  ['await Promise.all(f().map(async (n) => { assert.equal(n, 1); }));'],
  ['f(1, 2, function (n) { assert.equal(n, 1); });'],
  ['for (const l of f()) { l.forEach((n) => { assert.equal(n, 1); }); }'],
  ['if (x) { g(); }\n  f({ a: 1 }, (n) => {\n    assert.equal(n, 1)\n  })\n'],
])('The assertion in `%s` is negated, and left out', (body) => {
  expect(nested(body)).toEqual({
    text: body.replace('assert.equal', 'assert.notEqual'),
    without: body.replace('assert.equal(n, 1)', 'void [n, 1]'),
  });
});

it.each([
  ['an assertion beside it', 'assert.ok(\n  a,\n); for (const n of f()) { assert.equal(n, 1); }'],
  ['a branch', 'for (const n of f()) { if (n) { assert.equal(n, 1); } }'],
  ['a branch around the loop', 'if (x) for (const n of f()) { assert.equal(n, 1); }'],
  ['a branch around the call', 'if (x)\n  f().forEach((n) => { assert.equal(n, 1); });'],
  ['a condition before the call', 'x && f((n) => { assert.equal(n, 1); });'],
  ['the other branch', 'for (const n of f()) { if (n) g(); else assert.equal(n, 1); }'],
  ['a catch block', 'try { f(); } catch (e) { assert.equal(e.message, 1); }'],
  ['a try block', 'for (const n of f()) { try { assert.equal(n, 1); } catch {} }'],
  ['a handler of rejections', 'await f().catch((e) => { assert.equal(e, 1); });'],
  ['a second handler', 'await f().then(g, (e) => { assert.equal(e, 1); });'],
  ['a handler of errors', "f().on('error', (e) => { assert.equal(e, 1); });"],
  ['a switch', 'for (const n of f()) { switch (n) { case 1: assert.equal(n, 1); } }'],
  ['a named function', 'function g(n) { assert.equal(n, 1); } f(g);'],
  ['a function that has a name', 'const g = (n) => { assert.equal(n, 1); }; f(g);'],
  ['a method', 'f({ g(n) { assert.equal(n, 1); } });'],
  ['a function that a function returns', 'f((a) => (n) => { assert.equal(n, 1); });'],
  ['the lines after a break', 'for (const n of f()) {\n  if (n) break;\n  assert.equal(n, 1);\n}'],
  ['a line that is never reached', 'for (const n of f()) { assert.ok(false); }'],
  ['several lines', 'for (const n of f()) {\n  assert.equal(n,\n    1);\n}'],
])('An assertion in a test with %s is not negated', (_title, body) => {
  expect(nested(body)).toBeNull();
});
