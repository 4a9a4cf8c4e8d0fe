import { describe, expect, it } from 'vitest';
import { holdsOnlyConstants } from './constants-only.ts';

describe('modules of constants', () => {
  it.each([
    ['src/a.mjs', "export const status = 'done';\n"],
    ['src/a.mjs', 'const six = 6;\nexport { six };\n'],
    ['src/a.cjs', "module.exports = { status: 'done', codes: [1, 2] };\n"],
    ['src/a.ts', "export const status: Status = 'done' as const;\n"],
    ['src/a.mjs', "export default Object.freeze({ a: { b: 'done' } });\n"],
    ['src/a.mjs', "const state = () => 'done';\nexport const status = state().trim();\n"],
    ['src/a.mjs', "const parts = ['do', 'ne'];\nexport const status = parts.join('');\n"],
    ['src/a.mjs', "export { status } from './b.mjs';\nexport const more = -1 + 2;\n"],
    ['a.py', '"""Done."""\n\nSTATUS = "done"\n'],
    ['a.py', 'from typing import Final\n\nSTATUS: Final = b"done"\nALL = [STATUS, 1]\n'],
    ['a.py', 'def status() -> str:\n    return "done"\n'],
  ])('A module that has nothing but constants is recognised: %s, %s [X8]', (path, text) => {
    expect(holdsOnlyConstants(path, text)).toBe(true);
  });

  it.each([
    ['src/a.mjs', 'export const product = (a, b) => a * b;\n'],
    ['src/a.mjs', 'export function half(n) {\n  return n / 2;\n}\n'],
    ['src/a.mjs', 'let count = 0;\nexport const next = () => ++count;\n'],
    ['src/a.mjs', 'export const home = process.env.HOME;\n'],
    ['src/a.mjs', 'export const hello = `hello ${name}`;\n'],
    ['src/a.mjs', "import { a } from './a.mjs';\nexport const b = a + 1;\n"],
    ['src/a.mjs', "export function hello() {\n  console.log('hello');\n}\n"],
    ['src/a.mjs', '// nothing\n'],
    ['src/a.mjs', "export { b } from './b.mjs';\n"],
    ['a.py', 'def total(a, b):\n    return a + b\n'],
    ['a.py', 'import os\n\nHOME = os.environ["HOME"]\n'],
    ['a.py', 'NAME = f"{1 + 1}"\n'],
    ['a.py', 'class Status:\n    done = "done"\n'],
    ['a.go', 'package a\n\nconst Status = "done"\n'],
  ])(
    'A module that does something, or may do so, does not count as constants only: %s, %s [X7]',
    (path, text) => {
      expect(holdsOnlyConstants(path, text)).toBe(false);
    },
  );
});
