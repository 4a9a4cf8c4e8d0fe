import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countTests, stripAnsi } from './zero-tests.ts';

function findingOf(text: string, size = text.length + 1): string {
  const count = countTests();
  for (let at = 0; at < text.length; at += size) count.add(text.slice(at, at + size));
  const finding = count.finding();
  return finding.kind === 'none' ? `none by ${finding.runner}` : finding.kind;
}

function recorded(name: string): string {
  return readFileSync(new URL(`fixtures/${name}.txt`, import.meta.url), 'utf8');
}

describe('recordings of real runners', () => {
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
  ])('%s: %s [K7]', (name, expected) => {
    expect(findingOf(recorded(name))).toBe(expected);
    expect(findingOf(recorded(name), 7)).toBe(expected);
  });
});

describe('what other runners print', () => {
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
    ['0 examples, 0 failures\n', 'none by rspec'],
    ['[INFO] Tests run: 0, Failures: 0, Errors: 0, Skipped: 0\n', 'none by maven'],
    ['\n Test Files  no tests\n      Tests  no tests\n', 'none by vitest'],
    ['\r\n> x@1.0.0 test\r\n> node --test\r\n\r\nℹ tests 0\r\n', 'none by node:test'],
  ])('%j: %s [K7]', (text, expected) => {
    expect(findingOf(text)).toBe(expected);
  });

  it.each([
    'all good\n',
    'Our guide says: "No tests found" means trouble\n',
    'we had 0 passing grades today\n',
    'the suite has no tests ran by hand\n',
    'collected 0 items-of-interest? no: collected 0 itemsets\n',
    '',
  ])('prose is not a test runner: %j [K7]', (text) => {
    expect(findingOf(text)).toBe('unrecognised');
  });

  it('one suite with tests outweighs an empty one, in either order [K7]', () => {
    expect(findingOf(recorded('node-zero') + recorded('pytest-one'))).toBe('some');
    expect(findingOf(recorded('pytest-one') + recorded('node-zero'))).toBe('some');
  });

  it('an endless line costs no memory and hides nothing after it', () => {
    const count = countTests();
    for (let n = 0; n < 1000; n += 1) count.add('x'.repeat(10_000));
    count.add('\nℹ tests 0\n');
    expect(count.finding()).toEqual({ kind: 'none', runner: 'node:test' });
  });
});

it('takes out colours, links and cursor moves', () => {
  expect(stripAnsi('\u001b[31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007 \u001b[2Kend')).toBe(
    'red link end',
  );
});
