// The end of a log that is too long: what is kept of it, and how much is said to be missing.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { assertProperty, countReached } from '#test/assert-property.ts';
import { createLineTail, type TailLine } from './line-tail.ts';

const encoded = (line: TailLine): string => {
  let text = '';
  line.encode((bytes) => (text += bytes.toString('utf8')));
  return text;
};

it('The end of a long log is the lines that a whole log would end with, and the rest is counted [B9]', () => {
  const signs = fc.constantFrom(
    '\n',
    '"',
    '\\',
    '\0',
    '\u001f',
    'é',
    '漢',
    '🙂',
    '\ud83d',
    '\udc4d',
    '\ufeff',
    '\u2028',
  );
  const part = fc.oneof(
    signs,
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constant('a line\n'.repeat(40)),
  );
  const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
  const entry = fc.record({ isText: fc.boolean(), at: fc.nat(2 ** 42), text });
  const cut = countReached('a log that is cut', { floor: 0.3 });
  const lone = countReached('a text with half a character', { floor: 0.2 });
  const wide = countReached('a text that quoting makes longer than the limit', { floor: 0.01 });
  assertProperty(
    fc.property(
      fc.array(entry, { maxLength: 40 }),
      fc.integer({ min: 1, max: 2_000 }),
      (entries, bytesMax) => {
        const tail = createLineTail(bytesMax);
        const all: { readonly line: string; readonly length: number }[] = [];
        for (const { isText, at, text: words } of entries) {
          const line = `${JSON.stringify({ at, type: isText ? 'text' : 'notice', text: words })}\n`;
          if (isText) tail.addText(at, words);
          else tail.addLine(Buffer.from(line));
          const isWhole = words.isWellFormed();
          all.push({ line, length: Buffer.byteLength(isText && isWhole ? words : line) });
          if (!isWhole) lone.mark();
        }
        const { lines, dropped } = tail.take();
        const rest = all.slice(0, all.length - lines.length);
        expect(lines.map(encoded)).toEqual(all.slice(rest.length).map(({ line }) => line));
        expect(dropped).toBe(rest.reduce((sum, { length }) => sum + length, 0));
        const kept = lines.map((line) => Buffer.byteLength(encoded(line)));
        const keptBytes = kept.reduce((sum, one) => sum + one, 0);
        expect(keptBytes <= bytesMax || kept.length === 1).toBe(true);
        if (keptBytes > bytesMax) wide.mark();
        expect(lines.length > 0 || all.length === 0).toBe(true);
        if (rest.length > 0) cut.mark();
        expect(tail.take()).toEqual({ lines: [], dropped: 0 });
      },
    ),
    { numRuns: 150, reaches: [cut, lone, wide] },
  );
});

it('The end of a long log is at least half of its limit long, however large its pieces are', () => {
  for (const letter of ['x', '漢']) {
    const text = letter.repeat(64 * 1024);
    for (let pieces = 30; pieces < 45; pieces += 1) {
      const tail = createLineTail(1024 * 1024);
      for (let n = 0; n < pieces; n += 1) tail.addText(n, text);
      const bytes = tail.take().lines.reduce((sum, { length }) => sum + length, 0);
      expect(bytes).toBeGreaterThan(450_000);
    }
  }
});

it('Control characters do not make the end of a log longer than its limit', () => {
  const tail = createLineTail(10_000);
  for (let n = 0; n < 100; n += 1) tail.addText(n, '\u0001'.repeat(200));
  const { lines } = tail.take();
  expect(lines.map(encoded).join('').length).toBeLessThanOrEqual(10_000);
  expect(lines.length).toBeGreaterThan(5);
});
