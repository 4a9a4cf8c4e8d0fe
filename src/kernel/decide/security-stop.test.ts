import { describe, expect, it } from 'vitest';
import {
  commandCriterion,
  playRun,
  reviewerCriterion,
  simulatedBudget,
  simulatedPolicy,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import { exitCodes } from '#kernel/model/outcome.ts';
import type { Blocker, Trial } from '#kernel/model/review.ts';

const hole: Blocker = {
  what: 'a.js:9 takes any token',
  severity: 'critical',
  isSecurity: true,
  command: null,
};

/** Plays two tasks until the work of the first one is reviewed. */
function reviewed(blocker: Blocker, confidence = 0.9): PlayedRun {
  const criteria = [commandCriterion('works'), reviewerCriterion];
  const played = playRun({ tasks: [simulatedTask('main', { criteria }), simulatedTask('other')] });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  played.endSession(played.beginOne(), { endTree: 'work' });
  played.endCheck(played.beginOne(), {});
  const verdict = { verdict: 'warn', confidence, blockers: [blocker], text: '' } as const;
  played.endSession(played.beginOne(), { signal: { kind: 'verdict', verdict } });
  return played;
}

function tried(played: PlayedRun, outcome: Trial['outcome']): void {
  const { stepId, deed } = played.beginOne();
  if (deed.kind !== 'reproduce') throw new Error(`${stepId} tries nothing`);
  const trial: Trial = { outcome, reason: 'exit 1', ending: null, tail: '', log: null };
  played.record(
    { type: 'blocker-tried', taskId: 'main', stepId: deed.review, index: 0, trial },
    { type: 'step-ended', stepId, result: { kind: 'reproduce' } },
  );
}

describe('Security-critical findings', () => {
  it('A security-critical finding of a reviewer stops the run at once: no session starts, and the reason names it [Q8] [X3]', () => {
    const played = reviewed(hole);
    expect(played.settle().start).toEqual([]);
    expect(played.run.outcome).toEqual({
      outcome: 'stopped',
      reason: 'verifier_001 found a security problem, so the run stops: a.js:9 takes any token',
    });
    expect(exitCodes.stopped).toBe(5);
  });

  it('A finding that its command reproduces stops the run, and one that cannot be reproduced does not [Q8] [Q10]', () => {
    const command = 'sh hole.sh';
    const shown = reviewed({ ...hole, command });
    tried(shown, 'reproduced');
    shown.settle();
    expect(shown.run.outcome?.outcome).toBe('stopped');
    const claimed = reviewed({ ...hole, command });
    tried(claimed, 'not reproduced');
    expect(claimed.beginOne().deed).toMatchObject({ role: 'verifier' });
  });

  it('An uncertain security finding is asked again first; a finding that is not critical is fixed [Q8]', () => {
    expect(reviewed(hole, 0.2).beginOne().deed).toMatchObject({ role: 'verifier' });
    const minor = reviewed({ ...hole, severity: 'major' });
    expect(minor.beginOne().deed).toMatchObject({ kind: 'commit' });
  });

  it('The failure of a security-critical task stops the other tasks too, also running ones [Q8]', () => {
    const criteria = [commandCriterion('works')];
    const tasks = [
      simulatedTask('auth', { criteria, securityCritical: true }),
      simulatedTask('other', { criteria }),
    ];
    const config = {
      budget: simulatedBudget({ attemptsPerTask: 1 }),
      policy: simulatedPolicy({ parallel: 2 }),
    };
    const played = playRun({ tasks, config });
    played.prepare();
    for (const step of played.begin()) played.endCheck(step, { works: 'fail' });
    const [auth, other] = played.begin();
    if (auth === undefined || other === undefined) throw new Error('two sessions side by side');
    played.endSession(auth, { endTree: 'wrong' });
    const check = played.begin().find(({ taskId }) => taskId === 'auth');
    if (check === undefined) throw new Error('it is looked at');
    played.endCheck(check, { works: 'fail' });
    const { start, steer } = played.settle();
    expect(start).toEqual([]);
    expect(steer).toMatchObject([{ stepId: other.stepId, kind: 'kill' }]);
    played.endSession(other, { ending: { kind: 'cancelled', reason: 'x' } });
    expect(played.settle().start).toEqual([]);
    expect(played.run.outcome).toMatchObject({
      outcome: 'stopped',
      reason: expect.stringMatching(/^the security-critical task auth failed, so the run stops: /) as string,
    });
  });
});
