import { expect, it } from 'vitest';
import { describeProcessEnding, describeSessionEnding } from './ending.ts';

it('A process that reached its limit is described with a readable time', () => {
  const after = (limit: 'wall' | 'idle', afterMs: number): string =>
    describeProcessEnding({ kind: 'timed-out', limit, afterMs });
  expect(after('wall', 200)).toBe('timed out after 200 ms');
  expect(after('wall', 3000)).toBe('timed out after 3 s');
  expect(after('wall', 90_000)).toBe('timed out after 90 s');
  expect(after('idle', 300_000)).toBe('silent for 5 min');
  expect(after('wall', 9_000_000)).toBe('timed out after 2.5 h');
});

it('A session that hung is described with the time and the setting that ended it', () => {
  expect(describeSessionEnding({ kind: 'timed-out', limit: 'idle', afterMs: 900_000 })).toBe(
    'fell silent: no output for 15 min (session.idleTimeout)',
  );
  expect(describeSessionEnding({ kind: 'timed-out', limit: 'wall', afterMs: 7_200_000 })).toBe(
    'ran out of time after 2 h (session.timeout)',
  );
});

it('A session of an older journal without the time is described without it', () => {
  expect(describeSessionEnding({ kind: 'timed-out', limit: 'idle' })).toBe('fell silent');
  expect(describeSessionEnding({ kind: 'timed-out', limit: 'wall' })).toBe('ran out of time');
});
