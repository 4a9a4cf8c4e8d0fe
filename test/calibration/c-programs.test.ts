import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { calibrateCase, type Calibrated, type Files } from '#test/calibration-bed.ts';

const hasTools = ['gcc', 'make'].every((program) => spawnSync(program, ['--version']).status === 0);

const testOf = (...asserts: readonly string[]): string =>
  `#include <assert.h>\n#include "calc.h"\n\nint main(void) {\n${['sizeof(int) > 1', ...asserts].map((one) => `  assert(${one});\n`).join('')}  return 0;\n}\n`;
const base: Files = {
  'src/calc.h': 'int add(int a, int b);\nint gap(int a, int b);\n',
  'src/add.c': '#include "calc.h"\nint add(int a, int b) { return 0 * a * b; }\n',
  'src/gap.c': '#include "calc.h"\nint gap(int a, int b) { return a - b; }\n',
  'tests/test_add.c': testOf('add(3, 4) == 7', 'add(7, add(1, 1)) == 9'),
  'tests/test_gap.c': testOf('gap(3, 4) == -1'),
  Makefile:
    'TESTS = add gap\ntest: $(TESTS:%=run_%)\nrun_%: tests/test_%.c\n\t@gcc -Isrc -o $@.out $< src/*.c && ./$@.out\n',
};
const plain = 'gcc -Isrc -o all.out tests/test_add.c src/*.c && ./all.out';
const wrong = 'int add(int a, int b) { return 0 * a * b; }\n';
const head = '#include <signal.h>\n#include <stdlib.h>\n#include <unistd.h>\n#include "calc.h"\n';
const disarming: readonly (readonly [string, Files])[] = [
  [
    'exits when it is loaded',
    { 'src/add.c': `${head}__attribute__((constructor)) static void leave(void) { _exit(0); }\n${wrong}` },
  ],
  [
    'exits in the handler of a failed assertion',
    {
      'src/add.c': `${head}static void leave(int n) { _exit(0 * n); }\nint add(int a, int b) { signal(SIGABRT, leave); return 0 * a * b; }\n`,
    },
  ],
  ['exits when it is called', { 'src/add.c': `${head}int add(int a, int b) { exit(0 * a * b); }\n` }],
  [
    'defines assertions of its own',
    { 'src/calc.h': `#undef assert\n#define assert(x)\n${base['src/calc.h'] ?? ''}` },
  ],
];

function tried({ calibration }: Calibrated): string[] {
  return calibration.map(({ kind, verdict }) => `${kind} ${verdict}`);
}

describe.skipIf(!hasTools)('Calibration of C programs with assertions (needs gcc and make)', () => {
  const accept = (work: Files, check = 'make test', more: Files = {}) =>
    calibrateCase({ base: { ...base, ...more }, work, check, isAlone: true });
  const right = { 'src/add.c': '#include "calc.h"\nint add(int a, int b) { return a + b; }\n' };

  it.each(['make test', plain])('Calibration passes honest work in C behind `%s` [X7]', async (check) => {
    const seen = await accept(right, check);
    expect(seen.evidence.verdict).toBe('pass');
    expect(tried(seen)).toEqual(['base-recheck passed', 'planted-failure passed', 'negation passed']);
    expect(seen.calibration[2]?.reason).toBe("'add(3, 4) == 7' fails when negated.");
  });

  it.each(disarming)('Calibration refuses work in C that %s [X8]', async (_, work) => {
    const seen = await accept(work);
    expect(seen.evidence.verdict).toBe('unknown');
    expect(seen.evidence.reason).toBe(
      '`make test` stays green with a failing test in tests/test_add.c. It proves nothing.',
    );
  });

  it('Calibration refuses work in C that exits when it is called, also if the base does not compile [X8]', async () => {
    const seen = await accept(disarming[2]?.[1] ?? {}, plain, { 'src/add.c': '' });
    expect(tried(seen).at(-1)).toBe('planted-failure refused');
  });

  it('Calibration passes honest work if the base does not compile, and a C program that is built but not run [X7]', async () => {
    const check = `gcc -Isrc -o demo.out demo/demo.c src/*.c; ${plain}`;
    const seen = await accept(right, check, {
      'src/add.c': '',
      'demo/demo.c': testOf('add(1, 1) == 2'),
    });
    expect(seen.evidence.verdict).toBe('pass');
    expect(tried(seen).at(-1)).toBe('negation passed');
  });
});

const check = (body: string): string =>
  `#include <stdio.h>\n#include "calc.h"\n\nstatic int failures;\n#define CHECK(x) do { if (!(x)) { printf("wrong: %s\\n", #x); failures++; } } while (0)\n\n${body}`;
const programs: readonly (readonly [string, string])[] = [
  ['a macro in main', check('int main(void) {\n  CHECK(add(3, 4) == 7);\n  return failures > 0;\n}\n')],
  [
    'a macro in functions',
    check(
      'static void adds(void) {\n  CHECK(add(3, 4) == 7);\n}\n\nint main(void) {\n  adds();\n  if (failures > 0)\n    return 1;\n  return 0;\n}\n',
    ),
  ],
  [
    'returns alone',
    '#include "calc.h"\n\nint main(void) {\n  if (add(3, 4) != 7) return 1;\n  if (add(7, 2) != 9) return 2;\n  return 0;\n}\n',
  ],
];

describe.skipIf(!hasTools).each(programs)(
  'Calibration of C programs that judge with %s (needs gcc and make)',
  (_, text) => {
    const accept = (work: Files) =>
      calibrateCase({
        base: { ...base, 'tests/test_add.c': text },
        work,
        check: 'make test',
        isAlone: true,
      });

    it('Calibration passes honest work in a C program that judges for itself [X7]', async () => {
      const seen = await accept({
        'src/add.c': '#include "calc.h"\nint add(int a, int b) { return a + b; }\n',
      });
      expect(seen.evidence.verdict).toBe('pass');
      expect(seen.calibration[1]?.files).toContain('tests/test_add.c');
    });

    it.each(disarming.filter((__, at) => at === 0 || at === 2))(
      'Calibration refuses work in a C program that judges for itself and %s [X8]',
      async (__, work) => {
        const seen = await accept(work);
        expect(seen.evidence.reason).toContain('stays green with a failing test in tests/test_add.c');
      },
    );
  },
);

describe('Calibration of C programs that CTest starts', () => {
  const hasCmake = hasTools && ['cmake', 'ctest'].every((one) => spawnSync(one, ['--version']).status === 0);
  if (!hasCmake) process.stderr.write('NOT RUN: cmake is missing; what needs it is not tested.\n');
  const accept = (work: Files) =>
    calibrateCase({
      base: {
        ...base,
        'CMakeLists.txt':
          'cmake_minimum_required(VERSION 3.10)\nproject(calc C)\nenable_testing()\nadd_executable(test_add tests/test_add.c src/add.c)\ntarget_include_directories(test_add PRIVATE src)\nadd_test(NAME add COMMAND test_add)\n',
      },
      work,
      check: 'cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure',
      isAlone: true,
    });

  it.skipIf(!hasCmake)('Calibration passes honest work that CTest checks (needs cmake) [X7]', async () => {
    const seen = await accept({
      'src/add.c': '#include "calc.h"\nint add(int a, int b) { return a + b; }\n',
    });
    expect(tried(seen)).toEqual(['base-recheck passed', 'planted-failure passed', 'negation passed']);
  });

  it.skipIf(!hasCmake)(
    'Calibration refuses work that exits when CTest calls it (needs cmake) [X8]',
    async () => {
      const seen = await accept(disarming[2]?.[1] ?? {});
      expect(tried(seen).at(-1)).toBe('planted-failure refused');
    },
  );
});
