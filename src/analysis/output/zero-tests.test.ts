import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stripAnsi } from '#analysis/test-runners/reports.ts';
import { countTests } from './zero-tests.ts';

function countOf(text: string, size = text.length + 1): string {
  const count = countTests();
  for (let at = 0; at < text.length; at += size) count.add(text.slice(at, at + size));
  const finding = count.finding();
  return finding.kind === 'none' ? `none by ${finding.runner}` : finding.kind;
}

function recorded(name: string): string {
  return readFileSync(new URL(`fixtures/${name}.txt`, import.meta.url), 'utf8');
}

describe('recorded runner output', () => {
  it.each([
    ['node-zero', 'none by node:test'],
    ['node-zero-tap', 'none by node:test'],
    ['node-skipped', 'none by node:test'],
    ['node-one', 'some'],
    ['node-one-tap', 'some'],
    ['vitest-zero', 'none by vitest'],
    ['vitest-zero-passing', 'none by vitest'],
    ['vitest-filtered', 'none by vitest'],
    ['vitest-one', 'some'],
    ['pytest-zero', 'none by pytest'],
    ['pytest-zero-quiet', 'none by pytest'],
    ['pytest-skipped', 'none by pytest'],
    ['pytest-one', 'some'],
    ['pytest-one-quiet', 'some'],
    ['unittest-zero', 'none by unittest'],
    ['cargo-zero', 'none by cargo test'],
    ['cargo-one', 'some'],
  ])('The recording %s is read as: %s [K7]', (name, expected) => {
    expect(countOf(recorded(name))).toBe(expected);
    expect(countOf(recorded(name), 7)).toBe(expected);
  });
});

describe('output of other runners', () => {
  it.each([
    ['No tests found, exiting with code 0\n', 'none by jest'],
    ['Tests:       2 skipped, 2 total\n', 'none by jest'],
    ['Tests:       1 failed, 2 passed, 3 total\n', 'some'],
    ['\n  0 passing (2ms)\n\n', 'none by mocha'],
    ['\n  12 passing (2s)\n  1 pending\n', 'some'],
    ['?   \texample.com/a\t[no test files]\n', 'none by go test'],
    [
      'testing: warning: no tests to run\nPASS\nok  \texample.com/a\t0.001s [no tests to run]\n',
      'none by go test',
    ],
    ['?   \texample.com/a\t[no test files]\nok  \texample.com/b\t0.003s\n', 'some'],
    ['ok  \texample.com/b\t(cached)\n', 'some'],
    ['collected 0 items\n', 'none by pytest'],
    ['0 examples, 0 failures\n', 'none by rspec'],
    ['[INFO] Tests run: 0, Failures: 0, Errors: 0, Skipped: 0\n', 'none by maven'],
    ['\n Test Files  no tests\n      Tests  no tests\n', 'none by vitest'],
    ['\r\n> x@1.0.0 test\r\n> node --test\r\n\r\nℹ tests 0\r\n', 'none by node:test'],
  ])('The runner output %j is read as: %s [K7]', (text, expected) => {
    expect(countOf(text)).toBe(expected);
  });

  it.each([
    'all good\n',
    'Our guide says: "No tests found" means trouble\n',
    'we had 0 passing grades today\n',
    'the suite has no tests ran by hand\n',
    'collected 0 items-of-interest? no: collected 0 itemsets\n',
    '',
  ])('Prose is not mistaken for a test runner: %j [K7]', (text) => {
    expect(countOf(text)).toBe('unrecognised');
  });

  it('One suite with tests outweighs an empty one, in either order [K7]', () => {
    expect(countOf(recorded('node-zero') + recorded('pytest-one'))).toBe('some');
    expect(countOf(recorded('pytest-one') + recorded('node-zero'))).toBe('some');
  });

  it('An endless line costs no memory and hides nothing after it', () => {
    const count = countTests();
    for (let n = 0; n < 1000; n += 1) count.add('x'.repeat(10_000));
    count.add('\nℹ tests 0\n');
    expect(count.finding()).toEqual({ kind: 'none', runner: 'node:test' });
  });
});

it('Colours, links and cursor moves are removed from output', () => {
  expect(stripAnsi('\u001b[31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007 \u001b[2Kend')).toBe(
    'red link end',
  );
});

describe('counts of executed and skipped tests', () => {
  function tallyOf(text: string): string {
    const count = countTests();
    count.add(text);
    const finding = count.finding();
    return finding.kind === 'some' ? `${finding.tests.executed}/${finding.tests.skipped}` : finding.kind;
  }

  it.each([
    ['# tests 5\n# suites 1\n# pass 3\n# fail 1\n# cancelled 0\n# skipped 1\n# todo 0\n', '4/1'],
    ['ℹ tests 2\nℹ pass 2\nℹ fail 0\nℹ skipped 0\n', '2/0'],
    [
      '# Error: A resource generated asynchronous activity after the test ended. This activity…\n# pass 2\n# fail 1\n',
      '2/0',
    ],
    [' Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 2 passed | 3 skipped (6)\n', '3/3'],
    ['Test Suites: 1 passed, 1 total\nTests:       1 failed, 1 skipped, 2 passed, 4 total\n', '3/1'],
    ['  3 passing (12ms)\n  1 pending\n  1 failing\n\n  1) "after all" hook in "x":\n', '3/1'],
    ['==== 1 failed, 2 passed, 1 skipped, 1 error in 0.05s ====\n', '3/1'],
    ['2 passed, 5 deselected in 0.01s\n', '2/0'],
    ['Ran 4 tests in 0.001s\n\nOK (skipped=1)\n', '3/1'],
    ['Ran 4 tests in 0.001s\n\nFAILED (failures=1, skipped=2, expected failures=1)\n', '2/2'],
    ['ok  \texample.com/a\t0.003s\nFAIL\texample.com/b\t0.002s\n', '2/0'],
    [
      '=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n--- SKIP: TestB (0.00s)\nok  \tx/a\t0.1s\n',
      '2/1',
    ],
    [
      'test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.00s\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n',
      '4/1',
    ],
    [
      '[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in a.ATest\n[WARNING] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1\n',
      '2/1',
    ],
    ['✔ /tmp/x/spec/a.mjs (50.1ms)\nℹ tests 1\nℹ pass 1\nℹ fail 0\n', '0/0'],
    ['# Subtest: /x/a.ts\nok 1 - /x/a.ts\n  ---\nok 2 - adds two numbers\n# pass 2\n# fail 0\n', '1/0'],
    // Gradle reports tests only where one failed, so there is nothing to compare with.
    ['5 tests completed, 1 failed\n', 'unrecognised'],
  ])('The tests in %j are counted as: %s [K7]', (text, expected) => {
    expect(tallyOf(text)).toBe(expected);
  });
});
