import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SymbolCheck } from '#kernel/model/check.ts';
import type { Finding } from '#ports/checker.ts';
import { checksBed, type ChecksBed } from '#test/checkers/checks-bed.ts';

let bed: ChecksBed;
beforeEach(() => {
  bed = checksBed();
  bed.write(
    'src/parse.ts',
    '// function ghost() {}\nexport function parse() { return "function spook() {}"; }\n',
  );
  bed.write('src/use.ts', "import { parse } from './parse.ts';\nimport { idle } from './x.ts';\nparse();\n");
  bed.write('app/[id]/page.tsx', 'export default function Page() { return <p/>; }\n');
  bed.write('node_modules/x/index.js', 'export function foreign() {}\n');
  bed.write('dist/made.js', 'export function made() {}\n');
});
afterEach(() => bed.dispose());

const symbol = (name: string, what: SymbolCheck['what'], file: string | null = null): Promise<Finding> =>
  bed.check({ kind: 'symbol', name, what, file });

describe('a symbol check', () => {
  it.each([
    ['parse', 'function', 'src/parse.ts', 'pass'],
    ['parse', 'export', null, 'pass'],
    ['parse', 'class', null, 'fail'],
    ['parse', 'function', 'src/use.ts', 'fail'],
    ['parse', 'use', 'src/use.ts', 'pass'],
    ['idle', 'use', 'src/use.ts', 'fail'],
    ['ghost', 'function', null, 'fail'],
    ['spook', 'any', 'src', 'fail'],
    ['Page', 'component', 'app/[id]/page.tsx', 'pass'],
    ['parse', 'function', 'src/**/*.ts', 'pass'],
    ['parse', 'function', 'lib/**/*.ts', 'fail'],
    ['foreign', 'function', null, 'fail'],
    ['foreign', 'function', '**/*.js', 'fail'],
    ['made', 'function', null, 'fail'],
    ['made', 'function', 'dist/**', 'pass'],
    ['parse', 'function', 'src/missing.ts', 'fail'],
  ] as const)('The symbol %s as %s in %s is judged as: %s [K6]', async (name, what, file, verdict) => {
    expect(await symbol(name, what, file)).toMatchObject({ verdict, ending: null });
  });

  it('A symbol check says where the symbol is, and where it is not [K6]', async () => {
    expect((await symbol('parse', 'function')).reason).toBe('function parse is at src/parse.ts:2');
    expect((await symbol('ghost', 'function', 'src/parse.ts')).reason).toBe(
      'src/parse.ts has no function ghost',
    );
    expect((await symbol('parse', 'any', 'src/missing.ts')).reason).toBe('src/missing.ts does not exist');
  });

  it('A symbol check does not accept an unreachable definition, and says where it is [K6]', async () => {
    bed.write('src/dead.ts', 'export const a = 1;\nif (false) {\n  function buried() {}\n}\n');
    const { verdict, reason } = await symbol('buried', 'function', 'src/dead.ts');
    expect(verdict).toBe('fail');
    expect(reason).toContain('the one in line 3 is never run or named');
  });

  it('A symbol check accepts no definition from a file that does not parse', async () => {
    bed.write('src/half.ts', 'export function half( {{{\n');
    expect((await symbol('half', 'function', 'src/half.ts')).verdict).not.toBe('pass');
  });

  it('A symbol check follows no link, and says when it cannot read a language', async () => {
    bed.write('../outside.ts', 'export function outside() {}\n');
    symlinkSync('../../outside.ts', join(bed.home, 'src/linked.ts'));
    expect(await symbol('outside', 'function')).toMatchObject({ verdict: 'fail' });
    expect(await symbol('outside', 'function', 'src/linked.ts')).toMatchObject({ verdict: 'fail' });
    bed.write('src/a.zig', 'fn parse() void {}\n');
    expect(await symbol('parse', 'function', 'src/a.zig')).toMatchObject({ verdict: 'unknown' });
  });
});
