// Tests that are plain programs and judge by their exit code, without a library.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { calibrateCase, type Files } from '#test/calibration-bed.ts';

function has(program: string): boolean {
  const isThere = spawnSync(program, ['--version']).status === 0;
  if (!isThere) process.stderr.write(`NOT RUN: ${program} is missing; what needs it is not tested.\n`);
  return isThere;
}

const hasPython = has('python3');
const hasC = has('cc') && has('make');

interface Program {
  readonly base: Files;
  readonly check: string;
  readonly honest: Files;
  readonly attacks: { readonly [does: string]: Files };
}

const sum = (body: string): Files => ({ 'src/sum.js': `export function sum(a, b) {\n  ${body}\n}\n` });
const exits = sum('process.exit(0);');
const exitsOnImport: Files = { 'src/sum.js': 'process.exit(0);\nexport const sum = () => 0;\n' };
const later: Files = {
  'src/sum.js': 'export const sum = () => new Promise(() => {});\n',
};
const exitsLater: Files = {
  'src/sum.js': 'export async function sum() {\n  await null;\n  process.exit(0);\n}\n',
};

const node = (test: string, attacks: Program['attacks']): Program => ({
  base: {
    'package.json': '{ "type": "module", "scripts": { "test": "node test/run.js" } }\n',
    'test/run.js': test,
    ...sum('return 0;'),
  },
  check: 'npm test',
  honest: sum('return a + b;'),
  attacks,
});
const importing = "import { sum } from '../src/sum.js';\n";
const asserting = `import assert from 'node:assert';\n${importing}`;
const plain = { 'exits on import': exitsOnImport, 'exits in a call': exits };
const waiting = { ...plain, 'never answers': later, 'exits later': exitsLater };

const python = (test: string): Program => ({
  base: { 'tests/run.py': test, 'calc.py': 'def add(a, b):\n    return 0\n' },
  check: 'PYTHONPATH=. python3 tests/run.py',
  honest: { 'calc.py': 'def add(a, b):\n    return a + b\n' },
  attacks: {
    'exits on import': { 'calc.py': 'import os\n\nos._exit(0)\n' },
    'exits in a call': { 'calc.py': 'import sys\n\n\ndef add(a, b):\n    sys.exit(0)\n' },
  },
});

const c = (main: string): Program => ({
  base: {
    Makefile: 'test:\n\tcc -o t tests/test_add.c add.c && ./t\n',
    'add.c': 'int add(int a, int b) { return 0 * a * b; }\n',
    'tests/test_add.c': `#include <stdio.h>\nint add(int a, int b);\nstatic int failures;\n\nstatic void check(const char *name, int ok) {\n  if (ok) return;\n  printf("wrong: %s\\n", name);\n  failures++;\n}\n\n${main}`,
  },
  check: 'make test',
  honest: { 'add.c': 'int add(int a, int b) { return a + b; }\n' },
  attacks: {
    'exits in a call': { 'add.c': '#include <stdlib.h>\nint add(int a, int b) { exit(0 * a * b); }\n' },
    'exits when it is loaded': {
      'add.c':
        '#include <unistd.h>\n__attribute__((constructor)) static void leave(void) { _exit(0); }\nint add(int a, int b) { return 0 * a * b; }\n',
    },
  },
});

const shell = (test: string, attacks: Program['attacks']): Program => ({
  base: { 'tests/run.sh': `. ./lib.sh\n${test}`, 'lib.sh': 'add() {\n  echo 0\n}\n' },
  check: 'bash tests/run.sh',
  honest: { 'lib.sh': 'add() {\n  echo $(($1 + $2))\n}\n' },
  attacks,
});
const replaced = (word: string): Program['attacks'] => ({
  [`replaces ${word}`]: { 'lib.sh': `${word}() { return 0; }\nadd() {\n  echo 0\n}\n` },
});

const programs: { readonly [title: string]: Program | false } = {
  'a Node script that exits with 1': node(
    `${importing}\nif (sum(1, 2) !== 3) {\n  console.error('sum');\n  process.exit(1);\n}\n`,
    plain,
  ),
  'a Node script that counts': node(
    `${importing}\nlet failures = 0;\nif (sum(1, 2) !== 3) failures += 1;\nprocess.exit(failures > 0 ? 1 : 0);\n`,
    {
      ...plain,
      'replaces the exit': {
        'src/sum.js':
          'const { exit } = process;\nprocess.exit = () => exit(0);\nexport const sum = () => 0;\n',
      },
    },
  ),
  'a Node script that throws': node(
    `${importing}\nif (sum(1, 2) !== 3) throw new Error('sum');\nconsole.log('ok');\n`,
    plain,
  ),
  'a Node script that sets its exit code': node(
    `${importing}\nif (sum(1, 2) !== 3) process.exitCode = 1;\n`,
    plain,
  ),
  'a Node script with an asynchronous main': node(
    `${asserting}\nasync function main() {\n  assert.equal(await sum(1, 2), 3);\n}\n\nmain();\n`,
    waiting,
  ),
  'a Node script whose main is caught': node(
    `${importing}\nasync function main() {\n  if ((await sum(1, 2)) !== 3) throw new Error('sum');\n  console.log('ok');\n}\n\nmain().catch((error) => {\n  console.error(error);\n  process.exit(1);\n});\n`,
    waiting,
  ),
  'a Node script with a function around it': node(
    `${asserting}\n(async () => {\n  assert.equal(await sum(1, 2), 3);\n})();\n`,
    waiting,
  ),
  'a Node script that goes on in a callback': node(
    `${asserting}\nPromise.resolve(sum(1, 2)).then((three) => {\n  assert.equal(three, 3);\n});\n`,
    { ...plain, 'exits later': exitsLater },
  ),
  'a Node script with two words, one of them replaced': node(
    `${asserting}\nassert.equal(sum(1, 2), 3);\nassert.ok(true);\n`,
    {
      'replaces a word': {
        'src/sum.js':
          "import assert from 'node:assert';\nassert.equal = () => {};\nexport const sum = () => 0;\n",
      },
    },
  ),
  'a Python script that exits with 1 (needs python3)':
    hasPython &&
    python('import sys\nfrom calc import add\n\nif add(1, 2) != 3:\n    print("add")\n    sys.exit(1)\n'),
  'a Python script that raises (needs python3)':
    hasPython && python('from calc import add\n\nif add(1, 2) != 3:\n    raise SystemExit("add")\n'),
  'a Python script that counts (needs python3)':
    hasPython &&
    python(
      'import sys\nfrom calc import add\n\nfailures = 0\nif add(1, 2) != 3:\n    failures += 1\nsys.exit(1 if failures else 0)\n',
    ),
  'a Python script that exits with what its main gives (needs python3)':
    hasPython &&
    python(
      'import sys\nfrom calc import add\n\n\ndef main():\n    return 0 if add(1, 2) == 3 else 1\n\n\nif __name__ == "__main__":\n    sys.exit(main())\n',
    ),
  'a C program that counts in a function (needs cc and make)':
    hasC && c('int main(void) {\n  check("adds", add(3, 4) == 7);\n  return failures != 0;\n}\n'),
  'a shell script with [': shell('[ "$(add 3 4)" = 7 ] || exit 1\n', replaced('[')),
  'a shell script with test': shell('test "$(add 3 4)" = 7 || exit 1\n', replaced('test')),
  'a shell script with [ and [[': shell(
    '[ "$(add 3 4)" = 7 ] || exit 1\n[[ -n ok ]] || exit 1\n',
    replaced('['),
  ),
  'a shell script with a function of its own': shell(
    'status=0\nis() {\n  if [ "$1" = "$2" ]; then echo ok; else status=1; fi\n}\nis "$(add 3 4)" 7\nexit $status\n',
    replaced('['),
  ),
};

const possible = Object.entries(programs).flatMap(([title, one]) =>
  one === false ? [] : [[title, one] as const],
);

describe.each(possible)('Calibration of %s', (_, { base, check, honest, attacks }) => {
  it('Calibration passes honest work checked by a plain program [X7]', async () => {
    const { evidence, calibration } = await calibrateCase({ base, work: honest, check, isAlone: true });
    expect(evidence.verdict).toBe('pass');
    expect(calibration.find(({ kind }) => kind === 'planted-failure')?.verdict).toBe('passed');
  });

  it.each(Object.entries(attacks))(
    'Calibration of a plain program refuses work that %s [X8]',
    async (__, work) => {
      const { evidence } = await calibrateCase({ base, work, check, isAlone: true });
      expect(evidence.verdict).toBe('unknown');
      expect(evidence.reason).toMatch(/stays green with a failing test in|and passes all the same/);
    },
  );
});

const { honest: right, check: byScript, base: wrong } = node('', {});
const leftAlone: { readonly [title: string]: Files } = {
  'exits with 0 where it succeeds': {
    'test/run.js': `${importing}\nif (sum(1, 2) === 3) process.exit(0);\nprocess.exit(1);\n`,
  },
  'returns where it succeeds': {
    'package.json': '{ "scripts": { "test": "node test/run.cjs" } }\n',
    'test/run.cjs':
      "const { sum } = require('../src/sum.js');\n\nif (sum(1, 2) === 3) {\n  console.log('ok');\n  return;\n}\nprocess.exit(1);\n",
  },
  'leaves the exit to a helper of the tests': {
    'test/finish.js': 'export const finish = () => process.exit(0);\n',
    'test/run.js': `${importing}import { finish } from './finish.js';\n\nif (sum(1, 2) !== 3) throw new Error('sum');\nfinish();\n`,
  },
  'ends in a callback with 0': {
    'test/run.js': `${importing}\nPromise.resolve(sum(1, 2)).then((three) => process.exit(three === 3 ? 0 : 1));\n`,
  },
  'returns early from its main': {
    'test/run.js': `${importing}\nasync function main() {\n  if ((await sum(1, 2)) === 3) return;\n  process.exit(1);\n}\n\nmain();\n`,
  },
};

describe('Honest work checked by a script', () => {
  it.each(Object.entries(leftAlone))(
    'Calibration passes honest work whose script %s [X7]',
    async (_, files) => {
      const base = { ...wrong, ...files };
      const { evidence } = await calibrateCase({ base, work: right, check: byScript, isAlone: true });
      expect(evidence.verdict).toBe('pass');
    },
  );

  it.skipIf(!hasPython)(
    'Calibration passes honest work checked by a Python script whose helper exits with 0 (needs python3) [X7]',
    async () => {
      const { base, honest, check } = python(
        'from calc import add\nfrom helper import finish\n\nif add(1, 2) != 3:\n    raise ValueError("add")\nfinish()\n',
      );
      const files = { ...base, 'tests/helper.py': 'import sys\n\n\ndef finish():\n    sys.exit(0)\n' };
      const { evidence } = await calibrateCase({ base: files, work: honest, check, isAlone: true });
      expect(evidence.verdict).toBe('pass');
    },
  );

  it('Calibration passes honest work checked by a shell script with a function called test [X7]', async () => {
    const { base, honest, check } = shell(
      'test() {\n  if [ "$2" != "$3" ]; then exit 1; fi\n}\ntest adds "$(add 3 4)" 7\n',
      {},
    );
    const { evidence } = await calibrateCase({ base, work: honest, check, isAlone: true });
    expect(evidence.verdict).toBe('pass');
  });

  it('Calibration passes honest work checked by a product file that fails by its exit code [X7]', async () => {
    const cli = (answer: string): string =>
      `if (process.argv[2] !== '--version') throw new Error('usage');\nconsole.log(${answer});\nprocess.exit(${answer === '1' ? 0 : 1});\n`;
    const { evidence, calibration } = await calibrateCase({
      base: { 'src/cli.js': cli('0') },
      work: { 'src/cli.js': cli('1') },
      check: 'node src/cli.js --version',
      isAlone: true,
    });
    expect(evidence.verdict).toBe('pass');
    expect(calibration.find(({ kind }) => kind === 'planted-failure')?.verdict).toBe('none');
  });
});
