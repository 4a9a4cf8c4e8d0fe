import { expect, it } from 'vitest';
import type { Activity } from '#kernel/model/activity.ts';
import { activityWords, lasting, silence } from './activity.ts';

function said(activity: Activity): string {
  const { before, subject, after } = activityWords(activity);
  return before + subject + after;
}

it('An activity is named by its command, its repetition and its purpose [Q9]', () => {
  const check = { stepId: '0001', kind: 'check', command: 'npm test', run: 1, runsMax: 1 } as const;
  expect(said({ stepId: null, kind: 'setup', command: 'npm ci' })).toBe('installing dependencies: npm ci');
  expect(said(check)).toBe('running npm test');
  expect(said({ ...check, run: 2, runsMax: 3 })).toBe('running npm test again, 2 of at most 3');
  const trial = { stepId: '0001', kind: 'calibration', command: 'npm test' } as const;
  expect(said({ ...trial, trial: 'planted-failure' })).toBe('calibrating npm test: planting a failing test');
  expect(said({ ...trial, trial: 'base-recheck' })).toBe(
    'calibrating npm test: running it on the base again',
  );
  expect(said({ stepId: '0001', kind: 'blocker', command: 'make x' })).toBe(
    "trying a reviewer's blocker: make x",
  );
});

it('A duration has its two largest units', () => {
  expect([999, 9_000, 72_000, 185_000, 7_500_000].map(lasting)).toEqual([
    '0s',
    '9s',
    '1m 12s',
    '3m 05s',
    '2h 05m',
  ]);
});

it('A session that prints nothing for a while is said to be silent', () => {
  expect(silence(14_000, 0, 10_000)).toBe('');
  expect(silence(22_000, 0, 10_000)).toBe('last output 12s ago');
  expect(silence(4_000, 0, null)).toBe('');
  expect(silence(6_000, 0, null)).toBe('no output yet');
});
