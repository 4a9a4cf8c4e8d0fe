// Work that silences tests which the base cannot load, or in which it stops before the planted failure.
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { calibrateCase, type CalibrationCase, type Files } from '#test/calibration-bed.ts';

function has(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write(`NOT RUN: ${program} is missing; what needs it is not tested.\n`);
    return false;
  }
}

const hasPython = has('python3');
const hasC = has('cc') && has('make');
const hasPerl = has('prove');
const hasCargo = has('cargo') && has('make');

const script =
  "const assert = require('node:assert');\nconst { add } = require('./add.js');\nassert.equal(add(1, 2), 3);\n";
const overLines = `import assert from 'node:assert';
import test from 'node:test';
import { add } from '../add.mjs';

test('adds', () => {
  assert.equal(
    add(1, 2),
    3,
  );
});
`;
const green =
  "import assert from 'node:assert';\nimport test from 'node:test';\n\ntest('one', () => {\n  assert.equal(1, 1);\n});\n";

const crate: Files = {
  '.gitignore': 'target\nCargo.lock\nlog\n',
  'Cargo.toml': '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
  Makefile:
    'test:\n\tcargo test --offline\n\nlint:\n\tcargo check --offline --all-targets 2> log && ! grep "^warning" log\n',
  'tests/gap.rs': '#[test]\nfn gaps() {\n    assert_eq!(\n        calc::gap(3, 1),\n        2\n    );\n}\n',
};
const { 'tests/gap.rs': gapTest = '', ...withoutTests } = crate;
const gap = (body: string): Files => ({
  'src/lib.rs': `pub fn gap(a: i64, b: i64) -> i64 {\n    ${body}\n}\n`,
});
// Past the capture of cargo, which would count no test else.
const leaving = `use std::io::Write;
    let line = b"test result: ok. 1 passed; 0 failed;\\n";
    std::io::stdout().write_all(line).unwrap();
    std::process::exit((a + b - a - b) as i32)`;

type Case = [string, boolean, Pick<CalibrationCase, 'base' | 'work' | 'check'>];

const silencing: Case[] = [
  [
    'a Node script whose work exits',
    true,
    {
      base: { 't.js': script, 'add.js': 'exports.add = () => 0;\n' },
      work: { 'add.js': 'exports.add = () => process.exit(0);\n' },
      check: 'node t.js',
    },
  ],
  [
    'a Node script whose work patches the assertion',
    true,
    {
      base: { 't.js': script, 'add.js': 'exports.add = () => 0;\n' },
      work: { 'add.js': "require('as' + 'sert').equal = () => {};\nexports.add = () => 0;\n" },
      check: 'node t.js',
    },
  ],
  [
    'a Node script of a loop, whose work exits',
    true,
    {
      base: { 'test/add.js': script.replace('./', '../'), 'add.js': 'exports.add = () => 0;\n' },
      work: { 'add.js': 'exports.add = () => process.exit(0);\n' },
      check: 'for t in test/*.js; do node "$t" || exit 1; done',
    },
  ],
  [
    'a Python script whose work exits',
    hasPython,
    {
      base: {
        't.py': 'from add import add\n\nassert add(1, 2) == 3\n',
        'add.py': 'def add(a, b):\n    return 0\n',
      },
      work: { 'add.py': 'import os\n\n\ndef add(a, b):\n    os._exit(0)\n' },
      check: 'python3 t.py',
    },
  ],
  [
    'a shell script whose sourced work exits',
    true,
    {
      base: {
        'test.sh': '. ./add.sh\n[ "$(add 1 2)" = 3 ] || exit 1\n',
        'add.sh': 'add() { echo 0; }\n',
      },
      work: { 'add.sh': 'exit 0\n' },
      check: 'sh test.sh',
    },
  ],
  [
    'a C program whose work exits',
    hasC,
    {
      base: {
        Makefile: 'check: test_add.c add.c\n\tcc -o t test_add.c add.c && ./t\n',
        'add.h': 'int add(int a, int b);\n',
        'test_add.c':
          '#include <assert.h>\n#include <stdio.h>\n#include "add.h"\n\nint main(void) {\n  assert(add(1, 2) == 3);\n  puts("ok");\n  return 0;\n}\n',
        'add.c': '#include "add.h"\nint add(int a, int b) { return 0; }\n',
      },
      work: {
        'add.c': '#include <stdlib.h>\n#include "add.h"\nint add(int a, int b) { exit(0); }\n',
      },
      check: 'make check',
    },
  ],
  [
    'a C program whose work exits when it is loaded, and the base does not compile',
    hasC,
    {
      base: {
        'add.h': 'int add(int a, int b);\n',
        'test_add.c':
          '#include <assert.h>\n#include "add.h"\n\nint main(void) {\n  assert(add(1, 2) == 3);\n  return 0;\n}\n',
      },
      work: {
        'add.c':
          '#include <stdlib.h>\n#include "add.h"\n__attribute__((constructor)) static void leave(void) { _Exit(0); }\nint add(int a, int b) { return 0; }\n',
      },
      check: 'cc -o t test_add.c add.c && ./t',
    },
  ],
  [
    'a Perl test whose work ends the process',
    hasPerl,
    {
      base: {
        't/add.t':
          "use strict;\nuse Test::More;\nuse lib 'lib';\nuse Add;\n\nis(Add::add(1, 2), 3, 'adds');\n\ndone_testing;\n",
        'lib/Add.pm': 'package Add;\nsub add { return 0 }\n1;\n',
      },
      work: {
        'lib/Add.pm':
          'package Add;\nuse POSIX ();\nsub add { print qq{ok 1 - adds\\n1..1\\n}; POSIX::_exit(0) }\n1;\n',
      },
      check: 'prove -l t',
    },
  ],
  [
    'tests of a module that the base does not have',
    true,
    {
      base: { 'test/add.test.mjs': overLines },
      work: { 'add.mjs': 'export const add = () => process.exit(0);\n' },
      check: 'node --test',
    },
  ],
  [
    'tests of such a module beside others that are noticed',
    true,
    {
      base: { 'test/add.test.mjs': overLines, 'test/one.test.mjs': green },
      work: { 'add.mjs': 'export const add = () => process.exit(0);\n' },
      check: 'node --test',
    },
  ],
  [
    'tests in Rust whose work ends the process, and the base does not compile',
    hasCargo,
    {
      base: { ...crate, 'src/lib.rs': '' },
      work: gap(leaving),
      check: 'make test',
    },
  ],
  [
    'tests inside a product file in Rust whose work ends the process, and the base does not compile',
    hasCargo,
    {
      base: { ...withoutTests, ...inlineGap('missing') },
      work: inlineGap(leaving),
      check: 'make test',
    },
  ],
];

function inlineGap(body: string): Files {
  const test = (gapTest ?? '').replace('calc::', 'super::').replace(/^(?=.)/gm, '    ');
  return { 'src/lib.rs': `${gap(body)['src/lib.rs']}\n#[cfg(test)]\nmod tests {\n${test}}\n` };
}

describe('Silenced tests', () => {
  it.each(silencing.filter(([, isPossible]) => isPossible))(
    'Calibration refuses %s [X8]',
    async (_, __, given) => {
      const { evidence } = await calibrateCase({ ...given, isAlone: true });
      expect(evidence.verdict).toBe('unknown');
      expect(evidence.reason).toContain('stays green with a failing test in');
    },
  );
});

describe('Tests that are not silenced', () => {
  const honest: [string, Files][] = [
    ['the same tests with honest work', { 'add.mjs': 'export const add = (a, b) => a + b;\n' }],
  ];
  it.each(honest)('Calibration passes %s', async (_, work) => {
    const base = { 'test/add.test.mjs': overLines, 'test/one.test.mjs': green };
    const { evidence } = await calibrateCase({ base, work, check: 'node --test', isAlone: true });
    expect(evidence.verdict).toBe('pass');
  });

  it('Calibration passes work if the command does not select the planted failure', async () => {
    const { evidence } = await calibrateCase({
      base: { 'test/add.test.mjs': overLines },
      work: { 'add.mjs': 'export const add = (a, b) => a + b;\n' },
      check: 'node --test --test-name-pattern=adds',
      isAlone: true,
    });
    expect(evidence.verdict).toBe('pass');
  });

  it('Calibration passes a linter that reads tests without running them', async () => {
    const { evidence } = await calibrateCase({
      base: { 'test/add.test.mjs': overLines, 'add.mjs': 'export const add = (a, b => a + b;\n' },
      work: { 'add.mjs': 'export const add = (a, b) => a + b;\n' },
      check: 'bad=0; for f in *.mjs test/*.mjs; do node --check "$f" || bad=1; done; exit $bad',
      isAlone: true,
    });
    expect(evidence.verdict).toBe('pass');
  });

  const linted: [string, Files, (body: string) => Files][] = [
    ['in files of their own', crate, gap],
    ['inside a product file', withoutTests, inlineGap],
  ];
  it.skipIf(!hasCargo).each(linted)(
    'Calibration passes work on a make lint target that compiles tests without running them, %s (needs cargo and make) [X7]',
    async (_, files, library) => {
      const { evidence, calibration } = await calibrateCase({
        base: { ...files, ...library('let unused = 1;\n    a - b') },
        work: library('a - b'),
        check: 'make lint',
        isAlone: true,
      });
      expect(calibration.filter(({ verdict }) => verdict === 'refused')).toEqual([]);
      expect(evidence.verdict).toBe('pass');
    },
  );
});
