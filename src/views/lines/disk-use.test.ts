import { expect, it } from 'vitest';
import { diskText, sizeText } from './disk-use.ts';

it('Sizes are short, and none is rounded to nothing', () => {
  expect([0, 999, 1000, 1_499_999, 129_000_000, 3_250_000_000].map(sizeText)).toEqual([
    '0 B',
    '999 B',
    '1 kB',
    '1.5 MB',
    '129.0 MB',
    '3.3 GB',
  ]);
});

it('The disk use names the command that frees it only when it is large', () => {
  const little = { state: 1_000_000, worktrees: 0, caches: 2_000_000, total: 3_000_000 };
  expect(diskText(little)).toBe(
    'runs of this repository use 3.0 MB: state and logs 1.0 MB, worktrees 0 B, caches 2.0 MB',
  );
  expect(diskText({ ...little, worktrees: 600_000_000, total: 603_000_000 })).toContain(
    '; see what can go: untildone clean --dry-run',
  );
});
