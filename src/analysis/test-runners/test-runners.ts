// The test runners that can be calibrated. Pure.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import type { RunnerContext, SourceText, TestRunner } from './test-runner.ts';

/** The first that knows a file is its runner, so scripts that the command names stand before shared words. */
export const testRunners: readonly TestRunner[] = factsOf('tests').flatMap((each) => each.runners ?? []);

const textMax = 2 * 1024 * 1024;

/** The runner of a test file; null for other files, and for runners that are not known here. */
export function runnerOf(file: SourceText, context: RunnerContext): TestRunner | null {
  if (file.text.length > textMax) return null;
  return testRunners.find((runner) => runner.isTestFile(file, context)) ?? null;
}
