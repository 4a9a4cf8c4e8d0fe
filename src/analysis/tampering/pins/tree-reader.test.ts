import { expect, test } from 'vitest';
import { treeChanges } from './tree-reader.ts';

test('The changes of a tree are the deleted, changed and added paths, for each pair of trees [X8]', () => {
  const base = new Map([
    ['a', '1'],
    ['b', '1'],
    ['d', '1'],
  ]);
  const now = new Map([
    ['a', '2'],
    ['c', '1'],
    ['d', '1'],
  ]);
  expect(treeChanges({ base, now })).toEqual({ all: ['a', 'b', 'c'], present: ['a', 'c'], added: ['c'] });
  expect(treeChanges({ base: now, now: base })).toEqual({
    all: ['a', 'c', 'b'],
    present: ['a', 'b'],
    added: ['b'],
  });
  expect(treeChanges({ base, now: new Map(base) }).all).toEqual([]);
});
