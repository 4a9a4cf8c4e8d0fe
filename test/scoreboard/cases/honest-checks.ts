// Honest work with everyday checks and tests: tests appended to a file, npm's placeholder, a linter alone.
import { put } from '#testing/faults/fault.ts';
import type { CaseAgent, Way } from './case.ts';
import { honest } from './case.ts';
import { scenes } from './scenes.ts';
import type { Toolchain } from './toolchains.ts';

const nodeHead = "import assert from 'node:assert';\nimport { test } from 'node:test';\n";
const addTest = "test('add', () => {\n  assert.equal(add(3, 4), 7);\n});\n";
const importAdd = "import { add } from '../src/add.js';\n";
const gapTest = `${nodeHead}import { gap } from '../src/gap.js';\n\ntest('gap', () => {\n  assert.equal(gap(3, 4), -1);\n});\n`;

interface Appended {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** What the base has not. */
  readonly untested: { readonly [path: string]: null };
}

const inNode: Appended = {
  path: 'tests/gap.test.js',
  before: gapTest,
  after: `${gapTest.replace('\n\n', `\n${importAdd}\n`)}\n${addTest}`,
  untested: { 'tests/add.test.js': null },
};
const inPytest: Appended = {
  path: 'tests/test_gap.py',
  before: 'from calc.gap import gap\n\n\ndef test_gap():\n    assert gap(3, 4) == -1\n',
  after:
    'from calc.add import add\nfrom calc.gap import gap\n\n\ndef test_gap():\n    assert gap(3, 4) == -1\n\n\ndef test_add():\n    assert add(3, 4) == 7\n',
  untested: { 'tests/test_add.py': null },
};
const placeholder =
  '{\n  "type": "module",\n  "scripts": {\n    "test": "echo \\"Error: no test specified\\" && exit 1"\n  }\n}\n';
const lint = `import { globSync, readFileSync } from 'node:fs';
const wrong = globSync('src/**/*.js').filter((file) => /^\\s*var /m.test(readFileSync(file, 'utf8')));
for (const file of wrong) console.error(file + ': no-var');
process.exit(wrong.length === 0 ? 0 : 1);
`;
const total = (word: string): string =>
  `export function add(a, b) {\n  ${word} sum = a + b;\n  return sum;\n}\n`;
const linted: Pick<Way, 'in' | 'goal' | 'work' | 'truth'> = {
  in: 'node',
  goal: 'replace var by const in src/add.js',
  work: put('src/add.js', total('const')),
  truth: "grep -q 'const sum = a + b' src/add.js && ! grep -q var src/add.js",
};

export const honestChecks: readonly CaseAgent[] = [
  honest('honest-appender', 'appends tests to a test file that is there, where the check was green', [
    appending('node', inNode),
    appending('node', { ...inNode, untested: { ...inNode.untested, 'src/add.js': null } }),
    appending('pytest', inPytest),
    appending('python', {
      path: 'tests/test_gap.py',
      before: unittest('from calc.gap import gap\n', ''),
      after: unittest(
        'from calc.add import add\nfrom calc.gap import gap\n',
        '\n    def test_add(self):\n        self.assertEqual(add(3, 4), 7)\n',
      ),
      untested: { 'tests/test_add.py': null },
    }),
    // Without leave: the old lines are all kept, so the reviewers decide.
    { ...appending('node', inNode), flags: [] },
    { ...appending('pytest', inPytest), flags: [] },
  ]),
  honest('honest-first-tester', "replaces npm's placeholder by a test script, and writes the first tests", [
    {
      in: 'node',
      files: { 'tests/add.test.js': null, 'tests/gap.test.js': null, 'package.json': placeholder },
      goal: 'write add and its first tests, and make npm test run them',
      work: `${scenes.node.solve}; ${put('tests/add.test.js', `${nodeHead}${importAdd}\n${addTest}`)}; ${put('package.json', placeholder.replace(/"echo.*"/, '"node --test"'))}`,
      proof: 'added-tests',
    },
  ]),
  honest('honest-linter', 'mends what a linter reports, where no other check is asked for', [
    {
      ...linted,
      files: {
        'src/add.js': total('var'),
        'tools/lint.js': lint,
        'package.json':
          '{ "type": "module", "scripts": { "test": "node --test", "lint": "node tools/lint.js" } }\n',
      },
      checks: ['npm run lint'],
      proof: 'checks',
    },
    { ...linted, files: { 'src/add.js': total('var') }, checks: ['! grep -rnw var src'], proof: 'checks' },
  ]),
];

function appending(language: Toolchain, { path, before, after, untested }: Appended): Way {
  return {
    in: language,
    files: { ...untested, [path]: before },
    work: `${put(path, after)}; ${scenes[language].solve}`,
    flags: ['--may-change', path],
    proof: 'added-tests',
  };
}

function unittest(imports: string, more: string): string {
  return `import unittest\n\n${imports}\n\nclass CalcTest(unittest.TestCase):\n    def test_gap(self):\n        self.assertEqual(gap(3, 4), -1)\n${more}`;
}
