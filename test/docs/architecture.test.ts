// ARCHITECTURE.md: one page, one row per folder, and the same import law as the tidy rule.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adapterOrder, mayImport } from '../tidy/import-law.ts';
import { root } from '../tidy/repository.ts';

const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
const linesMax = 120;

function printedLaw(): string {
  const layers = Object.entries(mayImport).filter(([layer]) => layer !== 'index' && layer !== 'testing');
  const rows = layers.map(([layer, imports]) => `${layer.padEnd(9)} → ${imports.join(', ') || 'nothing'}`);
  const order = adapterOrder.map((row) => row.join(', ')).join(' ← ');
  return ['```', ...rows, `between adapters: ${order}`, '```'].join('\n');
}

const foldersIn = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'fixtures')
    .map((entry) => entry.name);

const rowOf = (folder: string): string | undefined =>
  page.split('\n').find((line) => line.startsWith(`| \`${folder}/\` |`));

test('ARCHITECTURE.md prints the import law of the tidy rule', () => {
  expect(page).toContain(printedLaw());
});

test('ARCHITECTURE.md has one row for each source folder, and the row names its subfolders', () => {
  expect(foldersIn('src').filter((folder) => rowOf(folder) === undefined)).toEqual([]);
  const unnamed = foldersIn('src').flatMap((folder) =>
    foldersIn(`src/${folder}`)
      .filter((below) => !new RegExp(`\`${below}\``).test(rowOf(folder) ?? ''))
      .map((below) => `${folder}/${below}`),
  );
  expect(unnamed).toEqual([]);
});

test('ARCHITECTURE.md is one page, and every path that it names exists', () => {
  expect(page.split('\n').length).toBeLessThanOrEqual(linesMax);
  const paths = [...page.matchAll(/`([a-z][\w-]*(?:\/[\w.-]+)+\/?)`/g)].flatMap((match) => match[1] ?? []);
  expect(paths.length).toBeGreaterThan(20);
  const isThere = (path: string): boolean =>
    [path, `src/${path}`, `src/${path}.ts`].some((one) => existsSync(join(root, one)));
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
});

const readingLinesMax = 2000;

test('The reading order of ARCHITECTURE.md names existing files with at most 2,000 lines together', () => {
  const order = page.split('## Reading order')[1]?.split('\n\n')[1] ?? '';
  expect(order).toContain('this page');
  const named = [...order.matchAll(/`([^`]+)`/g)].flatMap(([, path]) => path ?? []);
  const files = named.map((path) => (path.endsWith('.md') ? path : `src/${path}.ts`));
  const texts = ['ARCHITECTURE.md', ...files].map((path) => readFileSync(join(root, path), 'utf8'));
  expect(texts).toHaveLength(15);
  const lines = texts.map((text) => text.trimEnd().split('\n').length);
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(readingLinesMax);
});
