import fc from 'fast-check';
import { expect, it } from 'vitest';
import { assertProperty, countReached } from '#test/assert-property.ts';
import { columnsOf, cutTo } from './width.ts';

it.each([
  ['letters and umlauts', 'Grüße', 5],
  ['a letter with a combining accent', 'e\u0301', 1],
  ['Chinese, Japanese and Korean', '手順書한', 8],
  ['full-width forms', 'Ａ！', 4],
  ['emoji', '✅❌⏳👋⚡', 10],
  ['a symbol that asks for its picture', '⚠\uFE0F', 2],
  ['arrows, marks and dots', '› ↑ ↓ · …', 9],
  ['a flag', '🇩🇪', 4],
])('A text has as many columns as a terminal gives it: %s', (_, text, columns) => {
  expect(columnsOf(text)).toBe(columns);
});

it('A text that fits stays whole, and one that does not ends in a mark [B9]', () => {
  expect(cutTo('abcde', 5)).toBe('abcde');
  expect(cutTo('abcdef', 5)).toBe('abcd…');
  expect(cutTo('手順書', 5)).toBe('手順…');
  expect(cutTo('手順書', 4)).toBe('手…');
  expect(cutTo('abc', 1)).toBe('…');
  expect(cutTo('abc', 0)).toBe('');
});

it('No text is wider than it was cut to, and it is cut no shorter than it must be', () => {
  const cut = countReached('a text that is cut', { floor: 0.2 });
  const wide = countReached('a text with wide characters', { floor: 0.2 });
  const character = fc.constantFrom('a', 'ü', '手', '✅', '👋', 'e\u0301', '\uFE0F', '\u200D', ' ');
  const text = fc.array(character, { maxLength: 40 }).map((all) => all.join(''));
  assertProperty(
    fc.property(text, fc.integer({ min: 0, max: 25 }), (whole, columns) => {
      const shown = cutTo(whole, columns);
      if (columnsOf(whole) > [...new Intl.Segmenter().segment(whole)].length) wide.mark();
      expect(columnsOf(shown)).toBeLessThanOrEqual(columns);
      const isCut = columnsOf(whole) > columns;
      if (isCut) cut.mark();
      // One column is lost at most beside the mark: half of a wide character.
      expect(columnsOf(shown)).toBeGreaterThanOrEqual(isCut ? columns - 1 : columnsOf(whole));
      expect(whole.startsWith(isCut ? shown.slice(0, -1) : shown)).toBe(true);
    }),
    { reaches: [cut, wide], numRuns: 300 },
  );
});
