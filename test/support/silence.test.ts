import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onSilence } from './silence.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('A program with occasional activity never counts as silent, however long it takes', () => {
  let size = 0;
  const act = vi.fn<() => void>();
  const stop = onSilence(() => size, act);
  for (let minute = 0; minute < 60; minute += 4) {
    vi.advanceTimersByTime(4 * 60_000);
    size += 1;
  }
  expect(act).not.toHaveBeenCalled();
  stop();
  vi.advanceTimersByTime(3_600_000);
  expect(act).not.toHaveBeenCalled();
});

test('A program without activity for five minutes is noticed once', () => {
  const act = vi.fn<() => void>();
  onSilence(() => 'the same', act);
  vi.advanceTimersByTime(299_000);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(3_600_000);
  expect(act).toHaveBeenCalledTimes(1);
});
