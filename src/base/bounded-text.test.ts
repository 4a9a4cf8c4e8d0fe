import { expect, it } from 'vitest';
import { clipped } from './bounded-text.ts';

it.each([
  ['abcde', 5, 'abcde'],
  ['abcdef', 5, 'abcd…'],
  ['abc def', 5, 'abc…'],
  ['abc😀f', 5, 'abc…'],
  ['abc😀', 5, 'abc😀'],
])('The text %j, clipped to %i units, is %j: no half of a character is left', (text, max, shown) => {
  expect(clipped(text, max)).toBe(shown);
});
