import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { excerptOf } from './excerpt.ts';

const fixtures = join(import.meta.dirname, '../test-runners/fixtures');
const log = '0003-check_test.log';
const noise = (count: number): string =>
  Array.from({ length: count }, (_, index) => `building module ${index} of the work`).join('\n');

describe('the excerpt of a failed check', () => {
  it.each(readdirSync(fixtures))(
    'The excerpt names each failing test and its assertion in the report of %s',
    (folder) => {
      const report = readFileSync(join(fixtures, folder, 'planted.txt'), 'utf8');
      const excerpt = excerptOf(`${noise(200)}\n${report}`, log) ?? '';
      expect(excerpt).toMatch(/^[2-9] failing tests \(the whole output: 0003-check_test\.log\)\n/);
      expect(excerpt).toMatch(/k3v9_?q2xwa/);
      expect(excerpt).toMatch(/k3v9_?q2xwb/);
      expect(excerpt).toMatch(/green|sum_test\.go:15/);
      expect(excerpt).not.toContain('building module');
      expect(excerpt.length).toBeLessThan(4000);
    },
  );

  it('The excerpt shows the assertions of mocha, which prints suites and title on a line each', () => {
    const report = readFileSync(join(fixtures, '2026-11-17-mocha-12.0.3', 'nested.txt'), 'utf8');
    const parts = (excerptOf(report, log) ?? '').split(/\n\n(?= {2}\d\))/);
    expect(parts[0]).toBe(`3 failing tests (the whole output: ${log})`);
    expect(parts[1]).toMatch(/^ {2}1\) sum > of whole numbers > adds:\n[\s\S]*-1 !== 3/);
    expect(parts[2]).toMatch(/^ {2}2\) sum > of a list > adds:\n[\s\S]*\n\+ {3}total: 2\n- {3}total: 3\n/);
    expect(parts[3]).toMatch(/^ {2}3\) sum > of a list > is told by its name:\n {5}TypeError: /);
    expect(parts).toHaveLength(4);
  });

  it('The excerpt shows each of two tests that have the same title in two suites', () => {
    const block = (suite: string, text: string): string[] => [
      ` FAIL  a.test.ts > ${suite} > adds`,
      'AssertionError: it differs',
      text,
      '',
    ];
    const output = [
      noise(200),
      ...block('whole numbers', 'expected 3 to be 4'),
      ...block('fractions', 'expected 0.5 to be 0.25\n- Expected\n+ Received'),
      ' Tests  2 failed | 1 passed (3)',
    ].join('\n');
    expect(excerptOf(output, log)).toMatch(
      /whole numbers > adds\nAssertion[\s\S]*expected 3 to be 4[\s\S]*fractions > adds\nAssertion[\s\S]*0\.25/,
    );
  });

  it('The excerpt shows the assertion above a stack of 500 lines, for a known runner and for an unknown program', () => {
    const stack = Array.from(
      { length: 500 },
      (_, index) => `      at deep${index} (/repo/src/a.js:${index}:3)`,
    );
    const known = [
      'FAIL ./sum.test.js',
      '  ● sum › adds',
      '',
      '    Expected: 4',
      '    Received: 3',
      ...stack,
      '',
      'Tests:       1 failed, 2 passed, 3 total',
    ].join('\n');
    const excerpt = excerptOf(known, log) ?? '';
    expect(excerpt).toContain('sum › adds');
    expect(excerpt).toMatch(/Expected: 4\n {4}Received: 3/);
    expect(excerpt).toContain('498 more lines of the stack');
    const unknown = excerptOf(['AssertionError: 3 is not 4', ...stack, 'exit'].join('\n'), log);
    expect(unknown).toMatch(/^AssertionError: 3 is not 4\n[\s\S]*498 more lines[\s\S]*exit/);
    expect(unknown).toContain(log);
  });

  it('The excerpt shows the assertion of pytest below a long test function', () => {
    const source = Array.from({ length: 60 }, (_, index) => `        value_${index} = ${index}`);
    const report = [
      '=================================== FAILURES ===================================',
      '___________________________________ test_add ___________________________________',
      '',
      '    def test_add():',
      ...source,
      '>       assert add(1, 2) == 4',
      'E       assert 3 == 4',
      'E        +  where 3 = add(1, 2)',
      '',
      'tests/test_add.py:64: AssertionError',
      '=========================== short test summary info ============================',
      'FAILED tests/test_add.py::test_add - assert 3 == 4',
      '============================== 1 failed in 0.03s ===============================',
    ].join('\n');
    const excerpt = excerptOf(report, log) ?? '';
    expect(excerpt).toContain('test_add');
    expect(excerpt).toContain('E       assert 3 == 4');
  });

  it('The excerpt shows the error of each file that node:test cannot load, above the lines that name the file', () => {
    const frames = (file: string): string[] => [
      ...Array.from(
        { length: 8 },
        (_, at) => `    at Module.load${at} (node:internal/modules/cjs/loader:${at}:1)`,
      ),
      `    at Object.<anonymous> (/c/${file}:1:9)`,
      '    at Module._compile (node:internal/modules/cjs/loader:1929:14)',
    ];
    const unfound = (name: string): string[] => [
      'node:internal/modules/cjs/loader:1568',
      '  throw err;',
      '  ^',
      '',
      `Error: Cannot find module '../src/${name}'`,
      'Require stack:',
      `- /c/t/${name}.test.js`,
      ...frames(`t/${name}.test.js`).slice(0, -1),
      '    at Module._compile (node:internal/modules/cjs/loader:1929:14) {',
      "  code: 'MODULE_NOT_FOUND',",
      `  requireStack: [ '/c/t/${name}.test.js' ]`,
      '}',
      '',
      'Node.js v24.21.0',
      `✖ t/${name}.test.js (71.5ms)`,
    ];
    const thrown = ['/c/load.js:1', 'throw new TypeError(text)', '^', '', 'TypeError: no port', 'is set'];
    const output = [
      ...unfound('add'),
      ...thrown,
      ...frames('t/load.test.js'),
      '',
      'Node.js v24.21.0',
      '✖ t/load.test.js (9.5ms)',
      ...unfound('sub'),
      'ℹ tests 3',
      'ℹ pass 0',
      'ℹ fail 3',
      '',
      '✖ failing tests:',
      '',
      ...['add', 'load', 'sub'].flatMap((name) => [
        `test at t/${name}.test.js:1:1`,
        `✖ t/${name}.test.js (71.5ms)`,
        "  'test failed'",
        '',
      ]),
    ].join('\n');
    const parts = (excerptOf(output, log) ?? '').split('\n\n');
    expect(parts[0]).toMatch(/^3 failing tests/);
    expect(parts[1]).toMatch(
      /^Error: Cannot find module '\.\.\/src\/add'\nRequire stack:\n- \/c\/t\/add\.test\.js/,
    );
    expect(parts[2]).toMatch(/^TypeError: no port\nis set\n/);
    expect(parts[3]).toMatch(/^Error: Cannot find module '\.\.\/src\/sub'/);
    expect(parts).toHaveLength(4);
  });

  it('The excerpt keeps the error of pytest below the long frames of an import', () => {
    const frame = (at: number): string =>
      `/c/${'deep/'.repeat(40)}m${at}.py:2: in <module>\n    import m${at + 1}`;
    const output = [
      '==================================== ERRORS ====================================',
      '_______________________ ERROR collecting tests/test_d.py _______________________',
      "ImportError while importing test module '/c/tests/test_d.py'.",
      'Traceback:',
      ...Array.from({ length: 12 }, (_, at) => frame(at)),
      "E   ModuleNotFoundError: No module named 'redis'",
      '=========================== short test summary info ============================',
      'ERROR tests/test_d.py',
      '=============================== 1 error in 0.82s ===============================',
    ].join('\n');
    expect(excerptOf(output, log)).toContain("\nE   ModuleNotFoundError: No module named 'redis'");
  });

  it('The excerpt has head and tail of an output of an unknown runner, and the name of its log', () => {
    const output = `first: a type is wrong\n${noise(2000)}\nlast: 1 problem`;
    const excerpt = excerptOf(output, log) ?? '';
    expect(excerpt).toMatch(/^first: a type is wrong\n/);
    expect(excerpt).toMatch(/last: 1 problem$/);
    expect(excerpt).toMatch(/characters left out; the whole output: 0003-check_test\.log/);
    expect(excerpt.length).toBeLessThan(4000);
  });

  it('The excerpt names no log if none is kept', () => {
    const report = readFileSync(join(fixtures, '2026-11-17-mocha-12.0.3', 'nested.txt'), 'utf8');
    const stack = '    at f (/repo/a.js:1:3)\n'.repeat(200);
    for (const output of [report, noise(2000), `AssertionError: no\n${stack}`])
      expect(excerptOf(output, null)).toMatch(/^(?:(?!the whole output)[\s\S])+$/);
    expect(excerptOf(report, null)).toMatch(/^3 failing tests\n\n/);
  });

  it('The excerpt is absent if the whole output is short', () => {
    expect(excerptOf('wrong\n', log)).toBeNull();
  });

  it('The excerpt of thousands of failing tests names the first ones, stays bounded, and is made at once', () => {
    const report = Array.from(
      { length: 9000 },
      (_, index) => `--- FAIL: Test${index} (0.00s)\n    a_test.go:${index}: got ${index}, want a`,
    ).join('\n');
    const started = performance.now();
    const excerpt = excerptOf(`${report}\nFAIL\texample.com/a\t0.1s\n`, log) ?? '';
    expect(performance.now() - started).toBeLessThan(30_000);
    expect(excerpt).toMatch(/^9000 failing tests/);
    expect(excerpt).toContain('a_test.go:0: got 0, want a');
    expect(excerpt).toMatch(/also failed: [\s\S]* together$/);
    expect(excerpt.length).toBeLessThan(4000);
  });

  it('The excerpt is found in time if a test has a name of one letter', () => {
    const report = `${noise(20_000)}\n--- FAIL: a (0.00s)\n    a_test.go:1: a is wrong\n${noise(5000)}`;
    const started = performance.now();
    expect(excerptOf(report, log)).toContain('a is wrong');
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});
