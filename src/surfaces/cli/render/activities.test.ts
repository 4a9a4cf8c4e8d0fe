import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countReached } from '#test/assert-property.ts';
import { playRun, simulatedTask } from '#test/simulated/simulated-run.ts';
import { activityLine, followActivities, spinnerLines } from './activities.ts';
import { columnsOf, cutMiddle } from './width.ts';

const setup = { before: 'installing dependencies: ', subject: 'npm ci', after: '', since: 0, remark: '' };
const session = { before: 'waiting for the builder (', subject: 'claude', after: ')', since: 0 };

describe('the lines with a spinner', () => {
  it('A line ends with its time and a remark while there is room', () => {
    expect(activityLine(setup, 72_000, 79)).toBe('installing dependencies: npm ci, 1m 12s');
    expect(activityLine({ ...session, remark: 'last output 12s ago' }, 185_000, 79)).toBe(
      'waiting for the builder (claude), 3m 05s, last output 12s ago',
    );
    expect(activityLine(setup, 900, 79)).toBe('installing dependencies: npm ci');
  });

  it('A narrow terminal loses the remark first, then the middle of the command, and never the time', () => {
    expect(activityLine({ ...session, remark: 'last output 12s ago' }, 185_000, 50)).toBe(
      'waiting for the builder (claude), 3m 05s',
    );
    const long = { ...setup, subject: 'npm ci --no-audit --prefix packages/server' };
    expect(activityLine(long, 72_000, 60)).toBe(
      'installing dependencies: npm ci --no-a…ckages/server, 1m 12s',
    );
    expect(activityLine(long, 72_000, 20)).toMatch(/^installing.*…, 1m 12s$/);
  });

  it('No line is wider than the terminal, whatever the command is, and the time stays', () => {
    const cut = countReached('a command that is cut', { floor: 0.2 });
    assertProperty(
      fc.property(
        fc.string({ unit: 'binary', size: 'large' }),
        fc.integer({ min: 20, max: 140 }),
        (subject, columns) => {
          const [line = ''] = spinnerLines([{ ...setup, subject }], 72_000, columns);
          if (line.includes('…')) cut.mark();
          expect(columnsOf(line)).toBeLessThanOrEqual(columns);
          expect(line.endsWith(', 1m 12s')).toBe(true);
          expect(line).not.toContain('\n');
        },
      ),
      { reaches: [cut] },
    );
  });

  it('Three lines are shown at most, and the others are counted', () => {
    const lines = spinnerLines(
      Array.from({ length: 5 }, () => setup),
      2_000,
      80,
    );
    expect(lines).toHaveLength(4);
    expect(lines.at(-1)).toBe('  and 2 more');
  });

  it('A text is cut in the middle, and a short one is left as it is', () => {
    expect(cutMiddle('npm test', 8)).toBe('npm test');
    expect(cutMiddle('npm run test', 7)).toBe('npm…est');
  });
});

describe('what a run does now', () => {
  it('A step shows its own words until something within it takes the time [Q9]', () => {
    let now = 0;
    const activities = followActivities(() => now);
    const lines = (): string[] => activities.lines(played.run, 80).map((line) => line.slice(2));
    const played = playRun({ tasks: [simulatedTask('main')] });
    const prepare = played.beginOne();
    lines();
    now = 2_000;
    expect(lines()).toEqual(['preparing the workspace, 2s']);
    const install = { kind: 'setup', stepId: null, command: 'npm ci' } as const;
    activities.onActivity(install, 'began');
    now = 5_000;
    expect(lines()).toEqual(['installing dependencies: npm ci, 3s']);
    activities.onActivity(install, 'ended');
    expect(lines()).toEqual(['preparing the workspace, 5s']);
    const check = { kind: 'check', stepId: prepare.stepId, command: 'npm test', run: 1, runsMax: 1 } as const;
    activities.onActivity(check, 'began');
    now = 5_100;
    expect(lines()).toEqual([]);
    now = 6_000;
    expect(lines()).toEqual(['running npm test, 1s']);
  });
});
