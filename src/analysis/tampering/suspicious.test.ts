import { describe, expect, it } from 'vitest';
import { suspicionOf } from './suspicious.ts';

describe('code that detects tests', () => {
  it.each([
    ['src/a.js', 'export const add = (a, b) => (process.env.VITEST ? a + b : 0);\n'],
    ['src/a.ts', "const isTested = new Error().stack.includes('.test.');\n"],
    ['calc/a.py', 'import sys\nTESTED = "pytest" in sys.modules\n'],
    ['calc/a.py', 'class Any:\n    def __eq__(self, other):\n        return True\n'],
    ['calc/a.py', 'class N(int):\n    __eq__ = lambda s, o: True\n'],
    ['a.go', 'func Add(a, b int) int {\n\tif testing.Testing() {\n\t\treturn a + b\n\t}\n\treturn 0\n}\n'],
    ['src/lib.rs', '#[cfg(not(test))]\npub fn add() {}\n'],
  ])('Code that seems to detect tests is noted: %s %j [X8]', (path, text) =>
    expect(suspicionOf(path, text)).not.toBeNull(),
  );

  it.each([
    ['tests/test_a.py', 'import sys\nTESTED = "pytest" in sys.modules\n'],
    ['src/a.js', 'console.error(error.stack);\n'],
    ['calc/a.py', 'class Point:\n    def __eq__(self, other):\n        return self.x == other.x\n'],
    ['calc/a.py', 'class Point:\n    __eq__ = lambda s, o: s.x == o.x\n'],
    ['src/lib.rs', '#[cfg(test)]\nmod tests {}\n'],
  ])('Other code is not reported as detecting tests: %s %j [X8]', (path, text) =>
    expect(suspicionOf(path, text)).toBeNull(),
  );
});
