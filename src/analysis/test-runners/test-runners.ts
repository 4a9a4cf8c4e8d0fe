// The test runners that can be calibrated: how to plant in their files, and how to read their reports. Pure.
import { bats } from './bats.ts';
import { cAssert } from './c-assert.ts';
import { goTest } from '#analysis/test-runners/go/go.ts';
import { jsRunners } from '#analysis/test-runners/javascript/runners.ts';
import { nodeTest } from '#analysis/test-runners/javascript/node-test.ts';
import { jUnit } from './junit.ts';
import { testMore } from './perl.ts';
import { phpUnit } from './phpunit.ts';
import { pytest } from '#analysis/test-runners/python/pytest.ts';
import { unittest } from '#analysis/test-runners/python/unittest.ts';
import { minitest, rspec } from './ruby.ts';
import { cargo } from './rust.ts';
import { nodeScript } from '#analysis/test-runners/javascript/script.ts';
import { pythonScript } from '#analysis/test-runners/python/script.ts';
import { shellScript } from './shell-script.ts';
import type { RunnerContext, SourceText, TestRunner } from './test-runner.ts';

/** The first match is the runner, so scripts that the command names precede shared words. */
export const testRunners: readonly TestRunner[] = [
  nodeTest,
  ...jsRunners,
  nodeScript,
  pythonScript,
  unittest,
  pytest,
  goTest,
  cargo,
  cAssert,
  jUnit,
  phpUnit,
  rspec,
  minitest,
  testMore,
  bats,
  shellScript,
];

const textMax = 2 * 1024 * 1024;

/** The runner of a test file; null for other files, and for unknown runners. */
export function runnerOf(file: SourceText, context: RunnerContext): TestRunner | null {
  if (file.text.length > textMax) return null;
  return testRunners.find((runner) => runner.isTestFile(file, context)) ?? null;
}
