import { describe, expect, it } from 'vitest';
import { isNamed, notFailed } from '#analysis/test-runners/reports.ts';
import { otherFailures } from '#test/test-runners/other-failures.ts';
import { runnerOf } from '#analysis/test-runners/test-runners.ts';
import { contextOf, hasProgram, runProject } from './project.ts';
import type { Files } from './project.ts';

interface Sample {
  readonly runner: string;
  readonly needs: readonly [string, ...string[]];
  readonly path: string;
  readonly text: string;
  readonly product: Files;
  /** The product with which the check no longer says no. */
  readonly disarmed: Files;
  readonly command: readonly [string, ...string[]];
  readonly settings?: Files;
  readonly words: number;
  readonly negated: readonly string[];
}

const samples: readonly Sample[] = [
  {
    runner: 'unittest',
    needs: ['python3', '--version'],
    path: 'test_sums.py',
    text: 'import unittest\nfrom sums import total\n\n\nclass SumsTest(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(total(1, 2), 3)\n\n    def test_truth(self):\n        self.assertTrue(total(1, 2) == 3)\n\n\nif __name__ == "__main__":\n    unittest.main()\n',
    product: { 'sums.py': 'def total(a, b):\n    return a + b\n' },
    disarmed: {
      'sums.py':
        'import unittest\nunittest.TestCase.assertTrue = lambda *_: None\n\ndef total(a, b):\n    return a + b\n',
    },
    command: ['python3', 'test_sums.py'],
    words: 2,
    negated: ['test_adds', 'test_truth'],
  },
  {
    runner: 'Test::More',
    needs: ['prove', '--version'],
    path: 't/sum.t',
    text: "use Test::More;\nuse lib '.';\nuse Sums;\n\nis(Sums::total(1, 2), 3, 'adds');\nok(Sums::total(1, 2), 'is true');\n\ndone_testing;\n",
    product: { 'Sums.pm': 'package Sums;\nsub total { return $_[0] + $_[1]; }\n1;\n' },
    disarmed: {
      'Sums.pm':
        'package Sums;\nsub total { return $_[0] + $_[1]; }\nno warnings;\n*main::is = sub { Test::More::pass() };\n1;\n',
    },
    command: ['prove'],
    words: 2,
    negated: ['adds'],
  },
  {
    runner: 'C assert',
    needs: ['gcc', '--version'],
    path: 'test.c',
    text: '#include <assert.h>\n#include <stdio.h>\n#include "sum.h"\n\nint main(void) {\n  assert(sum(1, 2) == 3);\n  puts("good");\n  return 0;\n}\n',
    product: { 'sum.h': 'static int sum(int a, int b) { return a + b; }\n' },
    disarmed: {
      'sum.h':
        'static int sum(int a, int b) { return a + b; }\n#undef assert\n#define assert(x) ((void)sizeof(x))\n',
    },
    command: ['make', 'check'],
    settings: { Makefile: 'CFLAGS = -Wall -Wextra -Werror\ncheck: test\n\t./test\n' },
    words: 1,
    negated: ['sum(1, 2) == 3'],
  },
  {
    runner: 'shell script',
    needs: ['sh', '-c', 'true'],
    path: 'check.sh',
    text: '#!/bin/sh\nset -e\n. ./sum.sh\n[ "$(sum 1 2)" = 3 ] || exit 1\ntest "$(sum 0 0)" = 0\necho good\nexit 0\n',
    product: { 'sum.sh': 'sum() { echo $(($1 + $2)); }\n' },
    disarmed: { 'sum.sh': 'sum() { echo $(($1 + $2)); }\ntest() { return 0; }\n' },
    command: ['sh', './check.sh'],
    words: 2,
    negated: [],
  },
  {
    runner: 'Node script',
    needs: ['node', '--version'],
    path: 'check.mjs',
    text: "import assert from 'node:assert';\nimport { sum } from './sum.mjs';\n\nassert.equal(sum(1, 2), 3);\nassert(sum(1, 2));\n",
    product: { 'sum.mjs': 'export const sum = (a, b) => a + b;\n' },
    disarmed: {
      'sum.mjs': "import a from 'node:assert';\na.equal = () => {};\nexport const sum = (a, b) => a + b;\n",
    },
    command: ['node', 'check.mjs'],
    words: 2,
    negated: [],
  },
  {
    runner: 'Python script',
    needs: ['python3', '--version'],
    path: 'check.py',
    text: 'import sys\nfrom sums import total\n\nassert total(1, 2) == 3\nprint("good")\nsys.exit(0)\n',
    product: { 'sums.py': 'def total(a, b):\n    return a + b\n' },
    disarmed: { 'sums.py': 'import os\n\ndef total(a, b):\n    os._exit(0)\n' },
    command: ['python3', 'check.py'],
    words: 1,
    negated: [],
  },
];

const id = 'k3v9q2xw';

describe.each(samples)('$runner', (sample) => {
  const isHere = hasProgram(...sample.needs);
  const note = isHere ? '' : ` — NOT RUN: ${sample.needs[0]} is missing`;
  const { path, text, settings = {} } = sample;
  const context = contextOf(sample.command.join(' '), {
    settings: Object.entries(settings).map(([name, content]) => ({ path: name, text: content })),
  });
  const runner = runnerOf({ path, text }, context);
  if (runner === null) throw new Error(`no runner for ${path}`);
  const planted = runner.plant({ path, text }, context, id);
  if (planted.kind === 'none') throw new Error(planted.reason);
  const run = (test: string, product: Files) => {
    const ran = runProject({ ...settings, ...product, [path]: test }, sample.command);
    return { ...ran, report: runner.readReport(ran.output) };
  };

  it.runIf(isHere)(`${sample.runner} names planted failures, and nothing else fails${note}`, () => {
    const before = run(text, sample.product);
    const after = run(planted.text, sample.product);
    expect([runner.name, planted.failures.length]).toEqual([sample.runner, sample.words]);
    expect([before.exit, before.report.failed, after.exit === 0]).toEqual([0, [], false]);
    expect(planted.failures.map((failure) => isNamed(after.report, after.output, failure))).not.toContain(
      false,
    );
    expect(otherFailures(before.report, after.report, planted.failures)).toEqual([]);
  });

  it.runIf(isHere)(`${sample.runner} does not name every planted failure when it is disarmed${note}`, () => {
    const { report, output } = run(planted.text, sample.disarmed);
    expect(planted.failures.map((failure) => isNamed(report, output, failure))).toContain(false);
  });

  it.runIf(isHere)(`${sample.runner} names the tests whose assertions are negated${note}`, () => {
    const negated = runner.negate({ path, text }, context, null);
    expect(negated.kind === 'none' ? [] : negated.tests).toEqual(sample.negated);
    const { report } = run(negated.kind === 'none' ? text : negated.text, sample.product);
    expect(notFailed(report, sample.negated)).toEqual([]);
  });
});
