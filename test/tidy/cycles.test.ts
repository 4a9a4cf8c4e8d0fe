import { expect, test } from 'vitest';
import { noCycles } from './cycles.ts';

const problems = (texts: { readonly [path: string]: string }): readonly string[] =>
  noCycles(Object.entries(texts).map(([path, text]) => ({ path, text })));

test.each([
  ["import { b } from './b.ts';", "import { a } from './a.ts';"],
  ["import { b } from '#app/b.ts';", "const late = () => import('#app/a.ts');"],
  ["export { b } from './b.ts';", "import './a.ts';"],
  ["import { b } from './b.ts';", 'const late = () => import(`#app/a.ts`);'],
  ["import { type B, b } from './b.ts';", "export * from './a.ts';"],
])('The rule against cycles rejects two files that import each other: %s and %s', (a, b) => {
  expect(problems({ 'src/app/a.ts': a, 'src/app/b.ts': b })).toHaveLength(1);
});

test('The rule against cycles rejects a cycle of three folders once, and names every file of it', () => {
  const found = problems({
    'src/app/a.ts': "import '#app/run/b.ts';",
    'src/app/run/b.ts': "await import('#app/land/c.ts');",
    'src/app/land/c.ts': "import '#app/a.ts';",
    'src/app/outside.ts': "import './a.ts';",
  });
  expect(found).toHaveLength(1);
  expect(found[0]).toContain('src/app/a.ts ⇄ src/app/land/c.ts ⇄ src/app/run/b.ts');
});

test.each([
  "await import(pathToFileURL(entryOf('mcp')).href);",
  'await import(pathToFileURL(entryOf(name)).href);',
])('The rule against cycles rejects a cycle through the URL of a program: %s', (text) => {
  expect(
    problems({ 'src/app/a.ts': text, 'src/surfaces/mcp/main.ts': "import { a } from '#app/a.ts';" }),
  ).toHaveLength(1);
});

test('The rule against cycles rejects a file that imports itself', () => {
  expect(problems({ 'src/app/a.ts': "const late = () => import('./a.ts');" })).toHaveLength(1);
});

test.each([
  ["import type { B } from './b.ts';", "import { a } from './a.ts';"],
  ["type B = import('./b.ts').B;", "import { a } from './a.ts';"],
  ["import { b } from './b.ts';", "export const entry = entryOf('mcp');"],
  ["import { b } from './b.ts';", "import { c } from './a.test.ts';"],
])('The rule against cycles allows %s beside %s', (a, b) => {
  expect(problems({ 'src/app/a.ts': a, 'src/app/b.ts': b })).toEqual([]);
});
