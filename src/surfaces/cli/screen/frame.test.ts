import { expect, it } from 'vitest';
import { createFrame } from './frame.ts';

const line = (plain: string) => ({ plain, painted: plain });
const rowsErased = (text: string): number => text.split('\u001B[2K').length - 1;

it('A frame erases exactly what it drew, and leaves the cursor where it began', () => {
  const frame = createFrame();
  const size = { columns: 80, rows: 24 };
  expect(frame.erase(size)).toBe('');
  expect(frame.draw([line('one'), line('two'), line('> ')], size)).toBe('one\ntwo\n> ');
  expect(frame.draw([line('1'), line('> ')], size)).toBe(
    '\r\u001B[2K\u001B[A\u001B[2K\u001B[A\u001B[2K1\n> ',
  );
  expect(frame.erase(size)).toBe('\r\u001B[2K\u001B[A\u001B[2K');
  expect(frame.erase(size)).toBe('');
});

it('A frame counts the rows into which a narrower terminal broke its lines, wide characters included [B9]', () => {
  const frame = createFrame();
  frame.draw([line('x'.repeat(70)), line('手'.repeat(10)), line('> ')], { columns: 80, rows: 24 });
  // 70 = 33 + 33 + 4; of the wide ones sixteen fit into 33 columns.
  expect(rowsErased(frame.erase({ columns: 33, rows: 24 }))).toBe(3 + 1 + 1);
  frame.draw([line('手'.repeat(10)), line('> ')], { columns: 80, rows: 24 });
  expect(rowsErased(frame.erase({ columns: 7, rows: 24 }))).toBe(4 + 1);
});

it('Rows that a small window pushed out are erased when a larger one brings them back', () => {
  const frame = createFrame();
  const lines = Array.from({ length: 10 }, (_, index) => line(String(index)));
  frame.draw(lines, { columns: 80, rows: 24 });
  expect(rowsErased(frame.draw([line('> ')], { columns: 80, rows: 4 }))).toBe(10);
  // Six went out. Two came back, then the other four, and after that nothing of ours is there.
  expect(rowsErased(frame.draw([line('> ')], { columns: 80, rows: 6 }))).toBe(1 + 2);
  expect(rowsErased(frame.draw([line('> ')], { columns: 80, rows: 24 }))).toBe(1 + 4);
  expect(rowsErased(frame.draw([line('> ')], { columns: 80, rows: 50 }))).toBe(1);
});

it('A frame that was forgotten is not erased', () => {
  const frame = createFrame();
  frame.draw([line('one'), line('> ')], { columns: 80, rows: 24 });
  frame.forget();
  expect(frame.erase({ columns: 80, rows: 24 })).toBe('');
});
