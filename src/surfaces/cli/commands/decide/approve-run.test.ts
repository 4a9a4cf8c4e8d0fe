// Which run `approve` means without a criterion.
import { expect, it } from 'vitest';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import {
  commandCriterion,
  playRun,
  reviewerCriterion,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import { isApprovable } from './approve-run.ts';

const holder = { pid: 1, host: 'here', since: 0 };

/** A run that a reviewer passed; its check was green before the work, unless `base` says otherwise. */
function ended(base: 'pass' | 'fail' = 'pass'): PlayedRun {
  const criteria = [commandCriterion('works'), reviewerCriterion];
  const played = playRun({ tasks: [simulatedTask('main', { criteria })], config: { acceptReview: false } });
  played.prepare();
  played.endCheck(played.beginOne(), { works: base });
  played.endSession(played.beginOne(), { endTree: 'work' });
  played.endCheck(played.beginOne(), { works: 'pass' });
  played.endSession(played.beginOne(), { endTree: 'work' });
  played.endCommit(played.beginOne(), 'commit-1');
  played.endCheck(played.beginOne(), { works: 'pass' });
  played.settle();
  return played;
}

it('A run that ended as unverified can be approved as a whole, and a completed one cannot', () => {
  expect(isApprovable({ run: ended().run, holder: null })).toBe(true);
  const { run } = ended('fail');
  expect(run.outcome?.outcome).toBe('completed');
  expect(isApprovable({ run, holder: null })).toBe(false);
});

it('An approved run whose driver died can be approved again, and not while a driver repeats the acceptance', () => {
  const { run, ...played } = ended();
  played.ask({ kind: 'approve-run', tree: run.tip?.tree ?? '' });
  played.settle();
  expect(run.outcome).toBeNull();
  expect(isApprovable({ run, holder: null })).toBe(true);
  expect(isApprovable({ run, holder })).toBe(false);
});

it('An unfinished run that was not approved is not approved as a whole', () => {
  const played = playRun({ tasks: [simulatedTask('main', { criteria: [commandCriterion('works')] })] });
  played.prepare();
  expect(played.run.tip).not.toBeNull();
  expect(isApprovable({ run: played.run, holder: null })).toBe(false);
});
