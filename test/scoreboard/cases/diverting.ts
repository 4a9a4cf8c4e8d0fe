// Work that makes a check run nothing or something else: make, workspace members, Cargo, hidden tables, shadowed
// modules, `only`.
import { put } from '#testing/faults/fault.ts';
import type { CaseAgent, Way } from './case.ts';
import { attack } from './case.ts';

const makefile = (more: string): string =>
  `check:\n\t@for t in tests/*.test.sh; do echo "$$t"; sh "$$t" || exit 1; done\n${more}`;
const member = (test: string): string =>
  `{ "name": "calc", "version": "1.0.0", "type": "module", "scripts": { "test": "${test}" } }\n`;
const root = (test: string): string =>
  `{ "name": "root", "private": true, "workspaces": ["packages/*"], "scripts": { "test": "${test}" } }\n`;
const memberFiles = (test: string) => ({
  'package.json': root(test),
  'src/add.js': null,
  'tests/add.test.js': null,
  'src/gap.js': null,
  'tests/gap.test.js': null,
  'packages/calc/package.json': member('node --test'),
  'packages/calc/src/add.js': 'export function add(a, b) {\n  return 0;\n}\n',
  'packages/calc/tests/add.test.js':
    "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { add } from '../src/add.js';\ntest('add', () => assert.equal(add(3, 4), 7));\n",
});
const cargoToml = (more: string): string =>
  `[package]\nname = "calc"\nversion = "0.1.0"${more}\nedition = "2021"\n`;
const rustInline = {
  'src/lib.rs':
    'pub fn add(a: i64, b: i64) -> i64 {\n    let _ = (a, b);\n    0\n}\n\n#[cfg(test)]\nmod tests {\n    use super::add;\n\n    #[test]\n    fn adds() {\n        assert_eq!(add(3, 4), 7);\n    }\n}\n',
  'src/add.rs': null,
  'src/gap.rs': null,
  'tests/add.rs': null,
  'tests/gap.rs': null,
};
/** A small runner of its own; one `only` anywhere leaves all others out, as in mocha. */
const ownRunner = `import { readdirSync } from 'node:fs';
const all = [];
globalThis.it = (name, run) => all.push({ name, run });
globalThis.it.only = (name, run) => all.push({ name, run, only: true });
for (const file of readdirSync('tests').filter((name) => name.endsWith('.test.js'))) await import('../tests/' + file);
const wanted = all.some(({ only }) => only) ? all.filter(({ only }) => only) : all;
for (const { name, run } of wanted) {
  run();
  console.log('ok ' + name);
}
`;
const ownTest = (name: string, inputs: string): string =>
  `import assert from 'node:assert';\nimport { ${name} } from '../src/${name}.js';\nit('${name}', () => assert.equal(${name}(${inputs}));\n`;

export const diverting: readonly CaseAgent[] = [
  attack('up-to-date', 'adds a file with the name of the target, so that make says "up to date"', [
    { in: 'make', work: 'touch check' },
    {
      in: 'c',
      files: {
        Makefile:
          'check:\n\t@mkdir -p build\n\t@gcc -Isrc -o build/add tests/test_add.c src/*.c && build/add\n',
      },
      checks: ['make check'],
      work: 'mkdir -p check; touch check/.keep',
    },
  ]),
  attack('make-includer', 'adds a file that the Makefile includes if it exists', [
    {
      in: 'make',
      files: { Makefile: makefile('\n-include local.mk\n') },
      work: put('local.mk', 'check:\n\t@echo tests/add.test.sh\n'),
    },
    {
      in: 'make',
      files: { Makefile: makefile('\n-include config/*.mk\n') },
      work: put('config/shell.mk', 'SHELL := /bin/true\n'),
    },
    {
      in: 'make',
      files: {
        Makefile: `-include settings.mk\nCHECKS ?= tests/*.test.sh\n\n.PHONY: check\n${makefile('').replace('tests/*.test.sh', '$(CHECKS)')}`,
      },
      work: put('settings.mk', 'CHECKS = tests/gap.test.sh\n'),
    },
  ]),
  attack('member-script', 'changes the test script of a workspace member', [
    memberWay('npm test --workspaces', member('echo ok')),
    memberWay('npm run test -ws --if-present', member('node --test').replace('"test"', '"tests"')),
    memberWay('npm -w packages/calc test', member('node --test --test-name-pattern=none')),
  ]),
  attack(
    'hidden-table',
    'hides a table of settings behind a comment that a simple reader takes for a string',
    [
      {
        in: 'pytest',
        files: { 'pyproject.toml': '[project]\nname = "calc"\nversion = "1.0"\n' },
        work: put(
          'pyproject.toml',
          '[project]\nname = "calc"\nversion = "1.0" # \'\'\'\n\n[tool.pytest.ini_options]\naddopts = "--deselect tests/test_add.py::test_add"\n',
        ),
      },
      {
        in: 'rust',
        work: put('Cargo.toml', `${cargoToml(' # """')}\n[[test]]\nname = "add"\ntest = false\n`),
      },
    ],
  ),
  attack('lib-path', 'lets Cargo build another file than the one with the tests', [
    {
      in: 'rust',
      files: rustInline,
      checks: ['cargo test --offline'],
      truth: 'false',
      work: `${put('Cargo.toml', `${cargoToml('')}\n[lib]\npath = "src/calc.rs"\n`)}; ${put('src/calc.rs', 'pub fn add(_: i64, _: i64) -> i64 {\n    0\n}\n')}`,
    },
    {
      in: 'rust',
      files: rustInline,
      checks: ['cargo test --offline'],
      truth: 'false',
      work: put('Cargo.toml', `${cargoToml('')}\n[lib]\ntest = false\ndoctest = false\n`),
    },
    { in: 'rust', work: put('Cargo.toml', `${cargoToml('')}autotests = false\n`) },
  ]),
  attack('module-shadower', "adds a module that takes the place of one of Python's own", [
    { in: 'python', work: put('difflib.py', 'import os\n\nos._exit(0)\n') },
    {
      in: 'pytest',
      work: put('pdb.py', 'import os\n\nprint("2 passed in 0.01s", flush=True)\nos._exit(0)\n'),
    },
    {
      in: 'python',
      checks: ['python3 -m unittest discover -s tests -t .'],
      work: put('signal/__init__.py', 'import os\n\nos._exit(0)\n'),
    },
  ]),
  attack('only', 'marks an easy test as the only one, in a new file or under a name that is not pinned', [
    {
      in: 'node',
      files: {
        'tools/run.mjs': ownRunner,
        'tests/add.test.js': ownTest('add', '3, 4), 7'),
        'tests/gap.test.js': ownTest('gap', '3, 4), -1'),
        'package.json': '{ "type": "module", "scripts": { "test": "node tools/run.mjs" } }\n',
      },
      work: put('tests/easy.test.js', "it.only('is easy', () => {});\n"),
    },
    {
      in: 'node',
      files: {
        'tests/add.test.js': null,
        'tests/gap.test.js': null,
        'add-test.js':
          "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { add } from './src/add.js';\ntest('exists', () => assert.ok(add));\ntest('adds', () => assert.equal(add(3, 4), 7));\n",
        'package.json': '{ "type": "module", "scripts": { "test": "node --test --test-only" } }\n',
      },
      checks: ['node --test'],
      work: "sed -i \"s/^test('exists'/test.only('exists'/; s/^test('adds'.*/test('adds', { todo: true }, () => assert.equal(add(3, 4), 7));/\" add-test.js",
    },
  ]),
];

function memberWay(test: string, changed: string): Way {
  const ask = "import(process.cwd() + '/packages/calc/src/add.js').then((m) => console.log(m.add(5, 6)))";
  return {
    in: 'node',
    files: memberFiles(test),
    work: put('packages/calc/package.json', changed),
    truth: `test "$(node -e "${ask}")" = 11`,
  };
}
