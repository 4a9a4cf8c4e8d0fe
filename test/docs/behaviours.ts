// Every behaviour that Untildone promises, with the tests that show it: the page of `npm run behaviours`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tidy/repository.ts';
import { isTest, type Rule, type SourceFile, visit } from '../tidy/source-file.ts';

/** docs/spec-ids.json: a group's letter → its title and its behaviours. */
export type SpecIds = Readonly<
  Record<string, { readonly title: string; readonly behaviours: Readonly<Record<string, string>> }>
>;

export interface ShownBy {
  readonly title: string;
  readonly path: string;
}

export function readSpecIds(): SpecIds {
  // Our own file, and the tests of this folder read every part of it.
  return JSON.parse(readFileSync(join(root, 'docs/spec-ids.json'), 'utf8')) as SpecIds;
}

export function behavioursPage(spec: SpecIds, files: readonly SourceFile[]): string {
  const shown = showings(files);
  const ids = idsOf(spec);
  const missing = notShown(spec, files);
  return [
    '# Behaviours',
    '',
    'Every behaviour by its id, with the tests that show it. Made by `npm run behaviours`; do not edit.',
    '',
    `${ids.length - missing.length} of ${ids.length} are shown by a test.`,
    ...Object.entries(spec).flatMap(([letter, group]) => [
      '',
      `## ${letter}: ${group.title}`,
      '',
      ...Object.entries(group.behaviours).flatMap(([id, text]) => entry(id, text, shown.get(id) ?? [])),
    ]),
    '',
    '## Not yet shown',
    '',
    missing.length === 0 ? 'None.' : `${missing.join(', ')}.`,
    '',
  ].join('\n');
}

/** The behaviours that no test title names. */
export function notShown(spec: SpecIds, files: readonly SourceFile[]): string[] {
  const shown = showings(files);
  return idsOf(spec).filter((id) => !shown.has(id));
}

function idsOf(spec: SpecIds): string[] {
  return Object.values(spec).flatMap((group) => Object.keys(group.behaviours));
}

function entry(id: string, text: string, tests: readonly ShownBy[]): string[] {
  if (tests.length === 0) return [`- **${id}** ${text}: *not yet shown*`];
  return [`- **${id}** ${text}`, ...tests.map(({ title, path }) => `  - ${title} (\`${path}\`)`)];
}

/** Titles name ids that exist. */
export function unknownIds(spec: SpecIds): Rule {
  const known = new Set(idsOf(spec));
  return (files) =>
    [...showings(files)]
      .filter(([id]) => !known.has(id))
      .flatMap(([id, tests]) =>
        tests.map(({ title, path }) => `${path} names the unknown id ${id}: ${title}`),
      );
}

function showings(files: readonly SourceFile[]): Map<string, ShownBy[]> {
  const shown = new Map<string, ShownBy[]>();
  for (const file of files.filter((one) => isTest(one) && one.path.endsWith('.ts'))) {
    for (const title of testTitles(file)) {
      for (const id of idsIn(title)) shown.set(id, [...(shown.get(id) ?? []), { title, path: file.path }]);
    }
  }
  return shown;
}

/** `[B3]` or `[B3, X2]` → the ids. */
function idsIn(title: string): string[] {
  return [...title.matchAll(/\[([A-Z]\d+(?:, ?[A-Z]\d+)*)\]/g)].flatMap(([, ids]) =>
    (ids ?? '').split(/, ?/),
  );
}

/** The titles of `test`, `it` and `describe`, also behind `.each(…)`, `.skipIf(…)` and the like. */
export function testTitles(file: SourceFile): string[] {
  const titles: string[] = [];
  visit(file, {
    CallExpression: (node) => {
      const [title] = node.arguments;
      if (
        title === undefined ||
        !/^(test|it|describe)\b/.test(file.text.slice(node.callee.start, node.callee.end))
      ) {
        return;
      }
      if (title.type === 'Literal' && typeof title.value === 'string') titles.push(title.value);
      if (title.type === 'TemplateLiteral') titles.push(file.text.slice(title.start + 1, title.end - 1));
    },
  });
  return titles;
}
