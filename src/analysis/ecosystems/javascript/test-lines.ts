// Patterns for the result lines of JavaScript test runners. Pure.
import { first, none, phantom, type RunnerLine, skippedFirst, summed } from '#analysis/output/runner-line.ts';
import { fileOnlyTest } from '#analysis/test-runners/javascript/node-test.ts';

export const javascriptLines: readonly RunnerLine[] = [
  { runner: 'node:test', pattern: /^(?:#|ℹ) tests 0$/, counts: none },
  { runner: 'node:test', pattern: /^(?:#|ℹ) (?:pass|fail) (\d+)$/, counts: first },
  { runner: 'node:test', pattern: /^(?:#|ℹ) skipped (\d+)$/, counts: skippedFirst },
  {
    runner: 'node:test',
    pattern: /^(?:#|ℹ) Error: A resource generated asynchronous activity after the test ended\./,
    counts: phantom,
  },
  { runner: 'node:test', pattern: fileOnlyTest, counts: phantom },
  { runner: 'vitest', pattern: /^No test files found\b/, counts: none },
  { runner: 'vitest', pattern: /^\s*(?:Test Files|Tests)\s+no tests$/, counts: none },
  {
    runner: 'vitest',
    pattern: /^\s*Tests\s+\d+ (?:passed|failed|skipped|todo)\b.*\(\d+\)$/,
    counts: summed,
  },
  { runner: 'jest', pattern: /^No tests found\b/, counts: none },
  { runner: 'jest', pattern: /^Tests:\s+.*\b\d+ total$/, counts: summed },
  { runner: 'mocha', pattern: /^\s*(\d+) (?:passing|failing)(?: \(.*\))?$/, counts: first },
  { runner: 'mocha', pattern: /^\s*(\d+) pending$/, counts: skippedFirst },
  { runner: 'mocha', pattern: /^\s*\d+\) "(?:before|after) (?:all|each)" hook\b/, counts: phantom },
  { runner: 'bun test', pattern: /^\s*(\d+) (?:pass|fail)$/, counts: first },
  { runner: 'bun test', pattern: /^\s*(\d+) skip$/, counts: skippedFirst },
];
