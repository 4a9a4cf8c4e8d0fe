import { expect, it } from 'vitest';
import { breakChangedFunctions } from './break-changed-functions.ts';

it.each([
  [
    'a.mjs',
    'function a(x) {\n  return x;\n}\nfunction b(x) {\n  return x;\n}\n',
    'function a(x) {\n  return x;\n}\nfunction b(x) {\n  return x + 1;\n}\n',
    'function a(x) {\n  return x;\n}\nfunction b(x) { return undefined;\n  return x + 1;\n}\n',
  ],
  [
    'a.mjs',
    'const run = () => {\n  const f = (x) => x;\n  return f(1);\n};\n',
    'const run = () => {\n  const f = (x) => x * 2;\n  return f(1);\n};\n',
    'const run = () => {\n  const f = (x) => true ? undefined : x * 2;\n  return f(1);\n};\n',
  ],
  [
    'a.mjs',
    'const run = () => {\n  const f = (x) => x;\n  return f(1);\n};\n',
    'const run = () => {\n  const f = (x) => x;\n  return f(2);\n};\n',
    'const run = () => { return undefined;\n  const f = (x) => x;\n  return f(2);\n};\n',
  ],
  [
    'a.py',
    'def a(x):\n    return x\n\n\ndef b(x):\n    return x\n',
    'def a(x):\n    return x\n\n\ndef b(x):\n    return x * 2\n',
    'def a(x):\n    return x\n\n\ndef b(x):\n    return\n    return x * 2\n',
  ],
  [
    'a.go',
    'func a() int {\n\treturn 1\n}\nfunc b() int {\n\treturn 1\n}\n',
    'func a() int {\n\treturn 2\n}\nfunc b() int {\n\treturn 1\n}\n',
    'func a() int { return *new(int);\n\treturn 2\n}\nfunc b() int {\n\treturn 1\n}\n',
  ],
  ['a.mjs', 'const a = 1;\n', '// Better.\nconst a = 1;\nconst b = 2;\n', null],
  ['a.mjs', 'function a() {\n  return 1;\n}\n', 'function a() {\n  // One.\n  return 1;\n}\n', null],
])('In %s only the functions that changed are broken [X7]', (path, before, after, broken) => {
  expect(breakChangedFunctions(path, before, after)).toBe(broken ?? after);
});
