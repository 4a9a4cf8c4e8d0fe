import { expect, test } from 'vitest';
import { repositoryFiles } from '../tidy/repository.ts';
import { behavioursPage, notShown, readSpecIds, type SpecIds, unknownIds } from './behaviours.ts';

const spec: SpecIds = { B: { title: 'builder', behaviours: { B1: 'loops', B2: 'asks', B3: 'ends' } } };

function testFile(text: string): { path: string; text: string } {
  return { path: 'src/kernel/x.test.ts', text };
}

/** Not built yet: hybrid planning and parallel tasks. */
const notBuilt = ['H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'P1', 'P2', 'P3', 'P4', 'P5'];

test('A test shows every behaviour of docs/spec-ids.json, except those that are not built yet', () => {
  expect(notShown(readSpecIds(), repositoryFiles())).toEqual(notBuilt);
});

test('The page names the tests of each behaviour, and each behaviour without a test', () => {
  const page = behavioursPage(spec, [testFile("test('it loops [B1, B2]', () => {});")]);
  expect(page).toContain('- **B1** loops\n  - it loops [B1, B2] (`src/kernel/x.test.ts`)');
  expect(page).toContain('- **B3** ends: *not yet shown*');
  expect(page).toContain('2 of 3 are shown by a test.');
  expect(page).toContain('## Not yet shown\n\nB3.');
});

test.each([
  "describe('[B1] x', f);",
  "it('x [B1]', f);",
  "test.each([1, 2])('[B1] %s', f);",
  "test.skipIf(isWindows)('[B1] x', f);",
  'test(`[B1] ${name}`, f);',
])('A test title counts, however the test is written: %s', (text) => {
  expect(behavioursPage(spec, [testFile(text)])).toContain('1 of 3 are shown');
});

test.each(["test('a plain title', f);", "expect('[B1]');", "// test('[B1]')", "test('[b1] [1]', f);"])(
  'Text in a title that is not an id does not count: %s',
  (text) => {
    expect(behavioursPage(spec, [testFile(text)])).toContain('0 of 3 are shown');
  },
);

test('An id without a behaviour is a problem', () => {
  expect(unknownIds(spec)([testFile("test('[B9, B1] x', f);")])).toHaveLength(1);
  expect(unknownIds(spec)([testFile("test('[B1] x', f);")])).toEqual([]);
});
