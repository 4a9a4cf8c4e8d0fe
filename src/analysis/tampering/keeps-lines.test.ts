import { expect, it } from 'vitest';
import { keepsLines } from './keeps-lines.ts';

it.each([
  ['a\nb\n', 'a\nb\nc\n', true],
  ['a\nb\n', 'x\na\nx\nb\n', true],
  ['a\nb', 'a\nb\nc\n', true],
  ['a\na\n', 'a\n', false],
  ['a\nb\n', 'b\na\n', false],
  ['a\nb\n', 'a\nb // c\n', false],
  ['a\nb\n', 'a\r\nb\r\n', false],
])('Lines were only added from %j to %j: %s [X8]', (before, after, expected) => {
  expect(keepsLines(before, after)).toBe(expected);
});
