// The lines in which test runners tell what they did. Pure.
import { fileOnlyTest } from '#analysis/test-runners/javascript/node-test.ts';

export interface Told {
  /** Tests that were executed; a line may take back what another one counted too often. */
  readonly executed?: number;
  readonly skipped?: number;
  /** Signs that something ran which is no test of its own: an error while collecting, a package. */
  readonly extra?: number;
  /** The line says nothing about whether tests were executed at all. */
  readonly isNoSign?: boolean;
}

interface Rule {
  readonly runner: string;
  readonly pattern: RegExp;
  tells(line: string, match: RegExpExecArray): Told;
}

const none = (): Told => ({});
const first = (_: string, match: RegExpExecArray): Told => ({ executed: Number(match[1]) });
const skippedFirst = (_: string, match: RegExpExecArray): Told => ({
  skipped: Number(match[1]),
  isNoSign: true,
});
const summed = (line: string): Told => ({
  executed: countOf(line, /(\d+) (?:passed|failed|failures?|xfailed|xpassed)\b/g),
  skipped: countOf(line, /(\d+) (?:skipped|ignored|pending)\b/g),
  // One broken file may be many tests, and a broken clean-up is none.
  extra: countOf(line, /(\d+) errors?\b/g),
});
const one = (): Told => ({ executed: 1 });
/** What failed there is no test, though the runner counts it as one. */
const phantom = (): Told => ({ executed: -1, isNoSign: true });

// Whole lines only: the same words in somebody's prose must not turn a good run into an unknown one.
export const rules: readonly Rule[] = [
  { runner: 'node:test', pattern: /^(?:#|ℹ) tests 0$/, tells: none },
  { runner: 'node:test', pattern: /^(?:#|ℹ) (?:pass|fail) (\d+)$/, tells: first },
  { runner: 'node:test', pattern: /^(?:#|ℹ) skipped (\d+)$/, tells: skippedFirst },
  {
    runner: 'node:test',
    pattern: /^(?:#|ℹ) Error: A resource generated asynchronous activity after the test ended\./,
    tells: phantom,
  },
  { runner: 'node:test', pattern: fileOnlyTest, tells: phantom },
  { runner: 'vitest', pattern: /^No test files found\b/, tells: none },
  { runner: 'vitest', pattern: /^\s*(?:Test Files|Tests)\s+no tests$/, tells: none },
  {
    runner: 'vitest',
    pattern: /^\s*Tests\s+\d+ (?:passed|failed|skipped|todo)\b.*\(\d+\)$/,
    tells: summed,
  },
  { runner: 'jest', pattern: /^No tests found\b/, tells: none },
  { runner: 'jest', pattern: /^Tests:\s+.*\b\d+ total$/, tells: summed },
  { runner: 'mocha', pattern: /^\s*(\d+) (?:passing|failing)(?: \(.*\))?$/, tells: first },
  { runner: 'mocha', pattern: /^\s*(\d+) pending$/, tells: skippedFirst },
  { runner: 'mocha', pattern: /^\s*\d+\) "(?:before|after) (?:all|each)" hook\b/, tells: phantom },
  { runner: 'pytest', pattern: /^(?:=+ )?no tests (?:ran|collected)\b.* in [\d.]+s\b.*$/, tells: none },
  { runner: 'pytest', pattern: /^collected 0 items(?: \/ .*)?$/, tells: none },
  {
    runner: 'pytest',
    pattern:
      /^(?:=+ )?(?:\d+ [a-z]+, )*\d+ (?:passed|failed|skipped|deselected|errors?|warnings?|xfailed|xpassed) in [\d.]+s\b.*$/,
    tells: summed,
  },
  { runner: 'unittest', pattern: /^Ran (\d+) tests? in [\d.]+s$/, tells: first },
  {
    runner: 'unittest',
    pattern: /^(?:OK|FAILED) \((?:\w[\w ]*=\d+, )*skipped=(\d+)(?:, \w[\w ]*=\d+)*\)$/,
    // It counts them as run.
    tells: (_, match) => ({ executed: -Number(match[1]), skipped: Number(match[1]), isNoSign: true }),
  },
  { runner: 'go test', pattern: /^\?\s+\S+\s+\[no test files\]$/, tells: none },
  { runner: 'go test', pattern: /^ok\s+\S+\s+(?:[\d.]+s|\(cached\)).*\[no tests to run\]$/, tells: none },
  { runner: 'go test', pattern: /^testing: warning: no tests to run$/, tells: none },
  // Without -v it tells of packages alone, and of each test that failed.
  {
    runner: 'go test',
    pattern: /^(?:ok|FAIL)\s+\S+\s+(?:[\d.]+s|\(cached\))(?!.*\[no tests to run\]).*$/,
    tells: one,
  },
  { runner: 'go test', pattern: /^=== RUN\s+\S+$/, tells: one },
  {
    runner: 'go test',
    pattern: /^\s*--- SKIP: \S+ \([\d.]+s\)$/,
    tells: () => ({ executed: -1, skipped: 1, isNoSign: true }),
  },
  { runner: 'cargo test', pattern: /^test result: \w+\. \d+ passed; \d+ failed;/, tells: summed },
  { runner: 'cargo nextest', pattern: /^\s*Summary \[.*\]\s+(\d+) tests? run:/, tells: first },
  { runner: 'rspec', pattern: /^(\d+) examples?, \d+ failures?\b/, tells: first },
  { runner: 'phpunit', pattern: /^No tests executed!$/, tells: none },
  { runner: 'phpunit', pattern: /^OK \((\d+) tests?, \d+ assertions?\)$/, tells: first },
  {
    runner: 'maven',
    pattern: /^(?:\[\w+\] )?Tests run: (\d+), Failures: \d+, Errors: \d+(?:, Skipped: (\d+))?(.*)$/,
    tells: mavenLine,
  },
  { runner: 'ctest', pattern: /^No tests were found!!!$/, tells: none },
  { runner: 'ctest', pattern: /^\d+% tests passed, \d+ tests failed out of (\d+)$/, tells: first },
  { runner: 'deno test', pattern: /^(?:ok|FAILED) \| \d+ passed\b.*\| \d+ failed\b/, tells: summed },
  { runner: 'bun test', pattern: /^\s*(\d+) (?:pass|fail)$/, tells: first },
  { runner: 'bun test', pattern: /^\s*(\d+) skip$/, tells: skippedFirst },
];

/** Every class has a line, with its time; what counts is the line of the module. */
function mavenLine(_: string, [, all = '0', skipped = '0', rest = '']: RegExpExecArray): Told {
  const executed = Number(all) - Number(skipped);
  if (rest.includes('Time elapsed')) return { extra: executed, isNoSign: executed > 0 };
  return { executed, skipped: Number(skipped) };
}

function countOf(line: string, pattern: RegExp): number {
  return [...line.matchAll(pattern)].reduce((sum, match) => sum + Number(match[1]), 0);
}
