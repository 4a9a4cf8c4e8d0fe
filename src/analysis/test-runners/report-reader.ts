// Reads a runner's report line by line, by the runner's own patterns. Pure.
import { failureList, linesOf } from './reports.ts';
import type { FailedTest, TestReport } from './test-runner.ts';

export interface ReportRules {
  /** Lines that name a failed test, in the first group. */
  readonly failed: readonly RegExp[];
  /** Lines that name a file or a suite that could not be loaded. */
  readonly unloaded?: RegExp;
  /** The line of totals; `passed` finds the count in it, and no match means none. */
  readonly summary?: RegExp;
  readonly passed?: RegExp | ((line: string) => number);
  /** The end of the text about a failure, besides the next failure. */
  readonly next?: RegExp;
  /** In the line or in the text below it: an assertion failed; something could not be loaded. */
  readonly assertion: RegExp;
  readonly load?: RegExp;
}

export function readReportBy(rules: ReportRules): (output: string) => TestReport {
  return (output) => readLines(linesOf(output), rules);
}

const textLinesMax = 60;

export function readLines(lines: readonly string[], rules: ReportRules): TestReport {
  const failures = failureList();
  let passed: number | null = null;
  for (const [index, line] of lines.entries()) {
    const name = nameIn(line, rules.failed);
    if (name !== null) failures.add(name, causeAt(lines, index, rules));
    const unloaded = rules.unloaded?.exec(line);
    if (unloaded != null) failures.add(unloaded[1] ?? line.trim(), 'load');
    if (rules.summary?.test(line) === true) passed = (passed ?? 0) + countIn(line, rules.passed);
  }
  return { failed: failures.list(), passed };
}

function countIn(line: string, passed: ReportRules['passed']): number {
  return typeof passed === 'function' ? passed(line) : Number(passed?.exec(line)?.[1] ?? 0);
}

/** All tests less those that failed or were skipped, for totals such as `3 runs, 1 failures, 0 errors`. */
export function restOf(all: RegExp, others: RegExp): (line: string) => number {
  return (line) =>
    [...line.matchAll(others)].reduce(
      (rest, [, count]) => rest - Number(count),
      Number(all.exec(line)?.[1] ?? 0),
    );
}

function nameIn(line: string, patterns: readonly RegExp[]): string | null {
  for (const pattern of patterns) {
    const name = pattern.exec(line)?.[1];
    if (name !== undefined) return name;
  }
  return null;
}

function causeAt(lines: readonly string[], index: number, rules: ReportRules): FailedTest['cause'] {
  const below = lines.slice(index + 1, index + textLinesMax);
  const end = below.findIndex(
    (line) => nameIn(line, rules.failed) !== null || rules.next?.test(line) === true,
  );
  const text = [lines[index], ...(end < 0 ? below : below.slice(0, end))].join('\n');
  if (rules.assertion.test(text)) return 'assertion';
  return rules.load?.test(text) === true ? 'load' : 'unknown';
}
