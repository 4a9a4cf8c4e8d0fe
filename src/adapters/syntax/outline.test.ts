import { describe, expect, it } from 'vitest';
import { grammarOf } from '#analysis/repo-map/grammar-names.ts';
import { importsIn } from '#analysis/repo-map/imports.ts';
import { outlineOf, type Signature, wholeOutlineOf } from './outline.ts';
import { outlineSamples } from '#test/syntax/outline-samples.ts';
import { withoutBodies } from '#analysis/repo-map/without-bodies.ts';

async function outline(path: string, text: string): Promise<readonly Signature[]> {
  const { reading } = await outlineOf({ path, text });
  if (reading.kind === 'unread') throw new Error(reading.why);
  return reading.found;
}

function open(signatures: readonly Signature[]): string[] {
  return signatures.filter((one) => one.isPublic).map(({ depth, text }) => '  '.repeat(depth) + text);
}

describe('signatures of a file, without bodies [C2]', () => {
  it.each(outlineSamples)(
    'The signatures of $path are extracted',
    async ({ path, text, shown, imports, hidden }) => {
      const found = await outline(path, text);
      expect(open(found)).toEqual(shown);
      const grammar = grammarOf(path) ?? 'bash';
      const { imports: named } = importsIn(withoutBodies(text, grammar)?.code ?? text, grammar);
      expect(named).toEqual(imports);
      const all = found.map((one) => one.text).join('\n');
      for (const one of hidden) expect(all).toContain(one);
      expect(all).not.toMatch(/BODY/);
    },
  );

  it.each(outlineSamples)(
    'Emptying the bodies of $path first does not change its signatures',
    async ({ path, text }) => {
      const { reading: quick } = await outlineOf({ path, text });
      const whole = await wholeOutlineOf({ path, text });
      expect(quick).toMatchObject({ kind: 'read', hasErrors: false });
      expect(quick.kind === 'read' && quick.found).toEqual(whole.kind === 'read' && whole.found);
    },
  );

  it.each(outlineSamples)(
    'Windows line ends in $path do not change its signatures',
    async ({ path, text }) => {
      expect(open(await outline(path, text.replaceAll('\n', '\r\n')))).toEqual(
        open(await outline(path, text)),
      );
    },
  );
});

describe('emptied function bodies [C2]', () => {
  it.each([
    ['a string that does not end', 'typescript', "const a = 'it\nfunction f() {}\n"],
    ['braces that do not close', 'java', 'class A { void f() { if (x) { }\n'],
    ['a brace too much', 'go', 'package a\nfunc f() { } }\n'],
    ['a comment that does not end', 'rust', 'fn f() {} /* /* */'],
    ['branches of the preprocessor', 'cpp', '#if A\nint f() {\n#else\nint f(int a) {\n#endif\n}\n'],
    ['brackets that do not close', 'python', 'def f():\n  x = (1,\n'],
    ['a language of which nothing is known', 'ruby', 'def f\nend\n'],
  ] as const)('Bodies are not emptied where their limits are uncertain: %s', (_, grammar, text) => {
    expect(withoutBodies(text, grammar)).toBeNull();
  });

  it.each([
    ['typescript', 'const re = /[{"\'`]/;\nfunction f() { return `a${b ? `}` : "{"}`; }\n', 'return'],
    ['javascript', 'function f(a) { return a / 2 / 1; } // {\nfunction g() { BODY; }\n', 'BODY'],
    ['go', "package a\nfunc f() { x := '{'; y := `}` }\n", 'x :='],
    ['rust', "fn f<'a>(x: &'a str) { let c = '}'; let r = r#\"}\"#; }\n", 'let'],
    ['java', 'class A { String t = """\n } " {\n """; void f() { BODY(); } }', 'BODY'],
    ['c-sharp', 'class A { string p = @"c:\\"; void F() { BODY(); } }', 'BODY'],
    ['cpp', 'auto t = R"x(}{)x"; int n = 1\'000;\nint f() { BODY(); }\n', 'BODY'],
    ['python', 'class A:\n  def f(self):\n    """\nnot indented\n"""\n    BODY\n  x = 1\n', 'BODY'],
  ] as const)('Strings of %s hide no brace', (grammar, text, inside) => {
    expect(withoutBodies(text, grammar)).not.toBeNull();
    expect(withoutBodies(text, grammar)?.code).not.toContain(inside);
  });
});

describe('files made to break the parser [C2]', () => {
  it('A file that does not parse still shows the signatures that can be read', async () => {
    const found = await outline('a.ts', 'export function good(): void {}\n<<<<<<< HEAD\nclass {{{ ((\n');
    expect(open(found)).toContain('export function good(): void');
  });

  it.each([
    ['a.ts', '{'.repeat(50_000)],
    ['a.js', `x = ${'['.repeat(50_000)}${']'.repeat(50_000)};\nfunction after() {}`],
    ['a.py', `${'('.repeat(20_000)}`],
    ['a.rs', `${'mod a { '.repeat(3_000)}${'}'.repeat(3_000)}`],
    ['a.cs', `${'namespace A { '.repeat(3_000)}${'}'.repeat(3_000)}`],
    ['a.ts', `const a = ${'`${'.repeat(5_000)}`],
    ['a.php', '\0\u{FFFD}\u{FFFD}<?php class {'],
  ])('A deeply nested file %s causes no crash', async (path, text) => {
    const { reading } = await outlineOf({ path, text });
    expect(['read', 'unread']).toContain(reading.kind);
    // And the parser is still of use to the next file.
    expect(open(await outline('b.ts', 'export const a = 1;'))).toEqual(['export const a']);
  });

  it.each([
    ['typescript', 'import x\n'],
    ['javascript', 'export x\n'],
    ['python', 'from x import (\n'],
    ['go', 'import (\n'],
    ['rust', 'use x\n'],
    ['java', 'import x\n'],
    ['c-sharp', 'using x\n'],
    ['php', 'use x\n'],
    ['cpp', 'R"'],
    ['python', 'import x \\\n'],
  ] as const)('A %s file of many unfinished statements %j is read in linear time', (grammar, line) => {
    const text = line.repeat(Math.floor(900_000 / line.length));
    const { rest } = importsIn(withoutBodies(text, grammar)?.code ?? text, grammar);
    expect(rest.length).toBeLessThanOrEqual(text.length);
  });

  it('A long line is cut in the signatures', async () => {
    const [line = ''] = open(await outline('a.ts', `export type A = ${"'x' | ".repeat(500)}'y';`));
    expect(line.length).toBeLessThanOrEqual(120);
    expect(line).toMatch(/…$/);
  });
});
