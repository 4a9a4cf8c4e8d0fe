import { expect, it } from 'vitest';
import { isNamed, notFailed } from '#analysis/test-runners/reports.ts';
import { otherFailures } from '#test/test-runners/other-failures.ts';
import { runnerOf } from '#analysis/test-runners/test-runners.ts';
import { contextOf, runProject } from './project.ts';

const id = 'k3v9q2xw';
const context = contextOf('node --test');
const path = 'test/sum.test.mjs';
const text = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sum } from '../sum.mjs';

test('adds', () => {
  assert.equal(sum(1, 2), 3);
});

test('is truthy', () => {
  assert.ok(sum(1, 2));
});
`;
const product = 'export const sum = (a, b) => a + b;\n';

function planted(source = text) {
  const found = runnerOf({ path, text: source }, context)?.plant({ path, text: source }, context, id);
  if (found?.kind !== 'planted') throw new Error(`nothing planted: ${found?.reason ?? 'no runner'}`);
  return found;
}

function run(test: string, sum: string, ...args: readonly string[]) {
  const files = { [path]: test, 'sum.mjs': sum };
  const { exit, output } = runProject(files, [process.execPath, '--test', ...args]);
  const report = runnerOf({ path, text }, context)?.readReport(output);
  if (report === undefined) throw new Error('no runner');
  return { exit, output, report };
}

it.each(['spec', 'tap'])(
  'node:test names planted failures, one for each assertion function, and nothing else fails (%s reporter)',
  (reporter) => {
    const { text: changed, failures } = planted();
    const before = run(text, product, `--test-reporter=${reporter}`);
    const after = run(changed, product, `--test-reporter=${reporter}`);
    expect(changed).not.toContain(failures[0]?.id);
    expect([failures.length, before.exit, after.exit]).toEqual([2, 0, 1]);
    expect(failures.map((failure) => isNamed(after.report, after.output, failure))).toEqual([true, true]);
    expect(otherFailures(before.report, after.report, failures)).toEqual([]);
    expect(after.report.failed.map(({ cause }) => cause)).toEqual(['assertion', 'assertion']);
    expect([before.report.passed, after.report.passed]).toEqual([2, 2]);
  },
);

it.each([
  ['exits on import', `process.exit(0);\n${product}`],
  ['replaces the assertion', `import a from 'node:assert/strict';\na.equal = () => {};\n${product}`],
])('node:test does not name every planted failure when the product %s', (_, sum) => {
  const { text: changed, failures } = planted();
  const { report, output } = run(changed, sum);
  expect(failures.every((failure) => isNamed(report, output, failure))).toBe(false);
});

it('A file that node:test could not load failed by load, and no test of it is named', () => {
  const { report } = run(text, 'export const other = 1;\n');
  expect(report).toEqual({ failed: [{ name: path, cause: 'load' }], passed: 0 });
});

it('A file that ends on import is not counted as a passed test', () => {
  expect(run(text, `process.exit(0);\n${product}`).report).toEqual({ failed: [], passed: 0 });
});

it('Tests of node:test fail when their assertions are negated', () => {
  const negated = runnerOf({ path, text }, context)?.negate({ path, text }, context, null);
  if (negated?.kind !== 'negated') throw new Error('nothing negated');
  const { report } = run(negated.text, product);
  expect(negated.tests).toEqual(['adds', 'is truthy']);
  expect(notFailed(report, negated.tests)).toEqual([]);
});
