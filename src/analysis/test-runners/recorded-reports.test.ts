import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { otherFailures } from '#test/test-runners/other-failures.ts';
import { isNamed, notFailed } from './reports.ts';
import type { RunnerContext } from './test-runner.ts';
import { runnerOf } from './test-runners.ts';

// Recorded on the day and with the version that the folder names: a test file, and what its runner printed when
// failures with this id were planted in it and when its assertions were negated.
const fixtures = join(import.meta.dirname, 'fixtures');
const id = 'k3v9q2xw';

interface Recording {
  readonly folder: string;
  readonly path: string;
  readonly command: string;
  /** How many failures are planted: one for each assertion word of the file. */
  readonly words: number;
  readonly passed: number | null;
  readonly negated: readonly string[];
}

const recordings: readonly Recording[] = [
  {
    folder: 'vitest-5.1.0',
    path: 'sum.test.js',
    command: 'vitest run',
    words: 3,
    passed: 2,
    negated: ['adds', 'handles zero'],
  },
  {
    folder: 'jest-30.5.2',
    path: 'sum.test.cjs',
    command: 'jest',
    words: 3,
    passed: 2,
    negated: ['adds', 'handles zero'],
  },
  {
    folder: 'mocha-12.0.3',
    path: 'sum.test.js',
    command: 'mocha',
    words: 2,
    passed: 2,
    negated: ['adds', 'handles zero'],
  },
  {
    folder: 'ava-7.0.0',
    path: 'sum.test.js',
    command: 'ava',
    words: 2,
    passed: null,
    negated: ['adds', 'is true'],
  },
  {
    folder: 'tap-21.8.0',
    path: 'sum.test.js',
    command: 'tap',
    words: 2,
    passed: 2,
    negated: ['adds', 'is same'],
  },
  {
    folder: 'tape-5.10.2',
    path: 'sum.test.js',
    command: 'tape',
    words: 2,
    passed: null,
    negated: ['adds', 'is ok'],
  },
  {
    folder: 'unittest-3.11.7',
    path: 'test_sums.py',
    command: 'python3 -m unittest',
    words: 2,
    passed: 2,
    negated: ['test_adds', 'test_truth'],
  },
  {
    folder: 'cargo-1.95.0',
    path: 'src/lib.rs',
    command: 'cargo test',
    words: 3,
    passed: 2,
    negated: ['adds', 'truth'],
  },
  { folder: 'go-1.19.8', path: 'sum_test.go', command: 'go test ./...', words: 2, passed: null, negated: [] },
  {
    folder: 'rspec-3.12',
    path: 'spec/sum_spec.rb',
    command: 'rspec',
    words: 2,
    passed: 2,
    negated: ['adds', 'is not nil'],
  },
  {
    folder: 'minitest-5.17.0',
    path: 'test_sum.rb',
    command: 'ruby test_sum.rb',
    words: 2,
    passed: 2,
    negated: ['test_adds', 'test_truth'],
  },
  {
    folder: 'phpunit-9.6.7',
    path: 'SumTest.php',
    command: 'phpunit',
    words: 2,
    passed: 2,
    negated: ['testAdds', 'testTruth'],
  },
  {
    folder: 'bats-1.8.2',
    path: 'sum.bats',
    command: 'bats sum.bats',
    words: 2,
    passed: null,
    negated: ['adds', 'handles zero'],
  },
  {
    folder: 'perl-1.302190',
    path: 't/sum.t',
    command: 'prove',
    words: 3,
    passed: null,
    negated: ['adds', 'is not four'],
  },
  {
    folder: 'junit-5.10.2',
    path: 'src/test/java/org/example/SumTest.java',
    command: 'mvn test',
    words: 2,
    passed: 2,
    negated: ['adds', 'truth'],
  },
];

describe.each(recordings)('$folder', ({ folder, path, command, words, passed, negated }) => {
  const context: RunnerContext = { command, scripts: [], output: '', dependencies: [], settings: [] };
  const read = (name: string) => readFileSync(join(fixtures, `2026-11-17-${folder}`, name), 'utf8');
  const file = { path, text: read('test-file.txt') };
  const runner = runnerOf(file, context);
  if (runner === null) throw new Error(`no runner for ${folder}`);

  it(`The report of ${folder.replace(/-.*/, '')} names each planted failure, and no other test fails`, () => {
    const planted = runner.plant(file, context, id);
    if (planted.kind === 'none') throw new Error(planted.reason);
    const output = read('planted.txt');
    const report = runner.readReport(output);
    expect(planted.failures).toHaveLength(words);
    expect(planted.failures.filter(({ id: joined }) => planted.text.includes(joined))).toEqual([]);
    expect(planted.failures.map((failure) => isNamed(report, output, failure))).not.toContain(false);
    expect(otherFailures({ failed: [], passed }, report, planted.failures)).toEqual([]);
    expect(report.passed).toBe(passed);
  });

  it(`The report of ${folder.replace(/-.*/, '')} names each test whose assertions are negated`, () => {
    const result = runner.negate(file, context, null);
    expect(result.kind === 'none' ? [] : result.tests).toEqual(negated);
    const recorded = join(fixtures, `2026-11-17-${folder}`, 'negated.txt');
    const output = existsSync(recorded) ? readFileSync(recorded, 'utf8') : '';
    expect(notFailed(runner.readReport(output), negated)).toEqual([]);
  });
});

it('Each recorded report is read by a test', () => {
  expect(readdirSync(fixtures).toSorted()).toEqual(
    recordings.map(({ folder }) => `2026-11-17-${folder}`).toSorted(),
  );
});
