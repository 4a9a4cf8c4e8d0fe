import { expect, it } from 'vitest';
import { cAssert } from './c-assert.ts';
import type { RunnerContext } from './test-runner.ts';

const context: RunnerContext = { command: '', scripts: [], output: '', dependencies: [], settings: [] };
const program = (body: string): string =>
  `#include <assert.h>\n\nint main(void) {\n  ${body}\n  return 0;\n}\n`;

function negatedLines(text: string, path = 'tests/test_a.c', tests: readonly string[] | null = null) {
  const negated = cAssert.negate({ path, text }, context, tests);
  if (negated.kind === 'none') return [];
  const before = text.split('\n');
  return negated.text.split('\n').filter((line, index) => line !== before[index]);
}

it.each([
  ['assert(add(1, f(2)) == 3);', ['  assert(!(add(1, f(2)) == 3));']],
  ['assert(!(a && b));', ['  assert(a && b);']],
  ['assert(!(a) || (b));', ['  assert(!(!(a) || (b)));']],
  ['assert(same(a, ")"));', ['  assert(!(same(a, ")")));']],
  ['if (a)\n    assert(b);', []],
  ['if (a) {\n    assert(b);\n  }', []],
  ['if (a) return 0;\n  assert(b);', []],
  ['assert(a); assert(b);', []],
  ['assert(a &&\n    b);', []],
  ['assert(a);\n  assert(a);', []],
])('The statement %s of a C program becomes %s', (body, expected) => {
  expect(negatedLines(program(body))).toEqual(expected);
});

it('Assertions of a program that is not called a test are negated only if they failed before', () => {
  const text = program('assert(a);\n  assert(b);');
  expect(negatedLines(text, 'demo/demo.c')).toEqual([]);
  expect(negatedLines(text, 'demo/demo.c', ['b'])).toEqual(['  assert(!(b));']);
});

it('An assertion and its opposite are reported by one name', () => {
  const line = (text: string): string => `t: tests/t.c:4: main: Assertion \`${text}' failed.`;
  const names = [line('a == 1'), line('!(a == 2)'), line('!(a) || (b)')].join('\n');
  expect(cAssert.readReport(names).failed.map(({ name }) => name)).toEqual([
    'a == 1',
    'a == 2',
    '!(a) || (b)',
  ]);
});

it('A failure is planted in a C program that prints nothing itself', () => {
  const planted = cAssert.plant(
    { path: 'tests/test_a.c', text: program('assert(a);') },
    context,
    'abcdefghijkl',
  );
  expect(planted).toMatchObject({ kind: 'planted' });
  expect(planted.kind === 'planted' ? planted.text : '').toContain(
    '#include <assert.h>\n#include <stdio.h>\n',
  );
});

it.each([
  ['a last return that may run the tests', 'CHECK(1);\n  return run_tests();'],
  ['a return of 0 before the end', 'if (a) return 0;\n  CHECK(b);\n  return failures;'],
  ['an exit of an unknown number before the end', 'CHECK(b);\n  exit(failures);\n  return 0;'],
])('A C program with %s has no place for a planted failure', (_, body) => {
  const file = { path: 'tests/test_a.c', text: `int main(void) {\n  ${body}\n}\n` };
  expect(cAssert.isTestFile(file, context)).toBe(true);
  expect(cAssert.plant(file, context, 'abcdefghijkl').kind).toBe('none');
});
