import { expect, test } from 'vitest';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import {
  commandCriterion,
  playRun,
  simulatedEvidence,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import type { Criterion } from '#kernel/model/criterion.ts';
import type { Policy } from './policy.ts';
import { gapsInAcceptance, gapsInProof } from '#kernel/proof/proof.ts';
import type { Step } from '#kernel/model/step.ts';
import { taskOf } from '#kernel/fold/run.ts';

/** Plays one task up to the end of its first builder session; the check of that attempt is next. */
function built(criteria: readonly Criterion[] = [commandCriterion('works')]): PlayedRun {
  const played = playRun({ tasks: [simulatedTask('main', { criteria })] });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  played.endSession(played.beginOne(), { endTree: 'work' });
  return played;
}

/** Plays the same task until it landed as c1; the acceptance is next. */
function landed(criteria?: readonly Criterion[]): PlayedRun {
  const played = built(criteria);
  played.endCheck(played.beginOne(), {});
  played.endCommit(played.beginOne(), 'c1');
  return played;
}

function endWithoutEvidence(played: PlayedRun, { stepId, baseTree }: Step): void {
  const result = { kind: 'check', treeAfter: baseTree ?? '', brokenPins: [] } as const;
  played.record({ type: 'step-ended', stepId, result });
}

test('A green check that changed the files it checked does not prove an attempt [X3]', () => {
  const played = built();
  played.endCheck(played.beginOne(), { works: 'pass' }, { treeAfter: 'other' });
  played.settle();
  const task = played.run.tasks.get('main');
  expect(task?.status.is).not.toBe('proven');
  expect(task?.failures.last?.reason).toContain('a check changed the files that it checked');
});

test('A green check of another tree does not prove the tree that a session left [X3]', () => {
  const played = built();
  const evidence = simulatedEvidence({ tree: 'another', verdict: 'pass' });
  played.record({ type: 'evidence-recorded', evidence });
  endWithoutEvidence(played, played.beginOne());
  expect(gapsInProof(played.run, taskOf(played.run, 'main'), 'work')).toEqual([
    { criterionId: 'works', why: 'was not checked on this tree' },
  ]);
});

test('A green check that changed the files it checked fails the acceptance [X10]', () => {
  const played = landed();
  played.endCheck(played.beginOne(), {}, { treeAfter: 'other' });
  played.settle();
  expect(played.run.outcome).toBeNull();
  expect(played.run.tasks.get('main')?.failures.last?.reason).toContain('a check changed the files');
});

test('An acceptance does not count the evidence of an earlier acceptance of the same tree [X3]', () => {
  const played = landed();
  played.endCheck(played.beginOne(), {});
  played.takeOver();
  endWithoutEvidence(played, played.beginOne());
  played.settle();
  expect(played.run.outcome).toBeNull();
  expect(played.run.tasks.get('main')?.failures.last?.reason).toContain('works: was not checked');
});

test('An acceptance does not count an approval that a person gave to another tree [K8]', () => {
  const played = landed();
  const flaky = { passed: 1, failed: 1, isAccepted: false };
  const unknown = { verdict: 'unknown', reason: 'flaky', flaky } as const;
  const step = played.beginOne();
  const seen = { stepId: step.stepId, purpose: 'acceptance', tree: 'work', ...unknown } as const;
  const word = { stepId: 'person', purpose: 'attempt', tree: 'before', flaky } as const;
  played.record({ type: 'evidence-recorded', evidence: simulatedEvidence(word) });
  played.record({ type: 'evidence-recorded', evidence: simulatedEvidence(seen) });
  endWithoutEvidence(played, step);
  expect(gapsInAcceptance(played.run)).toMatchObject([{ criterionId: 'works', awaits: 'person' }]);
  const later = { ...word, tree: 'work' };
  played.record({ type: 'evidence-recorded', evidence: simulatedEvidence(later) });
  expect(gapsInAcceptance(played.run)).toEqual([]);
});

test('An acceptance never names the held-out check that did not pass [K7]', () => {
  const check = { kind: 'held-out', hash: 'h' } as const;
  const played = landedWithHeldOut(commandCriterion('secret', { check, when: 'acceptance' }));
  played.endCheck(played.beginOne(), { works: 'pass', secret: 'fail' });
  expect(gapsInAcceptance(played.run)).toEqual([
    { taskId: 'main', criterionId: null, why: 'a held-out check did not pass' },
  ]);
});

function landedWithHeldOut(heldOut: Criterion): PlayedRun {
  const criteria = [commandCriterion('works'), heldOut];
  const played = playRun({ tasks: [simulatedTask('main', { criteria })] });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  played.endCheck(played.beginOne(), { secret: 'fail' });
  played.endSession(played.beginOne(), { endTree: 'work' });
  played.endCheck(played.beginOne(), {});
  played.endCommit(played.beginOne(), 'c1');
  return played;
}

test('A held-out check does not run on the base beside a session [K7]', () => {
  const check = { kind: 'held-out', hash: 'h' } as const;
  const criteria = [commandCriterion('works'), commandCriterion('secret', { check, when: 'acceptance' })];
  const played = playRun({ tasks: [simulatedTask('main', { criteria })] });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  expect(played.beginOne().deed).toMatchObject({ kind: 'check', purpose: 'base', when: 'acceptance' });
});

test('A check listed as known red is still required when it was green on the base [X7]', () => {
  const criteria = [commandCriterion('works'), commandCriterion('lint')];
  const played = playRun({ tasks: [simulatedTask('main', { criteria })], config: { knownRed: ['lint'] } });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail', lint: 'pass' });
  played.endSession(played.beginOne(), { endTree: 'work' });
  played.endCheck(played.beginOne(), { lint: 'fail' });
  played.settle();
  expect(played.run.tasks.get('main')?.status.is).not.toBe('proven');
});

const hasty: Policy = {
  name: 'hasty',
  nextMove: (_run, task) =>
    task.attempt === 0
      ? { kind: 'start', baseTree: 'base', deed: sessionDeed }
      : { kind: 'prove', tree: 'work' },
};
const sessionDeed = {
  kind: 'session',
  role: 'builder',
  attempt: 1,
  ordinal: 1,
  agent: { name: 'simulated', model: null },
  prompt: '',
  readOnly: false,
  words: { done: 'DONE', reportTag: null },
  limits: { wallMs: 1, idleMs: 1, graceMs: 1 },
  resume: null,
} as const;

test('A task is not proven when its policy says so about a tree that was not checked [X3]', () => {
  const played = playRun({ tasks: [simulatedTask('main')], policy: hasty });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  played.endSession(played.beginOne(), { endTree: 'work' });
  expect(played.decide().record).toMatchObject([
    { type: 'attempt-failed', reason: 'the tree was not checked' },
  ]);
});
