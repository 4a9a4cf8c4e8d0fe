import { describe, expect, it } from 'vitest';
import { breakCode, returnDefaults } from './mutate-code.ts';

describe('broken functions in Rust', () => {
  it.each([
    ['fn f(x: u8) -> u8 { x }', 'fn f(x: u8) -> u8 { return Default::default(); x }'],
    [
      'fn f<T>(x: T) -> Vec<T> where T: Copy { g() }',
      'fn f<T>(x: T) -> Vec<T> where T: Copy { return Default::default(); g() }',
    ],
    ["fn f(x: &'a str) -> &'a str { x }", "fn f(x: &'a str) -> &'a str { return Default::default(); x }"],
    ['fn f() { g(); }', 'fn f() { return; g(); }'],
    ['fn f() -> Shape { g() }', 'fn f() -> Shape { panic!(); g() }'],
    ['fn f() -> Result<u8, E> { g() }', 'fn f() -> Result<u8, E> { panic!(); g() }'],
  ])(
    'A broken Rust function returns a default value if its type has one, and panics otherwise: %s [X8]',
    (text, broken) => {
      expect(returnDefaults('src/a.rs', text)).toBe(broken);
    },
  );

  it('Rust functions are broken only in Rust files', () => {
    expect(returnDefaults('a.go', 'fn f() { g(); }')).toBe('fn f() { g(); }');
  });
});

describe('files that only name other modules', () => {
  it.each([
    ['src/index.mjs', "export { a } from './a.mjs';\nexport * from './b.mjs';\n"],
    [
      'src/index.ts',
      "import type { A } from './a.ts';\nimport {\n  b,\n} from './b.ts';\n\nexport { b };\nexport type { A };\n",
    ],
    ['src/lib.rs', '//! Docs.\nmod parse;\npub mod loud;\npub use parse::{Pair, other::{A, B}};\n'],
    ['shop/__init__.py', 'from .price import price\nfrom .total import (\n    total,\n)\nimport os\n'],
  ])(
    'A file that only names other modules is not broken, because those modules are: %s [X7]',
    (path, text) => {
      expect(breakCode(path, text)).toEqual([]);
    },
  );

  it.each([
    ['src/a.mjs', 'export const b = a;\n'],
    ['src/a.mjs', 'export default a;\n'],
    ['src/lib.rs', 'mod parse;\npub struct A;\n'],
    ['a.py', 'from b import c\nd = c\n'],
  ])('A file that has more than names of modules is emptied: %s, %s [X8]', (path, text) => {
    expect(breakCode(path, text)).toEqual(['']);
  });
});
