import { expect, test } from 'vitest';
import { isTestMaterial } from './test-material.ts';

test.each([
  ['sitecustomize.py', true],
  ['tools/usercustomize.py', true],
  ['pytest.ini', true],
  ['src/customize.py', false],
])('The file %s, which a runner or Python itself loads, is test material: %s', (path, isMaterial) => {
  const file = { path, before: null, after: 'import calc\n' };
  const context = {
    goal: 'write add',
    commands: ['python3 -m pytest'],
    isAccepted: () => false,
    mayChange: () => false,
  };
  expect(isTestMaterial(file, context)).toBe(isMaterial);
});
