import { describe, expect, it } from 'vitest';
import { isCode, isTestMaterial, type MaterialContext } from './test-material.ts';
import { breakCode } from '#analysis/calibration/mutate-code.ts';

const context: MaterialContext = {
  goal: 'raise data/limit.json',
  commands: ['npm test'],
  isAccepted: () => false,
  mayChange: () => false,
};
const isMaterial = (
  path: string,
  after = '',
  more: Partial<MaterialContext> & { before?: string } = {},
): boolean => isTestMaterial({ path, before: more.before ?? null, after }, { ...context, ...more });

describe('test material of a change [X8]', () => {
  it.each([
    'test/sum.test.mjs',
    'app/tests.py',
    'fixtures/sum.json',
    'cases/expected.txt',
    'Makefile',
    'vitest.config.ts',
    'data/golden/one.bin',
  ])('The file %s is test material by its name', (path) => {
    expect(isMaterial(path)).toBe(true);
  });

  it.each(['src/sum.mjs', 'README.md', 'src/commands/test.ts', 'data/limit.json', 'DONE.txt'])(
    'The file %s is not test material',
    (path) => {
      expect(isMaterial(path)).toBe(false);
    },
  );

  it('A file of any name that uses a test library is test material, and product code with its own tests is product', () => {
    expect(isMaterial('src/verify.mjs', "import { test } from 'node:test';\ntest('a', b);\n")).toBe(true);
    expect(isMaterial('src/lib.rs', '#[cfg(test)]\nmod tests {\n  #[test]\n  fn a() {}\n}\n')).toBe(false);
  });

  it('A changed file that loads a test library is test material, unless the goal asks for it or the package offers it', () => {
    const [path, before] = ['calc/plugin.py', 'import pytest\n'];
    const offering = (manifest: string, text: string) => ({ before, manifests: new Map([[manifest, text]]) });
    expect(isMaterial(path, before)).toBe(false);
    expect(isMaterial(path, `${before}x = 1\n`, { before })).toBe(true);
    expect(isMaterial(path, before, { before, goal: 'The plugin has a fixture.' })).toBe(false);
    expect(isMaterial(path, before, offering('pyproject.toml', 'calc = "calc.plugin"\n'))).toBe(false);
    expect(isMaterial(path, before, offering('pyproject.toml', 'addopts = "-p calc.plugin"\n'))).toBe(true);
    const script = "import chai from 'chai';\n";
    const exports = {
      before: script,
      manifests: new Map([['package.json', '{"exports":{"./a":"./src/a.js"}}']]),
    };
    expect(isMaterial('src/a.js', script, exports)).toBe(false);
    const scripts = {
      before: script,
      manifests: new Map([['package.json', '{"scripts":{"test":"node src/a.js"}}']]),
    };
    expect(isMaterial('src/a.js', script, scripts)).toBe(true);
    const tests = `${before}def test_a():\n    pass\n`;
    expect(isMaterial(path, tests, { before, goal: 'The plugin has a fixture.' })).toBe(true);
  });

  it('A manifest is test material only if what it runs changed', () => {
    const before = '{"scripts":{"test":"node --test"}}';
    expect(isMaterial('package.json', '{"scripts":{"test":"true"}}', { before })).toBe(true);
    const grown = '{"scripts":{"test":"node --test"},"dependencies":{"a":"1"}}';
    expect(isMaterial('package.json', grown, { before })).toBe(false);
  });

  it('A script that the check starts, and a file that make would find up to date, are test material', () => {
    expect(isMaterial('verify.sh', '', { commands: ['sh verify.sh'] })).toBe(true);
    expect(isMaterial('check', '', { commands: ['make check'] })).toBe(true);
    expect(isMaterial('cli.mjs', '', { commands: ['node cli.mjs'] })).toBe(false);
  });

  it('A folder that make has built from before is not test material', () => {
    const commands = ['make backend'];
    expect(isMaterial('backend/sum.mjs', '', { commands })).toBe(true);
    expect(isMaterial('backend/sum.mjs', '', { commands, isInRoot: () => true })).toBe(false);
  });

  it.each(['src/snapshot.mjs', 'lib/baseline.py', 'src/snapshots/restore.ts', 'src/contest_helpers.py'])(
    'The file %s is not test material: product code may have such names',
    (path) => {
      expect(isMaterial(path)).toBe(false);
    },
  );

  it.each(['fixtures/server.mjs', 'src/testHelpers.ts', 'lib/test_utils.py', 'src/appTestUtils.ts'])(
    'The file %s is test material',
    (path) => {
      expect(isMaterial(path)).toBe(true);
    },
  );

  it('Data that the goal names, and a change that a person accepted, are not test material', () => {
    expect(isMaterial('fixtures/a.json', '', { goal: 'change fixtures/a.json.' })).toBe(false);
    expect(isMaterial('test/a.test.mjs', '', { isAccepted: () => true })).toBe(false);
  });

  it('A test that may change is test material unless the goal names it, and no other file that may change is', () => {
    const mayChange = (): boolean => true;
    expect(isMaterial('test/a.test.mjs', '', { mayChange })).toBe(true);
    expect(isMaterial('test/a.test.mjs', '', { mayChange, goal: 'Mend test/a.test.mjs.' })).toBe(false);
    expect(isMaterial('fixtures/a.json', '', { mayChange })).toBe(false);
    expect(isMaterial('Makefile', '', { mayChange })).toBe(false);
  });
});

describe('broken code', () => {
  it('Broken code differs in numbers, operators and strings, and loads the same modules', () => {
    const text = "import { a } from './a.mjs';\nexport const f = (x) => x + 1 === 2 ? 'yes' : a; // 1\n";
    expect(breakCode('f.mjs', text).at(-1)).toBe(
      "import { a } from './a.mjs';\nexport const f = (x) => x - 2 !== 3 ? 'yesq' : a; // 1\n",
    );
    expect(breakCode('table.sql', 'drop table a;')).toEqual(['']);
    expect(breakCode('done.js', '// done\n')).toEqual([]);
    expect(isCode('notes.txt')).toBe(false);
  });

  it.each([
    ['a.mjs', 'const f = (x) => x.a;', 'const f = (x) => true ? undefined : x.a;'],
    ['a.ts', 'function f(x: A): B { x(); }', 'function f(x: A): B { return (undefined as never); x(); }'],
    [
      'a.mjs',
      'class A { get(x) { if (x) { y(); } } }',
      'class A { get(x) { return undefined; if (x) { y(); } } }',
    ],
    ['a.py', 'def f(x): return x\n', 'def f(x): return; return x\n'],
    [
      'a.py',
      'def f(\n    x,\n) -> int:\n    return x\n',
      'def f(\n    x,\n) -> int:\n    return\n    return x\n',
    ],
    ['a.rs', 'fn f(x: u8) -> u8 { x }', 'fn f(x: u8) -> u8 { panic!(); x }'],
    [
      'a.go',
      'func f(x int) int {\n\treturn x\n}\n',
      'func f(x int) int { return *new(int);\n\treturn x\n}\n',
    ],
    [
      'A.java',
      'int f(int x) { return x; }',
      'int f(int x) { if (true) throw new RuntimeException(); return x; }',
    ],
  ])('The first broken version has functions that do nothing: %s', (path, text, broken) => {
    expect(breakCode(path, text)[0]).toBe(broken);
  });
});
