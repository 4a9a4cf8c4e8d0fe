import { describe, expect, it } from 'vitest';
import type { Criterion, Evidence } from '#kernel/model/criterion.ts';
import { criteria as preset } from '#policies/presets/criteria.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import {
  commandCriterion,
  playRun,
  simulatedEvidence,
  simulatedPolicy,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import { attentionItems } from '#views/questions/attention-items.ts';
import { defaultLoops } from './loop-settings.ts';

type CheckResults = { readonly [criterionId: string]: Partial<Evidence> };

const fail = { verdict: 'fail' } as const;
const flaky = {
  verdict: 'unknown',
  reason: 'flaky: passed 1 of 2 runs',
  flaky: { passed: 1, failed: 1, isAccepted: false },
} as const;

function endCheckWith(played: PlayedRun, results: CheckResults): void {
  const step = played.beginOne();
  if (step.deed.kind !== 'check') throw new Error(`${step.stepId} is no check`);
  const { stepId, baseTree, deed } = step;
  const tree = baseTree ?? '';
  for (const { criterionId } of deed.criteria) {
    const { purpose, place } = deed;
    const evidence = simulatedEvidence({
      criterionId,
      stepId,
      purpose,
      place,
      tree,
      ...results[criterionId],
    });
    played.record({ type: 'evidence-recorded', evidence });
  }
  played.record({ type: 'step-ended', stepId, result: { kind: 'check', treeAfter: tree, brokenPins: [] } });
}

function play(...ids: string[]): PlayedRun {
  const criteria = ids.map((id): Criterion => commandCriterion(id, { text: `${id} is done` }));
  const played = playRun({
    tasks: [simulatedTask('main', { criteria })],
    config: { policy: simulatedPolicy({ loops: defaultLoops }) },
    policy: preset.policy,
  });
  played.prepare();
  endCheckWith(played, Object.fromEntries(ids.map((id) => [id, fail])));
  return played;
}

function work(played: PlayedRun, tree: string, results: CheckResults): string | undefined {
  const session = played.beginOne();
  if (session.deed.kind !== 'session') throw new Error(`no session but ${session.stepId}`);
  played.endSession(session, { endTree: tree });
  endCheckWith(played, results);
  return session.deed.criterionId;
}

const verdict = (kind: 'approve' | 'reject') =>
  ({ kind, taskId: 'main', criterionId: 'a', tree: 't2', why: 'no' }) as const;

/** The first criterion is flaky, the second one is done. */
function shaken(): PlayedRun {
  const played = play('a', 'b');
  expect(work(played, 't1', { a: flaky, b: fail })).toBe('a');
  expect(work(played, 't2', { a: flaky })).toBe('b');
  return played;
}

describe('A flaky criterion', () => {
  it('A flaky criterion waits for a person once nothing else is missing; their verdict counts for that tree [K7] [K8]', () => {
    const played = shaken();
    expect(played.settle().waitingFor).toBe("a person's verdict on a: flaky: passed 1 of 2 runs");
    expect(attentionItems(played.run)).toMatchObject([{ kind: 'verdict', criterionId: 'a', tree: 't2' }]);
    played.ask(verdict('approve'));
    played.endCommit(played.beginOne(), 'c1');
    endCheckWith(played, { a: flaky });
    played.settle();
    expect(played.run.outcome?.outcome).toBe('completed');
    expect(played.run.sessions).toHaveLength(2);
  });

  it('A flaky criterion is worked on again when the person rejects it [K8]', () => {
    const played = shaken();
    played.settle();
    played.ask(verdict('reject'));
    expect(work(played, 't3', {})).toBe('a');
    expect(played.beginOne().deed).toMatchObject({ kind: 'commit' });
  });

  it('A flaky criterion that really fails later is open again [K9]', () => {
    const played = play('a', 'b');
    work(played, 't1', { a: flaky, b: fail });
    work(played, 't2', { a: fail });
    expect(work(played, 't3', {})).toBe('a');
  });
});

describe('A check that was cut off', () => {
  it('A check that was cut off has no result: the files may have changed by its end', () => {
    const played = play('a');
    played.endSession(played.beginOne(), { endTree: 't1' });
    const { stepId } = played.beginOne();
    const evidence = simulatedEvidence({ criterionId: 'a', stepId, tree: 't1' });
    played.record({ type: 'evidence-recorded', evidence });
    played.record({ type: 'step-lost', stepId, reason: 'gone', usage: null });
    expect(played.run.tasks.get('main')?.evidence.get('a')?.attempt).toBeUndefined();
    endCheckWith(played, { a: fail });
    expect(played.beginOne().deed).toMatchObject({ role: 'builder', attempt: 2 });
  });
});

describe('A check that is flaky only at the acceptance', () => {
  function accepted(results: CheckResults): PlayedRun {
    const played = play('a');
    work(played, 't2', {});
    played.endCommit(played.beginOne(), 'c1');
    endCheckWith(played, results);
    return played;
  }

  it('A check that is flaky at the acceptance waits for a person and completes on their approval, also under another driver [K7]', () => {
    const played = accepted({ a: flaky });
    const { waitingFor, start } = played.settle();
    expect(start).toEqual([]);
    expect(waitingFor).toBe("a person's verdict on a: flaky: passed 1 of 2 runs");
    expect(attentionItems(played.run)).toMatchObject([
      { kind: 'verdict', taskId: 'main', criterionId: 'a', tree: 't2', baseTree: 'base' },
    ]);
    played.takeOver();
    played.ask(verdict('approve'));
    endCheckWith(played, { a: flaky });
    played.settle();
    expect(played.run.outcome?.outcome).toBe('completed');
    expect(played.run.sessions).toHaveLength(1);
  });

  it('A check that is flaky at the acceptance is worked on again after a rejection or a failure [K7]', () => {
    const rejected = accepted({ a: flaky });
    rejected.settle();
    rejected.ask(verdict('reject'));
    expect(rejected.beginOne().deed).toMatchObject({ role: 'builder', criterionId: 'a' });
    expect(accepted({ a: fail }).beginOne().deed).toMatchObject({ role: 'builder' });
  });

  it('A verdict on any other tree, or on an accepted criterion, is refused [X12]', () => {
    const other = accepted({ a: flaky });
    other.settle();
    const id = other.ask({ ...verdict('approve'), tree: 'base' });
    other.settle();
    expect(other.run.controls.get(id)).toBe('refused');
    const fine = play('a', 'b');
    work(fine, 't1', { b: fail });
    work(fine, 't2', {});
    fine.endCommit(fine.beginOne(), 'c1');
    endCheckWith(fine, { b: flaky });
    const late = fine.ask(verdict('approve'));
    fine.settle();
    expect(fine.run.controls.get(late)).toBe('refused');
  });
});
