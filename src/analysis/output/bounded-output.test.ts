import { expect, it } from 'vitest';
import { boundedOutput } from './bounded-output.ts';

it('An output of 50 MB takes no more room than its beginning and its end', () => {
  const output = boundedOutput(1000, 2000, '[…]');
  output.add('first\n');
  for (let piece = 0; piece < 50; piece += 1) output.add('x'.repeat(1_000_000));
  output.add('last\n');
  const text = output.text();
  expect(text).toHaveLength(3003);
  expect(text).toMatch(/^first\nx+\[…\]x+last\n$/);
});

it('An output that fits is whole and has no gap', () => {
  const output = boundedOutput(10, 10, '[…]');
  for (const piece of ['abc', 'def', 'ghi', 'jkl', 'mno', 'pqr', 'st']) output.add(piece);
  expect(output.text()).toBe('abcdefghijklmnopqrst');
});
