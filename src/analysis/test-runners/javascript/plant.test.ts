import { expect, it } from 'vitest';
import type { RunnerContext } from '#analysis/test-runners/test-runner.ts';
import { runnerOf } from '#analysis/test-runners/test-runners.ts';

const context: RunnerContext = {
  command: 'npm test',
  scripts: ['jest'],
  output: '',
  dependencies: [],
  settings: [],
};

function addedTo(text: string, given: Partial<RunnerContext> = {}): string | null {
  const file = { path: 'a.test.js', text };
  const planted = runnerOf(file, { ...context, ...given })?.plant(file, context, 'k3v9q2xw');
  return planted?.kind === 'planted' ? planted.text.slice(text.length) : null;
}

it('A planted test has the quotes, the indent, the line ends and the test functions of its file', () => {
  const text = `const test = require("node:test")\nconst check = require("assert")\n\ntest("a", function () {\n\tcheck.deepEqual([1], [1])\n})\n`;
  expect(addedTo(text)).toBe(
    `\ntest(["k3v9", "q2xwa"].join("_"), function () {\n\tcheck.deepEqual(["k3v9", "q2xwa"].join("_"), "green")\n})\n`,
  );
});

it('A planted test is focused if the file focuses tests', () => {
  expect(addedTo(`it.only('a', () => {\n  expect(1).toBe(1);\n});\n`)).toContain(
    "\nit.only(['k3v9', 'q2xwa']",
  );
  const tape = `import test from 'tape';\ntest.only('a', (t) => {\n  t.end();\n});\n`;
  expect(addedTo(tape)).toBeNull();
});

it('A planted test of tape fails by name if the file has no other known function', () => {
  const text = `var test = require('tape');\n\ntest('a', function (t) {\n  t['throws'](f);\n  t.end();\n});\n`;
  expect(addedTo(text)).toContain("t.fail(['k3v9', 'q2xwa'].join('_'))");
});

it('A test with a callback parameter of its runner gets none in the planted test', () => {
  expect(addedTo(`it('a', (done) => {\n  expect(1).toBe(1);\n  done();\n});\n`)).toContain('() => {');
});

it.each([
  ['ends the process', `test('a', () => {});\nprocess.exit(0);\n`],
  ['is not closed', `test('a', () => {\n`],
  ['declares no test itself', `describe('a', () => {});\n`],
])('Nothing is planted in a file that %s', (_, text) => {
  expect(addedTo(text)).toBeNull();
});

it.each([
  [{ scripts: ['vitest run'] }, 'vitest'],
  [{ scripts: ['mocha'], dependencies: ['jest'] }, 'mocha'],
  [{ scripts: [], output: 'Test Suites: 1 passed, 1 total' }, 'jest'],
  [{ scripts: [], dependencies: ['mocha'] }, 'mocha'],
  [{ scripts: [], dependencies: ['mocha', 'jest'] }, undefined],
])('Global test functions belong to the one runner that %j names', (given, name) => {
  const file = { path: 'a.test.js', text: `it('a', () => {});\n` };
  expect(runnerOf(file, { ...context, ...given })?.name).toBe(name);
});

it('Test functions of another library belong to no known runner', () => {
  const text = `import { test } from '@playwright/test';\ntest('a', () => {});\n`;
  expect(runnerOf({ path: 'a.test.js', text }, context)).toBeNull();
});
