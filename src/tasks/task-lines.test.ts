import { expect, test } from 'vitest';
import { linesOf } from './task-lines.ts';

/** What a reader of tasks sees of each line: a heading by its level, code, or the text. */
function seen(text: string): string[] {
  return linesOf(text).lines.map(({ text: words, isCode, heading }) =>
    heading !== null ? `h${heading.level} ${heading.text}` : isCode ? 'code' : words,
  );
}

test.each([
  ['a rule below a field', '**Priority**: High\n---', ['**Priority**: High', '---']],
  ['a task inside of <details>', '<details>\n## Task 1: A', ['<details>', 'h2 Task 1: A']],
  ['a closing fence indented by four', '```\nx\n    ```\n## A', ['code', 'code', 'code', 'h2 A']],
  ['a fence that closes outside of its point', '- ```\nx\n```\n## A', ['code', 'code', 'code', 'h2 A']],
  ['a heading in a quote', '> ## Task 2: B', ['> ## Task 2: B']],
])('The lines of a task file are read as users mean them, unlike in CommonMark: %s', (_, text, lines) => {
  expect(seen(text)).toEqual(lines);
  expect(linesOf(text).unclosed).toBeNull();
});

test('A comment that is never closed is found inside a paragraph too', () => {
  expect(linesOf('a <!-- b\n\n## Task 2: B').unclosed).toEqual({ line: 1, what: 'comment' });
});
