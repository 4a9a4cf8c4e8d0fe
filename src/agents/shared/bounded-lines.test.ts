import fc from 'fast-check';
import { expect, it } from 'vitest';
import { assertProperty, countReached } from '#test/assert-property.ts';
import { createBoundedLines } from './bounded-lines.ts';
import type { Line } from './bounded-lines.ts';

async function split(chunks: readonly Buffer[], bytesMax?: number): Promise<Line[]> {
  const lines: Line[] = [];
  const splitter = createBoundedLines((line) => void lines.push(line), bytesMax);
  for (const chunk of chunks) await splitter.add(chunk);
  await splitter.end();
  return lines;
}

function cutAt(text: string, places: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const sorted = places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b);
  return [...sorted, bytes.length].map((end, index) =>
    bytes.subarray(index === 0 ? 0 : sorted[index - 1], end),
  );
}

it('Lines are the same however the bytes are split, and no character is split', async () => {
  const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/g, ''));
  const inside = countReached('a cut inside a character', { floor: 0.1 });
  const several = countReached('several lines in one piece', { floor: 0.1 });
  await assertProperty(
    fc.asyncProperty(fc.array(line), fc.array(fc.nat()), async (lines, places) => {
      const pieces = cutAt(lines.join('\n'), places);
      if (pieces.some((piece) => piece.toString().startsWith('\ufffd'))) inside.mark();
      if (pieces.some((piece) => piece.toString().split('\n').length > 2)) several.mark();
      const found = await split(pieces);
      expect(found).toEqual(lines.filter((one) => one !== '').map((text) => ({ text, cutBytes: 0 })));
    }),
    { reaches: [inside, several] },
  );
});

it('Both kinds of line ends, and a last line without one, are accepted', async () => {
  const found = await split([Buffer.from('a\r\nb\n\nc')]);
  expect(found.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
});

it('Only the head of a line that is too long is kept, with the size of the missing part', async () => {
  const chunks = Array.from({ length: 1_000 }, () => Buffer.alloc(20_000, 'x'));
  const found = await split([...chunks, Buffer.from('\nnext\n')]);
  expect(found).toEqual([
    { text: 'x'.repeat(4_096), cutBytes: 20_000_000 - 4_096 },
    { text: 'next', cutBytes: 0 },
  ]);
});

it('A line of exactly the limit is kept, and the memory of its chunks is released', async () => {
  const chunk = Buffer.from('x'.repeat(10));
  const lines: Line[] = [];
  const splitter = createBoundedLines((line) => void lines.push(line), 10);
  await splitter.add(chunk);
  chunk.fill('y');
  await splitter.add(Buffer.from('\n'));
  expect(lines).toEqual([{ text: 'x'.repeat(10), cutBytes: 0 }]);
});

it('Each line is awaited before the next one is delivered', async () => {
  const order: string[] = [];
  const splitter = createBoundedLines(async ({ text }) => {
    order.push(`${text} begins`);
    await Promise.resolve();
    order.push(`${text} ends`);
  });
  await splitter.add(Buffer.from('a\nb\n'));
  expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});
