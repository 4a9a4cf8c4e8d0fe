// The lint rules that the house style needs: each is in force, and rejects a sample.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from './repository.ts';

// Rule → a text that breaks it. Type-aware rules need whole, typed sentences.
const samples: Readonly<Record<string, string>> = {
  'eslint(eqeqeq)': 'export const a = (x: string, y: string) => x == y;',
  'eslint(max-params)': 'export const f = (a: 1, b: 2, c: 3, d: 4, e: 5) => [a, b, c, d, e];',
  'eslint(no-console)': 'console.log(1);',
  'eslint(prefer-const)': 'let a = 1;\nexport const b = a;',
  'import(no-default-export)': 'export default 1;',
  'typescript(ban-ts-comment)': '// @ts-ignore\nexport const a = 1;',
  'typescript(consistent-type-imports)':
    "import { Stats } from 'node:fs';\nexport const f = (s: Stats) => s;",
  'typescript(no-explicit-any)': 'export const f = (x: any) => String(x);',
  'typescript(no-floating-promises)': 'export function f(p: Promise<void>) {\n  p;\n}',
  'typescript(no-misused-promises)': 'export const f = (p: Promise<boolean>) => (p ? 1 : 2);',
  'typescript(no-namespace)': 'export declare namespace A {}',
  'typescript(no-non-null-assertion)': 'export const f = (x: string | null) => x!.length;',
  'typescript(no-require-imports)': "import fs = require('node:fs');\nexport const a = fs;",
  'typescript(no-unsafe-assignment)': "export const a: string = JSON.parse('1');",
  'typescript(no-unsafe-return)': "export const f = (): string => JSON.parse('1');",
  'typescript(only-throw-error)': "export function f() {\n  throw 'x';\n}",
  'typescript(switch-exhaustiveness-check)':
    "export function f(x: 'a' | 'b') {\n  switch (x) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n}",
};

const folder = mkdtempSync(join(tmpdir(), 'untildone-lint-'));
let reported: ReadonlyMap<string, readonly string[]> = new Map();

beforeAll(() => {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(compilerOptions()));
  for (const [rule, text] of Object.entries(samples)) write(fileOf(rule), text);
  write('cycle-a.ts', "import { b } from './cycle-b.ts';\nexport const a = (): number => b();");
  write('cycle-b.ts', "import { a } from './cycle-a.ts';\nexport const b = (): number => a();");
  write('tidy.ts', 'export const sum = (a: number, b: number): number => a + b;');
  reported = lint();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(Object.keys(samples))('The lint rule %s rejects its sample', (rule) => {
  expect(reported.get(fileOf(rule))).toContain(rule);
});

test('Modules that import each other are rejected', () => {
  expect(reported.get('cycle-a.ts')).toContain('import(no-cycle)');
});

test('A tidy file passes the linter', () => {
  expect(reported.get('tidy.ts')).toBeUndefined();
});

test('Enums do not compile, since Node can strip only erasable syntax', () => {
  write('enum.ts', 'export enum A { B }');
  const ended = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], {
    encoding: 'utf8',
  });
  expect(ended.stdout).toMatch(/enum\.ts.*erasableSyntaxOnly/);
});

function compilerOptions(): object {
  return {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { typeRoots: [join(root, 'node_modules/@types')] },
    include: ['*.ts'],
  };
}

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), `${text}\n`);
}

function fileOf(rule: string): string {
  return `${rule.replaceAll(/[()]/g, '-')}.ts`;
}

/** File → the rules that it breaks. */
function lint(): ReadonlyMap<string, readonly string[]> {
  const ended = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/oxlint/bin/oxlint'),
      '-c',
      join(root, '.oxlintrc.json'),
      '--type-aware',
      '-f',
      'json',
      folder,
    ],
    { encoding: 'utf8', cwd: folder },
  );
  const { diagnostics } = JSON.parse(ended.stdout) as { diagnostics: { code: string; filename: string }[] };
  const found = new Map<string, string[]>();
  for (const { code, filename } of diagnostics) {
    const file = basename(filename);
    found.set(file, [...(found.get(file) ?? []), code]);
  }
  return found;
}
