// Reads what a report says about planted failures and all other tests. Pure.
import type { FailedTest, PlantedFailure, TestReport } from './test-runner.ts';
import { failedTestsMax } from './test-runner.ts';

/** Failed by report and by its own assertion: a compiler message could hold the identifier alone. */
export function isNamed(report: TestReport, output: string, { id, test }: PlantedFailure): boolean {
  return report.failed.some(({ name }) => name.includes(test)) && output.includes(id);
}

/** The tests that must fail but did not. Names may have the suite, class or file in front. */
export function notFailed(report: TestReport, tests: readonly string[]): readonly string[] {
  return tests.filter((test) => !report.failed.some(({ name }) => isSameTest(name, test)));
}

export function isSameTest(reported: string, test: string): boolean {
  return reported === test || (reported.endsWith(test) && /[\s.:#>›]$/.test(reported.slice(0, -test.length)));
}

/** Unique names: tests that share a name cannot be distinguished. */
export function namesOfOne(names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const again = new Set<string>();
  for (const name of names) (found.has(name) ? again : found).add(name);
  return new Set([...found].filter((name) => !again.has(name)));
}

/** Collects failures by name; a known cause replaces an unknown one. */
export function failureList(): {
  add(name: string, cause: FailedTest['cause']): void;
  list(): readonly FailedTest[];
} {
  const causes = new Map<string, FailedTest['cause']>();
  return {
    add(name, cause) {
      const known = causes.get(name);
      if (known === undefined ? causes.size < failedTestsMax : known === 'unknown') causes.set(name, cause);
    },
    list: () => [...causes].map(([name, cause]) => ({ name, cause })),
  };
}

// oxlint-disable-next-line no-control-regex -- control characters are what it removes
const ansi = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
const lineMax = 4096;

/** Lines without colours and line ends; endless ones are cut. */
export function linesOf(output: string): readonly string[] {
  return output.split(/\r?\n/).map((line) => stripAnsi(line.slice(0, lineMax)).trimEnd());
}

/** Without colours, cursor moves and titles. */
export function stripAnsi(text: string): string {
  return text.replace(ansi, '');
}
