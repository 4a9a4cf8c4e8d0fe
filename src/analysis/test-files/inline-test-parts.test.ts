import { describe, expect, it } from 'vitest';
import { withModules } from '#analysis/ecosystems/rust/inline-modules.ts';
import { keepsItsTests, separateModules as separateRust } from './inline-test-parts.ts';

const python = (form: string, test = 'self.assertEqual(add(3, 4), 7)', more = ''): string =>
  `import unittest\n\n\ndef add(a, b):\n    return ${form}\n\n\nclass AddTest(unittest.TestCase):\n    def test_add(self):\n        ${test}\n${more}`;
const pytest = (form: string, test = 'add(3, 4) == 7'): string =>
  `import pytest\n\n\ndef add(a, b):\n    return ${form}\n\n\n@pytest.mark.slow\ndef test_add():\n    assert ${test}\n`;
const vitest = (form: string, test = 'add(3, 4)).toBe(7)'): string =>
  `export const add = (a, b) => ${form};\n\nif (import.meta.vitest) {\n  const { it, expect } = import.meta.vitest;\n  it('adds', () => {\n    expect(${test};\n  });\n}\n`;

describe('product files with their own tests [X8]', () => {
  it.each([
    ['unittest', 'calc/add.py', python('0'), python('a + b')],
    ['pytest', 'calc/add.py', pytest('0'), pytest('a + b')],
    ['vitest', 'src/add.ts', vitest('0'), vitest('a + b')],
    [
      'one test more',
      'calc/add.py',
      python('0'),
      python('a + b', undefined, '\n\nclass MoreTest(unittest.TestCase):\n    pass\n'),
    ],
  ])('A file with its own tests is product if only its product changed: %s', (_, path, before, after) => {
    expect(keepsItsTests(path, before, after)).toBe(true);
  });

  it.each([
    ['an edited test of unittest', 'calc/add.py', python('0'), python('0', 'pass')],
    ['an edited test of pytest', 'calc/add.py', pytest('0'), pytest('0', 'True')],
    ['a decorator', 'calc/add.py', pytest('0'), pytest('0').replace('slow', 'skip')],
    ['an edited test of vitest', 'src/add.ts', vitest('0'), vitest('0', '1).toBe(1)')],
    ['a removed test', 'calc/add.py', python('0'), 'def add(a, b):\n    return 0\n'],
    [
      'the same name once more',
      'calc/add.py',
      python('0'),
      python('0', undefined, '\n\nclass AddTest(unittest.TestCase):\n    pass\n'),
    ],
    ['a deleted name', 'calc/add.py', python('0'), python('0', undefined, '\n\ndel AddTest\n')],
    [
      'a hook',
      'calc/add.py',
      python('0'),
      python('0', undefined, '\n\ndef load_tests(*_):\n    return unittest.TestSuite()\n'),
    ],
    ['a file of tests only', 'calc/cases.py', pytest('0').replace(/def add[^@]*/, ''), pytest('0')],
    ['another language', 'src/A.java', 'a', 'b'],
  ])('A file with its own tests is test material otherwise: %s', (_, path, before, after) => {
    expect(keepsItsTests(path, before, after)).toBe(false);
  });

  it('A new file does not count as product with its own tests', () => {
    expect(keepsItsTests('calc/add.py', null, python('a + b'))).toBe(false);
  });
});

const gap = 'pub fn gap(a: i64, b: i64) -> i64 {\n    a - b\n}\n';
const tests =
  '#[cfg(test)]\n#[allow(unused)]\nmod tests {\n    use super::*;\n\n    #[test]\n    #[should_panic]\n    fn one() {\n        assert_eq!("}", "{");\n    }\n\n    #[tokio::test]\n    async fn two() {}\n\n    fn helper() {}\n}';

describe('test modules in a Rust file', () => {
  it('The test modules of a Rust file are separated from its product, at any place [X7]', () => {
    const parts = separateRust('src/lib.rs', `${tests}\n\n${gap}`);
    expect(parts).toEqual({
      product: `\n\n${gap}`,
      modules: [{ name: 'tests', text: tests, tests: ['one', 'two'] }],
    });
    expect(withModules(gap, parts?.modules ?? [])).toBe(`${gap}\n${tests}\n`);
    expect(separateRust('src/lib.rs', `${gap}#[cfg(test)]\nmod tests;\n`)?.modules).toEqual([]);
  });

  it.each([
    [
      'a helper of the tests in the product',
      `${gap}#[cfg(test)]\nfn truth() -> bool {\n    true\n}\n${tests}`,
    ],
    ['another product for tests', `${gap}#[cfg(any(test, fuzzing))]\nuse a::b;\n${tests}`],
    ['a test outside of a module', `${gap}#[test]\nfn three() {}\n${tests}`],
    ['a product that asks whether it is tested', `fn f() -> bool {\n    cfg!(test)\n}\n${tests}`],
    ['a module inside of another', `mod inner {\n${tests}\n}\n`],
    ['brackets that do not match', `${gap}}\n${tests}`],
  ])('Test modules are not separated: %s [X8]', (_, text) => {
    expect(separateRust('src/lib.rs', text)).toBeNull();
  });

  it('Test modules are separated only in Rust files', () => {
    expect(separateRust('src/lib.py', tests)).toBeNull();
  });
});
