// Plants, negates and reads tests of unittest, and of Django's runner with the same reports. Pure.
import { changeInPython } from './expectations.ts';
import { negateNestedInPython } from './negate-nested.ts';
import { negateInPython, plantInPython } from './test-file.ts';
import { failureList, linesOf } from '#analysis/test-runners/reports.ts';
import type { RunnerContext, TestReport, TestRunner } from '#analysis/test-runners/test-runner.ts';

export const unittest: TestRunner = {
  name: 'unittest',
  isTestFile: ({ path, text }, context) =>
    path.endsWith('.py') && /^class \w+\([\w., ]*TestCase\b/m.test(text) && !isPytest(context),
  plant: (file, _, id) => plantInPython(file, id, { functionName: null }),
  readReport,
  negate: (file, _, tests) => negateInPython(file, tests),
  negateNested: (file, _, tests) => negateNestedInPython(file, tests),
  changeExpectations: (file, { changed }, tests) => changeInPython(file, { changed, tests }),
};

/** The command and its scripts decide, then the report, then the installed packages. */
function isPytest({ command, scripts, output, dependencies }: RunnerContext): boolean {
  const commands = [command, ...scripts].join('\n');
  if (/\bpytest\b|\bpy\.test\b/.test(commands)) return true;
  if (/\bunittest\b|manage\.py\b|^\s*python[\d.]* \S+\.py\b/m.test(commands)) return false;
  if (/^Ran \d+ tests? in /m.test(output)) return false;
  return /^=+ test session starts =+$/m.test(output) || dependencies.includes('pytest');
}

function readReport(output: string): TestReport {
  const failures = failureList();
  let passed: number | null = null;
  for (const line of linesOf(output)) {
    const found = /^(FAIL|ERROR): (\w\S*) \(([^)]*)\)/.exec(line);
    if (found !== null) {
      const [, kind, test = '', place = ''] = found;
      const isUnloaded = place.includes('_FailedTest');
      const name = isUnloaded || place.endsWith(`.${test}`) ? place : `${place}.${test}`;
      failures.add(name, isUnloaded ? 'load' : kind === 'FAIL' ? 'assertion' : 'unknown');
    }
    const ran = /^Ran (\d+) tests? in [\d.]+s$/.exec(line)?.[1];
    if (ran !== undefined) passed = (passed ?? 0) + Number(ran);
    if (/^(?:OK|FAILED) \(.*=\d+\)$/.test(line) && passed !== null)
      passed -= [...line.matchAll(/=(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  }
  return { failed: failures.list(), passed };
}
