// The views of a finished run that can be reopened, and of one that was.
import { expect, it } from 'vitest';
import type { RunConfig } from '#kernel/model/config.ts';
import { queue } from '#policies/presets/queue.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import { commandCriterion, playRun, simulatedBudget, simulatedTask } from '#test/simulated/simulated-run.ts';
import { commandToResume, retryable } from './again.ts';
import { listText } from './list.ts';
import { masterLogLine } from '#views/lines/master-log.ts';
import { notificationsOf } from '#views/notification.ts';
import { statusText } from './status.ts';
import { summaryText } from '#views/report/summary.ts';

/** One task that fails after its only attempt. */
function failed(config: Partial<RunConfig> = {}): PlayedRun {
  const played = playRun({
    tasks: [simulatedTask('a', { criteria: [commandCriterion('works')] })],
    config: { preset: 'queue', budget: simulatedBudget({ attemptsPerTask: 1 }), ...config },
    policy: queue.policy,
  });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  fail(played);
  return played;
}

function fail(played: PlayedRun): void {
  played.endSession(played.beginOne(), { endTree: 'bad' });
  played.endCheck(played.beginOne(), { works: 'fail' });
  played.settle();
}

const endOf = ({ run, events }: PlayedRun) =>
  notificationsOf(run, events.slice(-1), { repository: 'r', warnPercent: 80 }).map(({ id }) => id);

it('A finished run says how to continue; a reopened one says who reopened it, and notifies its next end again [Q2] [Q5] [C11]', () => {
  const played = failed();
  const { run } = played;
  expect(retryable(run)).toBe('a');
  expect(summaryText(run, { logsDir: '/logs' })).toContain('then retry: untildone retry a --run run\n');
  const [first] = endOf(played);
  played.record({
    type: 'run-landed',
    how: 'merged',
    target: 'main',
    commit: 'c1',
    by: 'ann',
    isProven: false,
  });
  played.ask({ kind: 'retry', taskId: 'a' });
  played.settle();
  // What comes from here on is on no branch of theirs yet.
  expect(run.landings).toEqual([]);
  expect(listText([{ run, holder: null }])).toMatch(/^run +open again +0\/1/m);
  const status = statusText(run, { holder: null });
  expect(status).toMatch(/Reopened by ann on .*; before that it was exhausted: the only attempt was used/);
  expect(status).toContain('At that time landed WITHOUT PROOF on main as c1 (merged), by ann');
  played.takeOver();
  expect(masterLogLine(run, { at: run.now, type: 'driver-started', epoch: 2, driver: 'two' })).toContain(
    'run run reopened by ann',
  );
  played.prepare();
  fail(played);
  expect(summaryText(run, { logsDir: '/logs' })).toContain('Reopened by ann');
  const [second] = endOf(played);
  expect([first, second]).toEqual(['run/ended/exhausted', 'run/ended/exhausted/1']);
});

it('The resume command of an exhausted run names the budget that it needs, and is plain for other runs [X1]', () => {
  const spent = failed({ budget: simulatedBudget({ attemptsPerTask: 3, sessions: 1 }) });
  expect(spent.run.outcome?.outcome).toBe('exhausted');
  expect(commandToResume(spent.run)).toBe('untildone resume run --budget sessions=2');
  expect(commandToResume(failed().run)).toBe('untildone resume run');
});
