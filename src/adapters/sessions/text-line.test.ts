import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import wabt from 'wabt';
import { assertProperty, countReached } from '#test/assert-property.ts';
import { encodeTextLine, quoterBinary } from './text-line.ts';

function encoded(text: string): string {
  let line = '';
  encodeTextLine(7, text, (bytes) => {
    line = bytes.toString('utf8');
  });
  return line;
}

describe('a log line of text', () => {
  it('A log line is what JSON.stringify makes of it, for any text', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 100 }),
      fc.string({
        unit: fc.constantFrom('a', '"', '\\', '\n', '\t', '\u0000', '\u001f', 'é', '😀', '\ud800'),
        maxLength: 200,
      }),
    );
    const escaped = countReached('a character that JSON escapes', { floor: 0.15 });
    const wide = countReached('a character of several bytes', { floor: 0.2 });
    assertProperty(
      fc.property(anyText, (text) => {
        if (JSON.stringify(text).length > text.length + 2) escaped.mark();
        if (Buffer.byteLength(text) > text.length) wide.mark();
        expect(encoded(text)).toBe(`${JSON.stringify({ at: 7, type: 'text', text })}\n`);
      }),
      { numRuns: 500, reaches: [escaped, wide] },
    );
  });

  it('A log line accepts text of any length, also around the size of its memory', () => {
    for (const length of [0, 1, 15, 16, 17, 131_071, 131_072, 131_073, 1_000_000]) {
      const text = 'é"x\n'.repeat(Math.ceil(length / 4)).slice(0, length);
      expect(JSON.parse(encoded(text))).toEqual({ at: 7, type: 'text', text });
    }
  });

  it('The quoting code is compiled from the instructions in quote.wat', async () => {
    const source = readFileSync(new URL('./quote.wat', import.meta.url), 'utf8');
    const assembled = (await wabt()).parseWat('quote.wat', source, { simd: true });
    expect(Buffer.from(assembled.toBinary({}).buffer).toString('base64')).toBe(
      quoterBinary.toString('base64'),
    );
  });
});
