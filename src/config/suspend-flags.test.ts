import { describe, expect, it } from 'vitest';
import { defaultSuspension } from '#kernel/waiting/suspension-settings.ts';
import { type Condition, conditionProblem } from '#kernel/waiting/condition.ts';
import { waitEndOf } from './resume-flags.ts';
import { readSuspendFlags, type SuspendFlags, toCondition, usualReason } from './suspend-flags.ts';

const now = Date.UTC(2026, 10, 17, 23);
const at = { now, cwd: '/home-of-ann/here' };

function conditionOf(flags: SuspendFlags): Condition {
  const isByAgent = (path: string): boolean => path.startsWith('/worktree/');
  return toCondition(readSuspendFlags(flags, at), defaultSuspension, { since: now, isByAgent });
}

describe('Flags of suspend', () => {
  const hourMs = 3_600_000;
  const polled = {
    kind: 'poll',
    command: 'true',
    everyMs: 60_000,
    timeoutMs: 60_000,
    until: now + 2 * hourMs,
  };

  it.each<[SuspendFlags, unknown]>([
    [{ time: '1h' }, { kind: 'time', at: now + hourMs }],
    [{ until: '2026-11-18T03:10Z' }, { kind: 'time', at: Date.UTC(2026, 10, 18, 3, 10) }],
    [{ until: '2026-11-18T03:10' }, { kind: 'time', at: new Date(2026, 10, 18, 3, 10).getTime() }],
    [{ poll: true, command: ['true'] }, polled],
    [{ command: ['true'] }, polled],
    [
      { command: ['true'], every: '30s', tries: '10', timeout: '5s' },
      { ...polled, everyMs: 30_000, timeoutMs: 5000, until: now + 300_000 },
    ],
    [{ file: ['../x'] }, { kind: 'file', path: '/home-of-ann/x' }],
    [
      { file: ['/worktree/x'], contains: 'ok' },
      { kind: 'file', path: '/worktree/x', contains: 'ok', isByAgent: true },
    ],
    [{ manual: true }, { kind: 'manual' }],
    [{ manual: true, all: true }, { kind: 'manual' }],
    [
      { manual: true, time: '1h', any: true },
      { kind: 'any', of: [{ kind: 'time', at: now + hourMs }, { kind: 'manual' }] },
    ],
    [
      { file: ['a', 'b'], all: true },
      {
        kind: 'all',
        of: [
          { kind: 'file', path: '/home-of-ann/here/a' },
          { kind: 'file', path: '/home-of-ann/here/b' },
        ],
      },
    ],
  ])('The flags %j make a condition with absolute times and paths [U1]', (flags, expected) => {
    expect(conditionOf(flags)).toEqual(expected);
    expect(conditionProblem(conditionOf(flags))).toBeNull();
  });

  it.each<[SuspendFlags, RegExp]>([
    [{}, /No condition is given/],
    [{ time: 'soon' }, /--time cannot read "soon"/],
    [{ time: '0' }, /too short/],
    [{ time: '-5m' }, /cannot read/],
    [{ time: '4000d' }, /longer than ten years/],
    [{ time: '1e9h' }, /cannot read/],
    [{ until: 'tomorrow' }, /--until cannot read/],
    [{ until: '2026-11-17T03:10Z' }, /is in the past/],
    [{ until: '2046-11-17T03:10Z' }, /more than ten years/],
    [{ poll: true }, /--poll has no command/],
    [{ command: [' '] }, /--command is empty/],
    [{ command: ['x'.repeat(5000)] }, /longer than 4,000/],
    [{ every: '5s', manual: true }, /belong to a poll/],
    [{ command: ['x'], every: '1ms' }, /too short/],
    [{ command: ['x'], every: '2d' }, /longer than a day/],
    [{ command: ['x'], tries: '0' }, /--tries is a number/],
    [{ command: ['x'], tries: '1.5' }, /--tries is a number/],
    [{ command: ['x'], every: '1d', tries: '1000000' }, /longer than ten years/],
    [{ contains: 'x', manual: true }, /--contains belongs to one --file/],
    [{ file: [''] }, /--file is empty/],
    [{ time: '1h', manual: true }, /conditions are given without --any or --all/],
    [{ time: '1h', manual: true, any: true, all: true }, /cannot be combined/],
  ])('The flags %j are refused with a sentence [U1]', (flags, message) => {
    expect(() => conditionOf(flags)).toThrow(message);
  });

  it.each([{}, { until: 'tomorrow' }, { until: '2026-11-17T03:10Z' }])(
    'The hint for the flags %j names the form of a time and no date, which would soon be past [U1]',
    (flags) => {
      const hint: unknown = expect.stringMatching(/^(?!.*20\d\d-).*YYYY-MM-DDTHH:MM/);
      expect(() => conditionOf(flags)).toThrow(expect.objectContaining({ hint }) as Error);
    },
  );

  it('Two conditions without --any or --all are refused with both names in the hint [U1]', () => {
    expect(() => conditionOf({ time: '1h', manual: true })).toThrow(
      expect.objectContaining({ hint: expect.stringMatching(/--any .* --all/) as string }) as Error,
    );
  });

  it('A poll expires after its interval times its tries [U1]', () => {
    expect(conditionOf({ command: ['x'], every: '10s', tries: '6' })).toMatchObject({ until: now + 60_000 });
  });

  it('Each kind of wait has a reason where the person gives none [U1]', () => {
    const reasons = [{ time: '1h' }, { command: ['x'] }, { file: ['x'] }, { manual: true }].map((flags) =>
      usualReason(readSuspendFlags(flags, at)),
    );
    expect(reasons).toEqual([
      'suspended for a time',
      'waiting for a command',
      'waiting for a file',
      'suspended by hand',
    ]);
  });
});

describe('Flags of resume', () => {
  it('One flag ends a wait; two exclude each other, and a rejection needs a reason [U3]', () => {
    expect(waitEndOf({})).toBeNull();
    expect(waitEndOf({ force: true })).toEqual({ force: true });
    expect(waitEndOf({ approve: true })).toEqual({ approve: true });
    expect(waitEndOf({ reject: 'no' })).toEqual({ reject: 'no' });
    expect(() => waitEndOf({ force: true, approve: true })).toThrow(
      '--force and --approve cannot be combined',
    );
    expect(() => waitEndOf({ reject: ' ' })).toThrow('The value of --reject is empty');
  });
});
