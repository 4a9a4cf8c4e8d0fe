import { expect, it } from 'vitest';
import { otherFailures } from '#test/test-runners/other-failures.ts';
import { isNamed, notFailed } from './reports.ts';
import type { TestReport } from './test-runner.ts';

const reportOf = (...names: readonly string[]): TestReport => ({
  failed: names.map((name) => ({ name, cause: 'unknown' })),
  passed: null,
});
const planted = { id: 'k3v9_q2xwa', test: 'test_k3v9q2xwa' };

it('A planted failure is named only if its test is reported as failed and its assertion ran', () => {
  const report = reportOf('a.py::test_k3v9q2xwa');
  expect(isNamed(report, "assert 'k3v9_q2xwa' == 'green'", planted)).toBe(true);
  expect(isNamed(report, 'FAILED a.py::test_k3v9q2xwa', planted)).toBe(false);
  expect(isNamed(reportOf('a.py::test_other'), 'k3v9_q2xwa', planted)).toBe(false);
});

it('Failures that are neither planted nor known from before are others', () => {
  const after = reportOf('old', 'a.py::test_k3v9q2xwa', 'new');
  expect(otherFailures(reportOf('old'), after, [planted])).toEqual(['new']);
});

it('A test that must fail is found with its suite in front, and not by the end of another title', () => {
  const report = reportOf('sum.test.js > more > adds', 'tests::zero', 'tests.A.test_x', 'subtracts');
  expect(notFailed(report, ['adds', 'zero', 'test_x', 'tracts'])).toEqual(['tracts']);
});
