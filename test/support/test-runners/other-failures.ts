import type { PlantedFailure, TestReport } from '#analysis/test-runners/test-runner.ts';

/** Failed tests that are neither planted nor failed before: an exact result has none. */
export function otherFailures(
  before: TestReport,
  after: TestReport,
  planted: readonly PlantedFailure[],
): readonly string[] {
  const known = new Set(before.failed.map(({ name }) => name));
  return after.failed
    .map(({ name }) => name)
    .filter((name) => !known.has(name) && !planted.some(({ test }) => name.includes(test)));
}
