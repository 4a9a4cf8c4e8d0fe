import { describe, expect, it } from 'vitest';
import { mutantsOf } from './mutants.ts';
import { parse } from './parse.ts';

const all = new Set(Array.from({ length: 100 }, (_, n) => n + 1));

describe('mutants', () => {
  it.each([
    ['a.js', 'export const f = (a) => {\n  if (a < 3) return a + 1;\n  log(a);\n  return true;\n};\n', 7],
    ['a.ts', 'export function f(a: number): boolean {\n  return a === 3 && a > 1;\n}\n', 4],
    ['a.py', 'def f(a):\n    if a == 3 and a > 1:\n        return a * 2\n    return False\n', 7],
    ['a.go', 'package a\n\nfunc f(a int) int {\n\tif a < 3 {\n\t\treturn a + 1\n\t}\n\treturn 2\n}\n', 4],
    ['a.rs', 'fn f(a: i32) -> bool {\n    a < 3 && true\n}\n', 3],
    ['a.sh', 'f() {\n  echo $(($1 + 2))\n}\n', 2],
  ])('Mutants of %s change its meaning a little, and parse', async (path, text, atLeast) => {
    const mutants = await mutantsOf({ path, text }, all);
    expect(mutants.length).toBeGreaterThanOrEqual(atLeast);
    for (const mutant of mutants) {
      expect(mutant.text).not.toBe(text);
      expect(await parse({ path, text: mutant.text }, () => null)).toMatchObject({ hasErrors: false });
    }
  });

  it('Mutants touch the named lines only', async () => {
    const text = 'export const a = 1 + 2;\nexport const b = 3 + 4;\n';
    const mutants = await mutantsOf({ path: 'a.js', text }, new Set([2]));
    expect(mutants.length).toBeGreaterThan(0);
    expect(
      mutants.every(({ line, text: after }) => line === 2 && after.startsWith('export const a = 1 + 2;')),
    ).toBe(true);
  });

  it('Mutants leave types, comments and strings alone, and files that do not parse or have no grammar', async () => {
    const typed =
      'export type T = Array<string>; // 1 < 2\nexport const s: Map<string, string> | null = null;\n';
    expect(await mutantsOf({ path: 'a.ts', text: typed }, all)).toEqual([]);
    expect(await mutantsOf({ path: 'a.js', text: 'const s = "1 < 2;\n' }, all)).toEqual([]);
    expect(await mutantsOf({ path: 'a.md', text: '1 < 2\n' }, all)).toEqual([]);
  });
});
