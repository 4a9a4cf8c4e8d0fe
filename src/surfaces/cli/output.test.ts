import { afterEach, expect, it, vi } from 'vitest';
import { print, printJson, printNote } from './output.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('Text printed for people cannot steer their terminal; output for programs is unchanged [X6]', () => {
  const out: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      out.push(String(text));
      return true;
    });
  print('a\u001B[2Jb\u001B]0;title\u0007c\nd\te');
  printNote('n\u009B31m');
  printJson('\u0085');
  expect(out).toEqual(['abc\nd\te\n', 'n31m\n', '"\u0085"\n']);
});
