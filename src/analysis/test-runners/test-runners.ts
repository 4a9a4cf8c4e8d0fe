// The test runners that can be calibrated. Pure.
import { bats } from './bats.ts';
import { cAssert } from './c-assert.ts';
import { jUnit, phpUnit } from './class-runners.ts';
import { goTest } from './go.ts';
import { jsRunners } from '#analysis/test-runners/javascript/runners.ts';
import { nodeTest } from '#analysis/test-runners/javascript/node-test.ts';
import { testMore } from './perl.ts';
import { pytest } from '#analysis/test-runners/python/pytest.ts';
import { minitest, rspec } from './ruby.ts';
import { cargo } from './rust.ts';
import { nodeScript, pythonScript, shellScript } from './scripts.ts';
import type { RunnerContext, SourceText, TestRunner } from './test-runner.ts';
import { unittest } from '#analysis/test-runners/python/unittest.ts';

/** In this order: the first that knows a file is its runner, so scripts that the command names stand before shared words. */
export const testRunners: readonly TestRunner[] = [
  nodeTest,
  ...jsRunners,
  nodeScript,
  pythonScript,
  unittest,
  pytest,
  goTest,
  cargo,
  jUnit,
  phpUnit,
  rspec,
  minitest,
  bats,
  testMore,
  cAssert,
  shellScript,
];

const textMax = 2 * 1024 * 1024;

/** The runner of a test file; null for other files, and for runners that are not known here. */
export function runnerOf(file: SourceText, context: RunnerContext): TestRunner | null {
  if (file.text.length > textMax) return null;
  return testRunners.find((runner) => runner.isTestFile(file, context)) ?? null;
}
