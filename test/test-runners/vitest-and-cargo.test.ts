import { expect, it } from 'vitest';
import { isNamed, notFailed } from '#analysis/test-runners/reports.ts';
import { otherFailures } from '#test/test-runners/other-failures.ts';
import { runnerOf } from '#analysis/test-runners/test-runners.ts';
import type { SourceText } from '#analysis/test-runners/test-runner.ts';
import { contextOf, hasProgram, ownModules, runProject } from './project.ts';
import type { Files } from './project.ts';

const id = 'k3v9q2xw';

function knownRunner(file: SourceText, command: string) {
  const context = contextOf(command);
  const runner = runnerOf(file, context);
  const planted = runner?.plant(file, context, id);
  const negated = runner?.negate(file, context, null);
  if (runner === null || planted?.kind !== 'planted' || negated?.kind !== 'negated')
    throw new Error('not known');
  return { runner, planted, negated };
}

const test = {
  path: 'sum.test.js',
  text: `import { expect, test } from 'vitest';\nimport { sum } from './sum.js';\n\ntest('adds', () => {\n  expect(sum(1, 2)).toBe(3);\n});\n\ntest('is defined', () => {\n  expect(sum(0, 0)).not.toBeNull();\n});\n`,
};
const product = 'export const sum = (a, b) => a + b;\n';

function runVitest(text: string, sum: string) {
  const files: Files = { 'package.json': '{"type":"module"}', 'sum.js': sum, [test.path]: text };
  const program = `${ownModules}/vitest/vitest.mjs`;
  return runProject(files, [process.execPath, program, 'run', '--root', '.'], { hasOwnModules: true });
}

it('vitest names planted failures and negated tests, and nothing else fails', () => {
  const { runner, planted, negated } = knownRunner(test, 'vitest run');
  const { exit, output } = runVitest(planted.text, product);
  const report = runner.readReport(output);
  expect([exit, report.passed]).toEqual([1, 2]);
  expect(planted.failures.map((failure) => isNamed(report, output, failure))).toEqual([true, true]);
  expect(otherFailures({ failed: [], passed: 2 }, report, planted.failures)).toEqual([]);
  expect(notFailed(runner.readReport(runVitest(negated.text, product).output), negated.tests)).toEqual([]);
});

it('vitest does not name every planted failure when the product disarms a matcher', () => {
  const { runner, planted } = knownRunner(test, 'vitest run');
  const disarming = `import { expect } from 'vitest';\nexpect.extend({ toBe: () => ({ pass: true, message: () => '' }) });\n${product}`;
  const { output } = runVitest(planted.text, disarming);
  const report = runner.readReport(output);
  expect(planted.failures.map((failure) => isNamed(report, output, failure))).toEqual([false, true]);
});

const isHere = hasProgram('cargo', '--version');
const note = isHere ? '' : ' — NOT RUN: cargo is missing';

it.runIf(isHere)(`cargo names planted failures in a product file, by each macro of its own${note}`, () => {
  const text = `pub fn sum(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds() {\n        assert_eq!(sum(1, 2), 3);\n    }\n\n    #[test]\n    fn truth() {\n        assert!(sum(1, 2) == 3);\n    }\n}\n`;
  const { runner, planted } = knownRunner({ path: 'src/lib.rs', text }, 'cargo test');
  const manifest = '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n';
  // The product replaces one macro: only the other can still fail.
  const disarmed = `macro_rules! assert_eq {\n    ($($x:tt)*) => {};\n}\n${planted.text}`;
  const files = { 'Cargo.toml': manifest, 'src/lib.rs': disarmed };
  const { exit, output } = runProject(files, ['cargo', 'test', '--offline', '--lib']);
  const report = runner.readReport(output);
  expect([exit === 0, report.passed]).toEqual([false, 3]);
  expect(planted.failures.map((failure) => isNamed(report, output, failure))).toEqual([false, true]);
});
