import { expect, it } from 'vitest';
import { pytest } from '#analysis/test-runners/python/pytest.ts';
import { isNamed, notFailed } from '#analysis/test-runners/reports.ts';
import { otherFailures } from '#test/test-runners/other-failures.ts';
import { runnerOf } from '#analysis/test-runners/test-runners.ts';
import { contextOf, hasProgram, runProject } from './project.ts';

const id = 'k3v9q2xw';
const context = contextOf('pytest');
const path = 'tests/test_sums.py';
const text = `from sums import total


def test_adds():
    assert total(1, 2) == 3


class TestMore:
    def test_zero(self):
        result = total(0, 0)
        assert result == 0, "zero"


if __name__ == "__main__":
    raise SystemExit("use pytest")
`;
const product = 'def total(a, b):\n    return a + b\n';

function run(test: string, sums: string, ...args: readonly string[]) {
  const files = { [path]: test, 'sums.py': sums, 'pytest.ini': '[pytest]\npythonpath = .\n' };
  const program = ['python3', '-m', 'pytest', '-p', 'no:cacheprovider', ...args] as const;
  const { exit, output } = runProject(files, program);
  return { exit, output, report: pytest.readReport(output) };
}

function planted() {
  const found = runnerOf({ path, text }, context)?.plant({ path, text }, context, id);
  if (found?.kind !== 'planted') throw new Error('nothing planted');
  return found;
}

const isHere = hasProgram('python3', '-m', 'pytest', '--version');
if (!isHere) process.stderr.write('\nNOT TESTED: pytest is not installed.\n');

it.runIf(isHere)('pytest names planted failures, before the main block, and nothing else fails', () => {
  const { text: changed, failures } = planted();
  const before = run(text, product);
  const after = run(changed, product, '-q');
  expect(changed.indexOf('if __name__')).toBeGreaterThan(changed.indexOf(id));
  expect([before.exit, after.exit]).toEqual([0, 1]);
  expect(failures.map((failure) => isNamed(after.report, after.output, failure))).toEqual([true]);
  expect(otherFailures(before.report, after.report, failures)).toEqual([]);
  expect(after.report).toMatchObject({ failed: [{ cause: 'assertion' }], passed: 2 });
  expect(before.report.passed).toBe(2);
});

it.runIf(isHere)('pytest does not name a planted failure when the product ends the process on import', () => {
  const { text: changed, failures } = planted();
  const { report, output } = run(changed, `import os\nos._exit(0)\n${product}`);
  expect(failures.some((failure) => isNamed(report, output, failure))).toBe(false);
});

it.runIf(isHere)('A file that pytest could not load failed by load', () => {
  expect(run(text, 'other = 1\n').report.failed).toEqual([{ name: path, cause: 'load' }]);
});

it.runIf(isHere)('Tests of pytest fail when their assertions are negated', () => {
  const negated = pytest.negate({ path, text }, context, null);
  if (negated.kind !== 'negated') throw new Error('nothing negated');
  const { report } = run(negated.text, product);
  expect(negated.tests).toEqual(['test_adds', 'test_zero']);
  expect(notFailed(report, negated.tests)).toEqual([]);
});

it('A planted function of pytest has the name that the settings ask for, or there is none', () => {
  const plant = (setting: string) =>
    pytest.plant(
      { path, text },
      contextOf('pytest', { settings: [{ path: 'pytest.ini', text: setting }] }),
      id,
    );
  expect(plant('[pytest]\npython_functions = check_*\n')).toMatchObject({
    text: expect.stringContaining(`def check_${id}a():`) as string,
  });
  expect(plant('[pytest]\npython_functions = *_spec\n')).toEqual({
    kind: 'none',
    reason: 'no place to plant a failure in tests/test_sums.py',
  });
});

it('A file is a test of pytest by its name, unless the settings or the command say otherwise', () => {
  const file = (name: string) => ({ path: name, text });
  const named = contextOf('pytest checks/sums.py');
  const set = contextOf('pytest', {
    settings: [{ path: 'pytest.ini', text: '[pytest]\npython_files = *.py\n' }],
  });
  const names = ['test_a.py', 'tests/a_test.py', 'tests/conftest.py', 'checks/sums.py'];
  expect(names.map((name) => pytest.isTestFile(file(name), context))).toEqual([true, true, false, false]);
  expect([named, set].map((given) => pytest.isTestFile(file('checks/sums.py'), given))).toEqual([true, true]);
});
