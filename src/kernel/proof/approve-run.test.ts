// A person approves the work of a run that ended without proof.
import { describe, expect, it } from 'vitest';
import { replay } from '#kernel/fold/apply.ts';
import type { Verdict } from '#kernel/model/criterion.ts';
import { isDecision } from '#kernel/events/control.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import {
  commandCriterion,
  playRun,
  reviewerCriterion,
  simulatedBudget,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';

const criteria = [commandCriterion('works'), reviewerCriterion];

/** A run that only a reviewer passed. */
function reviewed(config: Partial<Run['config']> = {}): PlayedRun {
  const played = playRun({
    tasks: [simulatedTask('main', { criteria })],
    config: { acceptReview: false, ...config },
  });
  played.prepare();
  goOn(played);
  return played;
}

function goOn(played: PlayedRun, acceptance: Verdict = 'pass'): void {
  for (let rounds = 0; rounds < 30; rounds += 1) {
    const [step] = played.begin();
    if (step === undefined) return;
    const { deed } = step;
    if (deed.kind === 'check')
      played.endCheck(step, { works: deed.purpose === 'acceptance' ? acceptance : 'pass' });
    else if (deed.kind === 'commit') played.endCommit(step, `c-${step.stepId}`);
    else if (deed.kind === 'prepare')
      played.record({
        type: 'step-ended',
        stepId: step.stepId,
        result: { kind: 'prepare', baseCommit: 'c0', baseTree: 'base', branch: 'untildone/run', pins: [] },
      });
    else played.endSession(step, deed.kind === 'session' && deed.readOnly ? {} : { endTree: 'work' });
  }
}

function approve(played: PlayedRun, tree = played.run.tip?.tree ?? ''): string {
  return played.ask({ kind: 'approve-run', tree });
}

it('A run without a check that a person approves does not claim that criteria passed', () => {
  const played = playRun({ tasks: [simulatedTask('main', { criteria: [] })] });
  played.prepare();
  goOn(played);
  expect(played.run.outcome).toMatchObject({ outcome: 'unverified' });
  approve(played);
  goOn(played);
  expect(played.run.outcome).toMatchObject({
    outcome: 'completed',
    reason: expect.stringMatching(/^there is no check; approved by /) as unknown,
  });
});

it.each([true, false])(
  'The outcome says that calibration is off, whether a review is accepted or not: %s',
  (acceptReview) => {
    const { run } = reviewed({ calibration: 'off', acceptReview });
    expect(run.outcome).toMatchObject({
      outcome: acceptReview ? 'completed' : 'unverified',
      reason: expect.stringContaining('; the checks were not calibrated') as unknown,
    });
  },
);

describe('The approval of an unverified run', () => {
  it('The approval of an unverified run repeats the acceptance and completes it; the proof is that person [X3]', () => {
    const played = reviewed();
    expect(played.run.outcome).toMatchObject({ outcome: 'unverified', proof: 'review' });
    const { sessions, acceptance } = played.run;
    const before = sessions.length;
    approve(played);
    goOn(played);
    expect(played.run.outcome).toMatchObject({ outcome: 'completed', proof: 'person' });
    expect(played.run.outcome?.reason).toContain('approved by ann');
    expect(played.run.acceptance?.stepId).not.toBe(acceptance?.stepId);
    expect(played.run.sessions.length).toBe(before);
    expect(replay(played.events)).toEqual(played.run);
  });

  it('An approved run ends as unverified again, without a session, if the acceptance fails now [X3]', () => {
    const played = reviewed();
    const before = played.run.sessions.length;
    approve(played);
    goOn(played, 'fail');
    expect(played.run.outcome).toMatchObject({ outcome: 'unverified' });
    expect(played.run.outcome?.reason).toContain('works: exit 1');
    expect(played.run.sessions.length).toBe(before);
    approve(played);
    goOn(played);
    expect(played.run.outcome).toMatchObject({ outcome: 'completed', proof: 'person' });
  });

  it('The approval of a run survives the death of its driver at every fact in between [X3]', () => {
    const whole = reviewed();
    const before = whole.events.length;
    approve(whole);
    goOn(whole);
    for (let kept = before + 1; kept < whole.events.length; kept += 1) {
      const played = reviewed();
      played.record(...whole.events.slice(before, kept));
      played.takeOver();
      for (const [stepId] of played.run.running)
        played.record({ type: 'step-lost', stepId, reason: 'gone', usage: null });
      goOn(played);
      if (played.run.outcome?.outcome !== 'completed') {
        approve(played);
        goOn(played);
      }
      expect(played.run.outcome, `${kept - before} facts`).toMatchObject({
        outcome: 'completed',
        proof: 'person',
      });
    }
  });

  it('The approval of a run works even if the time of the run is used up [X3]', () => {
    const played = reviewed({ budget: simulatedBudget({ activeMs: 1 }) });
    expect(played.run.outcome).toMatchObject({ outcome: 'unverified' });
    approve(played);
    played.pass(100);
    goOn(played);
    expect(played.run.outcome).toMatchObject({ outcome: 'completed' });
  });

  it.each<[string, (played: PlayedRun) => string, Partial<Run['config']>, RegExp]>([
    ['of another tree', (played) => approve(played, 'other'), {}, /changed since/],
    ['of a completed run', (played) => approve(played), { acceptReview: true }, /has ended: completed/],
  ])('The approval of a run is refused: %s [X3]', (_, ask, config, reason) => {
    const played = reviewed(config);
    const { outcome } = played.run;
    const id = ask(played);
    played.settle();
    expect(played.run.controls.get(id)).toBe('refused');
    expect(played.events.findLast(({ type }) => type === 'control-refused')).toMatchObject({
      reason: expect.stringMatching(reason) as string,
    });
    expect(played.run.outcome).toEqual(outcome);
  });

  it('The approval of a run is refused while the run is unfinished [X3]', () => {
    const played = playRun({ tasks: [simulatedTask('main', { criteria })] });
    played.prepare();
    const id = approve(played);
    played.settle();
    expect(played.run.controls.get(id)).toBe('refused');
  });

  it('The approval of a run is a person-only control: no agent can give it [X3]', () => {
    expect(isDecision({ kind: 'approve-run', tree: 'work' })).toBe(true);
  });
});
