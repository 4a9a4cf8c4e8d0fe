import { describe, expect, it } from 'vitest';
import { keepsItsTests } from './inline-test-parts.ts';

const python = (form: string, test = 'self.assertEqual(add(3, 4), 7)', more = ''): string =>
  `import unittest\n\n\ndef add(a, b):\n    return ${form}\n\n\nclass AddTest(unittest.TestCase):\n    def test_add(self):\n        ${test}\n${more}`;
const pytest = (form: string, test = 'add(3, 4) == 7'): string =>
  `import pytest\n\n\ndef add(a, b):\n    return ${form}\n\n\n@pytest.mark.slow\ndef test_add():\n    assert ${test}\n`;
const vitest = (form: string, test = 'add(3, 4)).toBe(7)'): string =>
  `export const add = (a, b) => ${form};\n\nif (import.meta.vitest) {\n  const { it, expect } = import.meta.vitest;\n  it('adds', () => {\n    expect(${test};\n  });\n}\n`;

describe('A product file with its own tests [X8]', () => {
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
  ])('is product where only the product in it changed: %s', (_, path, before, after) => {
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
  ])('is test material else: %s', (_, path, before, after) => {
    expect(keepsItsTests(path, before, after)).toBe(false);
  });

  it('is not known as one before it was there', () => {
    expect(keepsItsTests('calc/add.py', null, python('a + b'))).toBe(false);
  });
});
