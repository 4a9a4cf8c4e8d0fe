import { expect, test } from 'vitest';
import { lockProblems } from '../../scripts/check-lock.mjs';

const complete = {
  packages: {
    '': {},
    'node_modules/rolldown': {
      optionalDependencies: { '@rolldown/binding-a': '1', '@rolldown/binding-b': '1' },
    },
    'node_modules/@rolldown/binding-a': {},
    'node_modules/rolldown/node_modules/@rolldown/binding-b': {},
    'node_modules/node': { optionalDependencies: { 'node-binary': '1' } },
  },
};

test('A lock with every optional package, nested or not, is complete, except `node`', () => {
  expect(lockProblems(complete)).toEqual([]);
});

test('An optional package that is not in the lock is named', () => {
  const { 'node_modules/@rolldown/binding-a': _, ...packages } = complete.packages;
  expect(lockProblems({ packages })).toEqual([
    'node_modules/rolldown may need @rolldown/binding-a, which is not in the lock',
  ]);
});

test('A registry address in the lock is a problem', () => {
  const packages = {
    ...complete.packages,
    'node_modules/zod': { resolved: 'https://registry.example/zod.tgz' },
  };
  expect(lockProblems({ packages })).toHaveLength(1);
});
