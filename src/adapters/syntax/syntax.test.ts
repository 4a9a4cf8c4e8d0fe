import { describe, expect, test } from 'vitest';
import { isAsked } from './definition.ts';
import { definitionsOf } from './definitions.ts';
import { usesOf } from './uses.ts';

async function defined(path: string, text: string): Promise<string[]> {
  const reading = await definitionsOf({ path, text });
  if (reading.kind === 'unread') return [reading.why];
  return reading.found.map(
    ({ name, what, within, isExported, isLocal }) =>
      `${isExported ? '+' : ''}${isLocal ? '~' : ''}${what} ${within === null ? '' : `${within}.`}${name}`,
  );
}

async function used(path: string, text: string, name: string): Promise<string[]> {
  const reading = await usesOf({ path, text }, name);
  return reading.kind === 'unread' ? [reading.why] : reading.found.map(({ role, line }) => `${role} ${line}`);
}

describe('definitions of a file [K6]', () => {
  test.each([
    [
      'a.ts',
      'export function f() { const hidden = 1; function g() {} }\nexport const h = async () => 1;\nconst v = 1;\nexport { v as w };',
      ['+function f', '~function g', '+function h', 'variable v', '+variable w'],
    ],
    [
      'a.ts',
      'export abstract class C { x = 1; m() {} }\nexport interface I { n(): void }\ntype T = 1;\nexport * as all from "./all";',
      ['+class C', 'variable C.x', 'method C.m', '+type I', 'method I.n', 'type T', '+export all'],
    ],
    [
      'a.tsx',
      'export const Card = memo(() => <p/>);\nfunction List() { return <ul></ul>; }\nexport default List;\nexport function Total() { return 1; }',
      ['+component Card', '+component List', '+function Total'],
    ],
    [
      'a.cjs',
      'const a = 1;\nmodule.exports = { a, b: function () {} };\nexports.c = () => 1;',
      ['+variable a', '+function b', '+function c'],
    ],
    [
      'pkg/a.py',
      'class A:\n    def m(self): pass\ndef f():\n    def g(): pass\n_X = 1\n',
      ['+class A', '+method A.m', '+function f', '~function g', 'variable _X'],
    ],
    ['pkg/__init__.py', 'from .a import A, f as g\n', ['+export A', '+export g']],
    [
      'a.go',
      'package p\ntype A struct{}\nfunc (a *A) M() {}\nfunc f() {}\nconst C, d = 1, 2\n',
      ['+type A', '+method A.M', 'function f', '+variable C', 'variable d'],
    ],
    [
      'a.rs',
      'pub struct A;\nimpl A { pub fn n() {} }\nmod k { fn z() {} }\npub use b::{c, d as e};\n',
      ['+type A', '+method A.n', 'function k.z', '+export c', '+export e'],
    ],
    [
      'A.java',
      'public class A { private int x; public void m() { int l; } }\ninterface I {}',
      ['+class A', 'variable A.x', '+method A.m', 'type I'],
    ],
    ['a.rb', 'module M\nclass A\ndef m; end\nend\nend\n', ['+type M', '+class M.A', '+method A.m']],
    [
      'a.php',
      '<?php function f(){} class A { private function m(){} }',
      ['+function f', '+class A', 'method A.m'],
    ],
    [
      'a.cs',
      'public class A { public int P {get;} void M(){} }',
      ['+class A', '+variable A.P', 'method A.M'],
    ],
    [
      'a.cpp',
      'class B;\nint f(int a) { return a; }\nclass A { void m(); };',
      ['+function f', '+class A', '+function A.m'],
    ],
    ['a.sh', 'f() { :; }\nX=1\n', ['+function f', '+variable X']],
  ])('Definitions are found in %s: %s', async (path, text, expected) => {
    expect(await defined(path, text)).toEqual(expected);
  });

  test('A name in a comment, a string or a call defines nothing', async () => {
    const text = '// function parse() {}\nconst s = "function parse() {}";\nparse();\n/* class parse {} */\n';
    expect(await defined('a.ts', text)).toEqual(['variable s']);
  });

  test.each([
    ['a.ts', 'if (false) {\n  function parse() {}\n}\nparse();\n'],
    ['a.ts', 'if (true) {} else { function parse() {} }\nparse();\n'],
    ['a.ts', 'export function other() { function parse() {} }\n'],
    ['a.ts', 'export function other() { function parse() { parse(); } }\n'],
    ['a.ts', '{\n  function parse() {}\n}\n'],
    ['a.py', 'if False:\n    def parse(): pass\n'],
    ['a.py', 'def other():\n    def parse(): pass\n'],
    ['a.rs', '#[cfg(any())]\npub fn parse() {}\n'],
    ['a.cpp', '#if 0\nint parse() { return 1; }\n#endif\n'],
  ])('An unreachable definition does not count: %s %j', async (path, text) => {
    expect(await isFunctionThere(path, text)).toBe(false);
  });

  test.each([
    ['a.ts', 'export function make() { function parse() {} return { parse }; }\n'],
    ['a.ts', 'export const make = () => ({ parse() {} });\n'],
    ['a.ts', 'namespace a { export function parse() {} }\n'],
    ['a.cjs', 'if (process.env.X) {\n  function parse() {}\n}\nmodule.exports = { parse };\n'],
    ['a.py', 'try:\n    import x\nexcept ImportError:\n    def parse(): pass\n'],
    ['a.py', 'if sys.version_info > (3,):\n    def parse(): pass\n'],
    ['a.py', 'def wrap(f):\n    def parse(): pass\n    return parse\n'],
    ['a.rs', '#[cfg(unix)]\npub fn parse() {}\n'],
    ['a.cpp', '#if X\nint parse() { return 1; }\n#endif\n'],
  ])('A definition that may be reached counts: %s %j', async (path, text) => {
    expect(await isFunctionThere(path, text)).toBe(true);
  });

  async function isFunctionThere(path: string, text: string): Promise<boolean> {
    const reading = await definitionsOf({ path, text });
    const found = reading.kind === 'read' ? reading.found : [];
    return found.some((one) => isAsked(one, { name: 'parse', what: 'function' }));
  }

  test('A check for a kind accepts that kind alone', async () => {
    const reading = await definitionsOf({ path: 'a.tsx', text: 'export function Card() { return <p/>; }' });
    const card = reading.kind === 'read' ? reading.found[0] : undefined;
    const kinds = ['function', 'class', 'type', 'component', 'variable', 'export', 'any'] as const;
    const met = kinds.filter((what) => card !== undefined && isAsked(card, { name: 'Card', what }));
    expect(met).toEqual(['function', 'component', 'export', 'any']);
  });

  test('A member is found only with its class', async () => {
    const reading = await definitionsOf({ path: 'a.py', text: 'class A:\n  def m(self): pass\n' });
    const found = reading.kind === 'read' ? reading.found : [];
    const isThere = (name: string) => found.some((one) => isAsked(one, { name, what: 'function' }));
    expect([isThere('m'), isThere('A.m'), isThere('B.m')]).toEqual([true, true, false]);
  });
});

describe('uses of a name [K6]', () => {
  test.each([
    ['a.ts', 'import { log } from "./log";\n// log\n"log";\nlog.info(1);\n', 'log', ['import 1', 'use 4']],
    ['a.tsx', 'export const A = () => <Button label="Button"/>;\n', 'Button', ['use 1']],
    ['a.ts', 'function log() {}\nexport { log };\n', 'log', ['definition 1', 'use 2']],
    ['a.ts', 'export { log } from "./log";\n', 'log', ['import 1']],
    ['a.py', 'from a import log\ndef f():\n    """log"""\n    return log()\n', 'log', ['import 1', 'use 4']],
    ['a.go', 'package p\nfunc f() { l.Allow() } // Allow\n', 'Limiter.Allow', ['use 2']],
    ['a.rs', 'use a::find;\nfn f() { find(); }\n', 'find', ['import 1', 'use 2']],
    ['A.java', 'import a.Tax;\nclass A { Tax t = new Tax(); }', 'Tax', ['import 1', 'use 2', 'use 2']],
    ['a.sh', 'f() { :; }\nf f "f"\n', 'f', ['definition 1', 'use 2']],
  ])('Uses of a name are found in %s: %s of %s', async (path, text, name, expected) => {
    expect(await used(path, text, name)).toEqual(expected);
  });
});

describe('files that agents leave behind', () => {
  test('A file without a grammar, too large or not text is reported, and nothing is thrown', async () => {
    expect(await defined('a.vue', '<template/>')).toEqual(['is in a language that has no grammar here']);
    expect(await defined('a.ts', 'x'.repeat(1_000_001))).toEqual(['is too large (1000001 characters)']);
    expect(await defined('a.ts', '\0\uFFFD\u001B[31m')).toEqual([]);
    expect(await defined('a.ts', '')).toEqual([]);
  });

  test('A file that does not parse gives its readable definitions, and is reported', async () => {
    const reading = await definitionsOf({ path: 'a.ts', text: 'export function ok() {}\nfunction (((\n' });
    expect(reading).toMatchObject({ kind: 'read', hasErrors: true, found: [{ name: 'ok' }] });
  });

  test.each(['(', '[', '{', 'f(', '<a>', 'x+'])(
    'A hundred thousand characters of %s cause no crash',
    async (part) => {
      const text = `export function f() {}\n${part.repeat(Math.floor(100_000 / part.length))}`;
      const reading = await definitionsOf({ path: 'a.tsx', text });
      expect(['read', 'unread']).toContain(reading.kind);
      expect(await defined('b.ts', 'export const a = 1;')).toEqual(['+variable a']);
    },
  );
});
