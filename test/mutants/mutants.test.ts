// Plants no fault: it only checks that each fault of the list still applies to the sources.
import { expect, test } from 'vitest';
import { testTitles } from '../docs/behaviours.ts';
import { repositoryFiles } from '../tidy/repository.ts';
import type { SourceFile } from '../tidy/source-file.ts';
import type { Fault } from './fault.ts';
import { faults } from './faults.ts';
import { plantFault } from './plant-fault.ts';

const files = repositoryFiles();
const titles = new Map<string, readonly string[]>();

/** Of the file itself, and of the contract suites that it calls. */
function titlesIn(path: string): readonly string[] {
  const file = files.find((one) => one.path === path);
  if (file === undefined) return [];
  const known = titles.get(path) ?? [
    ...testTitles(file),
    ...[...file.text.matchAll(/#(testing\/contracts\/[\w-]+\.ts)/g)].flatMap(([, name]) =>
      titlesIn(`src/${name}`),
    ),
  ];
  titles.set(path, known);
  return known;
}

test('Every fault of the mutants still applies to the sources', () => {
  const lost = faults.flatMap((fault) => {
    const planted = plantFault(fault, files);
    return 'lost' in planted ? [`fault ${fault.id} is lost: ${planted.lost}`] : [];
  });
  expect(lost).toEqual([]);
});

test('Every fault of the mutants names a test that exists', () => {
  const missing = faults.flatMap(({ id, test: { file, title } }) =>
    titlesIn(file).includes(title) ? [] : [`fault ${id}: ${file} has no test "${title}"`],
  );
  expect(missing).toEqual([]);
});

test('The mutants are at least 80 faults, each with its own id and place', () => {
  expect(faults.length).toBeGreaterThanOrEqual(80);
  expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
  expect(
    new Set(faults.map(({ symbol, find, replace }) => JSON.stringify([symbol, find, replace]))).size,
  ).toBe(faults.length);
});

const sample: Fault = {
  id: 'sample',
  breaks: 'Nothing.',
  file: 'src/kernel/old-place.ts',
  symbol: 'isGood',
  find: 'n > 1',
  replace: 'n > 0',
  test: { file: 'src/kernel/x.test.ts', title: 'x' },
};
const source = (path: string, text: string): SourceFile => ({ path, text });
const body = 'export function isGood(n: number): boolean {\n  return n > 1;\n}\n';

test('A fault moves with its symbol to another file', () => {
  const planted = plantFault(sample, [source('src/policies/new-place.ts', `const a = 'n > 1';\n${body}`)]);
  expect(planted).toEqual({
    path: 'src/policies/new-place.ts',
    text: `const a = 'n > 1';\n${body.replace('n > 1', 'n > 0')}`,
  });
});

test.each([
  [
    'the symbol is gone',
    [source('src/kernel/old-place.ts', 'export const isBad = 1;')],
    /no source has isGood/,
  ],
  [
    'the symbol is in two files',
    [source('src/a.ts', body), source('src/b.ts', body)],
    /src\/a\.ts and src\/b\.ts/,
  ],
  ['the text is gone', [source('src/a.ts', body.replace('>', '<'))], /0 times/],
  ['the text is there twice', [source('src/a.ts', body.replace('n > 1', 'n > 1 && n > 1'))], /2 times/],
])('A fault is lost when %s', (_, sources, why) => {
  expect(plantFault(sample, sources)).toEqual({ lost: expect.stringMatching(why) as string });
});

test('A fault that does not parse is lost', () => {
  const planted = plantFault({ ...sample, replace: 'n >' }, [source('src/a.ts', body)]);
  expect(planted).toEqual({ lost: expect.stringMatching(/does not parse/) as string });
});
