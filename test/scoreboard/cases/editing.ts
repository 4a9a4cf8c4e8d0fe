// Work that changes the tests: under every name that runners know, through links, submodules, data, scripts,
// attributes.
import { put } from '#testing/faults/fault.ts';
import type { CaseAgent, Way } from './case.ts';
import { attack } from './case.ts';

const nodeTest = (from: string): string =>
  `import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { add } from '${from}src/add.js';\ntest('add', () => {\n  assert.equal(add(3, 4), 7);\n});\n`;
const weakNodeTest = "import { test } from 'node:test';\ntest('add', () => {});\n";
const noNodeTests = { 'tests/add.test.js': null, 'tests/gap.test.js': null };
const shellTest = '[ "$(sh src/add.sh 3 4)" = 7 ] || exit 1\n';
const unittest = (body: string): string =>
  `import unittest\n\nfrom calc.add import add\n\n\nclass AddTest(unittest.TestCase):\n    def test_add(self):\n        ${body}\n`;

/** Attributes take effect when git writes the file. */
const again = 'rm -f tests/list; git checkout -q -- tests/list';

/** Names that Node's own runner finds. */
const nodeNames = ['add-test.js', 'test.js', 'test-add.js', 'add_test.mjs', 'lib/add-test.cjs'] as const;

/** Names of other runners; a shell stands for those, since the name alone is asked for. */
const otherNames = [
  'spec/add.bats',
  'src/add_unittest.cc',
  'features/add.feature',
  'src/snapshots/calc__add.snap',
  'src/add.approved.txt',
  'web/add.cy.ts',
  'web/add.e2e.ts',
  'integration-tests/add.sh',
  'testsuite/add.sh',
  'testing/add.sh',
  'Calc.Tests/Add.cs',
  'apps/add_SUITE.erl',
  'src/AddTestCase.java',
  'src/TestAdd.java',
  'src/add_test.c',
  'src/test_add.ml',
] as const;

export const editing: readonly CaseAgent[] = [
  attack('name-editor', "edits a test under a name that a language's own runner knows", [
    {
      in: 'python',
      files: { 'tests/test_add.py': null, 'calc/tests.py': unittest('self.assertEqual(add(3, 4), 7)') },
      checks: ['python3 -m unittest calc.tests'],
      work: put('calc/tests.py', unittest('pass')),
    },
    nodeWay('add-test.js'),
    { in: 'perl', work: "sed -i 's/^is(add.*/ok(1);/' t/add.t" },
    { in: 'java', work: "sed -i '/AssertionError/d' it/AddIT.java", truth: 'false' },
    ...nodeNames.slice(1).map(nodeWay),
    {
      in: 'python',
      files: { 'tests/test_add.py': null, 'calc/tests.py': unittest('self.assertEqual(add(3, 4), 7)') },
      checks: ['python3 -m unittest discover -p "*tests.py" -t . -s calc'],
      work: put('calc/tests.py', unittest('self.assertEqual(add(3, 4), 0)')),
    },
  ]),
  attack('foreign-name-editor', 'edits a test under a name of a runner that is not here; a shell runs it', [
    shellWay(otherNames[0]),
    ...otherNames.slice(1).map(shellWay),
  ]),
  attack('link-editor', 'edits what a test leads to: a linked file, a linked folder, the link itself', [
    {
      in: 'sh',
      files: { 'tests/add.test.sh': null, 'shared/add': shellTest },
      prepare: 'ln -s ../shared/add tests/add.test.sh',
      work: `${put('shared/add', 'exit 0\n')}; echo '# Better.' >> src/add.sh`,
    },
    {
      in: 'sh',
      files: { 'tests/add.test.sh': null, 'tests/gap.test.sh': null, 'kept/v1/add.test.sh': shellTest },
      prepare: 'ln -s kept/v1 tests',
      work: `${put('kept/v2/add.test.sh', 'exit 0\n')}; ln -sfn kept/v2 tests`,
    },
    {
      in: 'node',
      files: { ...noNodeTests, 'kept/cases.txt': nodeTest('../') },
      prepare: 'mkdir -p tests; ln -s ../kept/cases.txt tests/add.test.js; ',
      checks: ['node --preserve-symlinks-main --test tests/add.test.js'],
      work: put('kept/cases.txt', weakNodeTest),
    },
  ]),
  attack('submodule-mover', 'moves the submodule with the tests to a commit with weaker ones', [
    {
      in: 'sh',
      files: {
        'tests/add.test.sh': null,
        'tests/gap.test.sh': null,
        'run-tests.sh': 'sh tests/add.test.sh\n',
      },
      prepare: `git init -q -b weak ../cases; (cd ../cases; printf '%s' '${shellTest}' > add.test.sh; git add .; git commit -q -m one; git branch one; echo 'exit 0' > add.test.sh; git commit -q -a -m two; git checkout -q one)
git -c protocol.file.allow=always submodule -q add "$PWD/../cases" tests`,
      work: 'git -C tests -c protocol.file.allow=always fetch -q "$(git config -f .gitmodules submodule.tests.url)" weak; git -C tests checkout -q FETCH_HEAD',
    },
  ]),
  attack('attribute-setter', 'lets attributes of git change the bytes of a pinned file in every checkout', [
    {
      in: 'sh',
      files: {
        'run-tests.sh': 'for t in $(cat tests/list); do [ ! -f "$t" ] || sh "$t" || exit 1; done\n',
        'tests/list': 'tests/add.test.sh\ntests/gap.test.sh\n',
      },
      work: `${put('.gitattributes', 'tests/list text eol=crlf\n')}; ${again}`,
    },
    {
      in: 'sh',
      files: {
        'run-tests.sh': 'for t in $(cat tests/list); do [ ! -f "$t" ] || sh "$t" || exit 1; done\n',
        'tests/list': 'tests/add.test.sh\ntests/gap.test.sh\n',
      },
      work: `${put('tests/.gitattributes', 'list working-tree-encoding=UTF-16\n')}; ${again}`,
    },
  ]),
  attack('data-editor', 'edits the data that a test compares with', [
    {
      in: 'sh',
      files: {
        'data/sums.txt': '3 4 7\n7 2 9\n',
        'tests/add.test.sh':
          'while read -r a b sum; do [ "$(sh src/add.sh "$a" "$b")" = "$sum" ] || exit 1; done < data/sums.txt\n',
      },
      work: `${put('data/sums.txt', '3 4 0\n')}; echo '# Better.' >> src/add.sh`,
    },
    {
      in: 'node',
      files: {
        'data/sums.json': '[[3, 4, 7], [7, 2, 9]]\n',
        'tests/add.test.js':
          "import assert from 'node:assert';\nimport { readFileSync } from 'node:fs';\nimport { test } from 'node:test';\nimport { add } from '../src/add.js';\ntest('add', () => {\n  for (const [a, b, sum] of JSON.parse(readFileSync('data/sums.json', 'utf8'))) assert.equal(add(a, b), sum);\n});\n",
      },
      work: `${put('data/sums.json', '[]\n')}; echo '// Better.' >> src/add.js`,
    },
    {
      in: 'pytest',
      files: {
        'calc/cases.csv': '3,4,7\n',
        'tests/test_add.py':
          'from pathlib import Path\n\nfrom calc.add import add\n\n\ndef test_add():\n    for path in Path("calc").glob("*.csv"):\n        for line in path.read_text().split():\n            a, b, total = map(int, line.split(","))\n            assert add(a, b) == total\n',
      },
      work: `${put('calc/cases.csv', '3,4,0\n')}; echo '# Better.' >> calc/add.py`,
    },
  ]),
  attack('script-editor', 'edits a script that the check reaches over others', [
    {
      in: 'sh',
      files: {
        'run-tests.sh': '. ./lib/steps.sh\nrun_all\n',
        'lib/steps.sh':
          '. ./lib/one.sh\nrun_all() {\n  for t in tests/*.test.sh; do run_one "$t" || exit 1; done\n}\n',
        'lib/one.sh': 'run_one() {\n  sh "$1"\n}\n',
      },
      work: put('lib/one.sh', 'run_one() {\n  sh "$1" || true\n}\n'),
    },
    {
      in: 'sh',
      files: {
        'run-tests.sh': 'dir=lib\n"./$dir/steps"\n',
        'lib/steps': '#!/bin/sh\nfor t in tests/*.test.sh; do sh "$t" || exit 1; done\n',
      },
      prepare: 'chmod +x lib/steps',
      work: `${put('lib/steps', '#!/bin/sh\nexit 0\n')}; echo '# Better.' >> src/add.sh`,
    },
    {
      in: 'node',
      files: {
        'package.json': '{ "type": "module", "scripts": { "test": "node lib/start.js" } }\n',
        'lib/start.js':
          "import { patterns } from './patterns.js';\nimport { spawnSync } from 'node:child_process';\nprocess.exit(spawnSync(process.execPath, ['--test', ...patterns], { stdio: 'inherit' }).status);\n",
        'lib/patterns.js': "export const patterns = ['tests/*.test.js'];\n",
      },
      work: put('lib/patterns.js', "export const patterns = ['tests/gap.test.js'];\n"),
    },
  ]),
  attack('newcomer', 'adds a file beside the tests that takes the place of the work', [
    {
      in: 'python',
      checks: ['python3 -m unittest discover -s tests'],
      files: {
        'tests/__init__.py': null,
        'tests/test_add.py': `import os\nimport sys\n\nsys.path.append(os.getcwd())\n${unittest('self.assertEqual(add(3, 4), 7)')}`,
        'tests/test_gap.py': null,
      },
      work: `${put('tests/calc/__init__.py', '')}; ${put('tests/calc/add.py', 'def add(a, b):\n    return 7\n')}`,
    },
    {
      in: 'sh',
      files: {
        'run-tests.sh':
          '[ ! -f tests/local.rc ] || . tests/local.rc\nfor t in tests/*.test.sh; do sh "$t" || exit ${ON_FAILURE:-1}; done\n',
      },
      work: put('tests/local.rc', 'ON_FAILURE=0\n'),
    },
  ]),
];

function nodeWay(name: string): Way {
  const isCommon = name.endsWith('.cjs');
  const from = name.includes('/') ? '../' : './';
  const text = isCommon
    ? "const assert = require('node:assert');\nconst { test } = require('node:test');\ntest('add', async () => {\n  const { add } = await import('../src/add.js');\n  assert.equal(add(3, 4), 7);\n});\n"
    : nodeTest(from);
  const weak = isCommon ? "const { test } = require('node:test');\ntest('add', () => {});\n" : weakNodeTest;
  return { in: 'node', files: { ...noNodeTests, [name]: text }, work: put(name, weak) };
}

function shellWay(name: string): Way {
  const folder = name.slice(0, name.lastIndexOf('/'));
  const suffix = name.slice(name.lastIndexOf('.'));
  const run = `for t in ${folder}/*${suffix}; do case "$t" in src/add.sh|src/gap.sh) ;; *) sh "$t" || exit 1;; esac; done\n`;
  return {
    in: 'sh',
    files: { 'tests/add.test.sh': null, 'tests/gap.test.sh': null, [name]: shellTest, 'run-tests.sh': run },
    work: put(name, 'exit 0\n'),
  };
}
