import { describe, expect, it } from 'vitest';
import {
  commandCriterion,
  personCriterion,
  playRun,
  reviewerCriterion,
  simulatedConfig,
  simulatedBudget,
  simulatedPolicy,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import type { Step } from '#kernel/model/step.ts';

/** Plays one task up to the tree that its first builder leaves. */
function built(played: PlayedRun, tree = 'work'): void {
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  played.endSession(played.beginOne(), { endTree: tree });
}

function roleOf(step: Step): string {
  return step.deed.kind === 'session' ? step.deed.role : step.deed.kind;
}

describe('starting', () => {
  it('prepares first, then checks the base, and only then pays for a session [X7]', () => {
    const played = playRun({ tasks: [simulatedTask('main')] });
    expect(played.begin().map(roleOf)).toEqual(['prepare']);
    expect(played.decide().start).toEqual([]);
    played.record({
      type: 'step-ended',
      stepId: '0001-prepare',
      result: { kind: 'prepare', baseCommit: 'c0', baseTree: 'base', branch: 'b', pins: [] },
    });
    const check = played.beginOne();
    expect(check.deed).toMatchObject({ kind: 'check', purpose: 'base', place: 'clean' });
    expect(played.decide().start).toEqual([]);
    played.endCheck(check, { works: 'fail' });
    expect(roleOf(played.beginOne())).toBe('builder');
  });

  it('runs slow checks of the base beside the first session and waits for them before it lands [X7]', () => {
    const slow = commandCriterion('slow', { when: 'acceptance' });
    const played = playRun({
      tasks: [simulatedTask('main', { criteria: [commandCriterion('works'), slow] })],
    });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    const [base, builder] = played.begin();
    if (base === undefined || builder === undefined) throw new Error('two steps were expected');
    expect([roleOf(base), roleOf(builder)]).toEqual(['check', 'builder']);
    played.endSession(builder, { endTree: 'work' });
    played.endCheck(played.beginOne(), {});
    expect(played.begin()).toEqual([]);
    expect(played.run.tasks.get('main')?.status.is).toBe('proven');
    played.endCheck(base, { slow: 'fail' });
    expect(roleOf(played.beginOne())).toBe('commit');
  });

  it('counts sessions that start together against one budget [X1]', () => {
    const budget = { ...simulatedConfig().budget, sessions: 1 };
    const tasks = [simulatedTask('a', { criteria: [] }), simulatedTask('b', { criteria: [] })];
    const played = playRun({ tasks, config: { budget, policy: simulatedPolicy({ parallel: 2 }) } });
    played.prepare();
    expect(played.begin().map((step) => step.taskId)).toEqual(['a']);
  });

  it('never lets two sessions that start together promise more money than there is [X1]', () => {
    const budget = { ...simulatedConfig().budget, usd: 6, sessionUsd: 5 };
    const tasks = [simulatedTask('a', { criteria: [] }), simulatedTask('b', { criteria: [] })];
    const played = playRun({ tasks, config: { budget, policy: simulatedPolicy({ parallel: 2 }) } });
    played.prepare();
    expect(played.begin().map((step) => step.reserve.usd)).toEqual([5, 1]);
  });

  it('numbers sessions of one role that start together apart, so that each has a log of its own [B9]', () => {
    const tasks = [simulatedTask('a', { criteria: [] }), simulatedTask('b', { criteria: [] })];
    const played = playRun({ tasks, config: { policy: simulatedPolicy({ parallel: 2 }) } });
    played.prepare();
    const ordinals = played.begin().map(({ deed }) => (deed.kind === 'session' ? deed.ordinal : null));
    expect(ordinals).toEqual([1, 2]);
  });

  it('takes up a task only when everything it depends on has landed', () => {
    const tasks = [simulatedTask('a'), simulatedTask('b', { dependsOn: ['a'] }), simulatedTask('c')];
    const played = playRun({ tasks, config: { policy: simulatedPolicy({ parallel: 3 }) } });
    played.prepare();
    expect(played.begin().map((step) => step.taskId)).toEqual(['a', 'c']);
  });
});

describe('landing', () => {
  it('lands one task at a time, and builds the second again on the first', () => {
    const tasks = [simulatedTask('a'), simulatedTask('b')];
    const played = playRun({ tasks, config: { policy: simulatedPolicy({ parallel: 2 }) } });
    played.prepare();
    for (const step of played.begin()) played.endCheck(step, { works: 'fail' });
    for (const step of played.begin()) played.endSession(step, { endTree: `work-${step.taskId}` });
    for (const step of played.begin()) played.endCheck(step, {});
    const commit = played.beginOne();
    expect(commit).toMatchObject({ taskId: 'a', baseTree: 'work-a', deed: { kind: 'commit', parent: 'c0' } });
    expect(played.begin()).toEqual([]);
    played.endCommit(commit, 'c1');
    expect(played.beginOne()).toMatchObject({ taskId: 'b', baseTree: 'work-a', deed: { role: 'builder' } });
  });

  it('does not land what a person rejected after it was proven', () => {
    const slow = commandCriterion('slow', { when: 'acceptance' });
    const criteria = [commandCriterion('works'), slow, personCriterion];
    const played = playRun({ tasks: [simulatedTask('main', { criteria })] });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    const [base, builder] = played.begin();
    if (base === undefined || builder === undefined) throw new Error('two steps were expected');
    played.endSession(builder, { endTree: 'work' });
    played.endCheck(played.beginOne(), {});
    const about = { taskId: 'main', criterionId: 'person', tree: 'work' };
    played.ask({ kind: 'approve', ...about });
    played.settle();
    expect(played.run.tasks.get('main')?.status.is).toBe('proven');
    played.ask({ kind: 'reject', ...about, why: 'on second thoughts' });
    played.endCheck(base, { slow: 'fail' });
    expect(roleOf(played.beginOne())).toBe('builder');
  });

  it('refuses a verdict on work that is being committed', () => {
    const criteria = [commandCriterion('works'), personCriterion];
    const played = playRun({ tasks: [simulatedTask('main', { criteria })] });
    built(played);
    played.endCheck(played.beginOne(), {});
    const about = { taskId: 'main', criterionId: 'person', tree: 'work' };
    played.settle();
    played.ask({ kind: 'approve', ...about });
    expect(roleOf(played.beginOne())).toBe('commit');
    const id = played.ask({ kind: 'reject', ...about, why: 'too late' });
    played.settle();
    expect(played.run.controls.get(id)).toBe('refused');
  });
});

describe('ending', () => {
  it('completes after an acceptance on a clean checkout by this very driver [X3]', () => {
    const played = playRun({ tasks: [simulatedTask('main')] });
    built(played);
    played.endCheck(played.beginOne(), {});
    played.endCommit(played.beginOne(), 'c1');
    const acceptance = played.beginOne();
    expect(acceptance.deed).toMatchObject({ kind: 'check', purpose: 'acceptance', place: 'clean' });
    played.endCheck(acceptance, {});
    played.settle();
    expect(played.run.outcome?.outcome).toBe('completed');
  });

  it('accepts again, and then completes, when the driver that had accepted died before it said so [X3]', () => {
    const played = playRun({ tasks: [simulatedTask('main')] });
    built(played);
    played.endCheck(played.beginOne(), {});
    played.endCommit(played.beginOne(), 'c1');
    played.endCheck(played.beginOne(), {});
    played.record(...played.decide().record);
    expect(played.run.acceptance).toMatchObject({ isPassed: true, epoch: 1 });
    played.takeOver();
    played.endCheck(played.beginOne(), {});
    played.settle();
    expect(played.run.acceptance).toMatchObject({ isPassed: true, epoch: 2 });
    expect(played.run.outcome?.outcome).toBe('completed');
  });

  it('opens a task again whose check fails on the clean checkout [X10]', () => {
    const played = playRun({ tasks: [simulatedTask('main')] });
    built(played);
    played.endCheck(played.beginOne(), {});
    played.endCommit(played.beginOne(), 'c1');
    played.endCheck(played.beginOne(), { works: 'fail' });
    const again = played.beginOne();
    expect(again).toMatchObject({ baseTree: 'work', deed: { role: 'builder', attempt: 2 } });
  });

  it('calls a run without any check or reviewer unverified, never completed [X3]', () => {
    const played = playRun({ tasks: [simulatedTask('main', { criteria: [] })] });
    played.prepare();
    played.endSession(played.beginOne(), { endTree: 'work' });
    played.endCheck(played.beginOne(), {});
    played.endCommit(played.beginOne(), 'c1');
    played.endCheck(played.beginOne(), {});
    played.settle();
    expect(played.run.outcome).toMatchObject({
      outcome: 'unverified',
      reason: 'there is no check and no reviewer',
    });
  });

  it('calls work unverified whose checks were all green before it began [X7]', () => {
    const played = playRun({ tasks: [simulatedTask('main')] });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'pass' });
    played.endSession(played.beginOne(), { endTree: 'work' });
    played.endCheck(played.beginOne(), {});
    played.endCommit(played.beginOne(), 'c1');
    played.endCheck(played.beginOne(), {});
    played.settle();
    expect(played.run.outcome?.outcome).toBe('unverified');
  });

  it('completes work that was green before when a reviewer has looked at it [X7]', () => {
    const criteria = [commandCriterion('works'), reviewerCriterion];
    const played = playRun({ tasks: [simulatedTask('main', { criteria })] });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'pass' });
    played.endSession(played.beginOne(), { endTree: 'work' });
    played.endCheck(played.beginOne(), {});
    played.endSession(played.beginOne(), { endTree: 'work' });
    played.endCommit(played.beginOne(), 'c1');
    played.endCheck(played.beginOne(), {});
    played.settle();
    expect(played.run.outcome?.outcome).toBe('completed');
  });

  it('forgives a check that was red before only where it was told to [X7]', () => {
    const criteria = [commandCriterion('works'), commandCriterion('old')];
    const play = (knownRed: string[]): string => {
      const played = playRun({
        tasks: [simulatedTask('main', { criteria })],
        config: { knownRed, budget: simulatedBudget({ attemptsPerTask: 1 }) },
      });
      played.prepare();
      played.endCheck(played.beginOne(), { works: 'fail', old: 'fail' });
      played.endSession(played.beginOne(), { endTree: 'work' });
      played.endCheck(played.beginOne(), { works: 'pass', old: 'fail' });
      const step = played.begin()[0];
      return step === undefined ? (played.run.outcome?.outcome ?? 'nothing') : roleOf(step);
    };
    expect(play([])).toBe('exhausted');
    expect(play(['old'])).toBe('commit');
  });

  it('is blocked, and says by what, when a task waits for one that failed [X3]', () => {
    const tasks = [simulatedTask('a'), simulatedTask('b', { dependsOn: ['a'] })];
    const played = playRun({ tasks, config: { budget: simulatedBudget({ attemptsPerTask: 1 }) } });
    built(played);
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.settle();
    expect(played.run.outcome).toEqual({
      outcome: 'blocked',
      reason: 'b waits for a; a failed: the only attempt was used; the last one: works: exit 1',
    });
  });

  it('is exhausted when a session is needed and none may be started [X1] [X3]', () => {
    const budget = { ...simulatedConfig().budget, sessions: 1 };
    const played = playRun({ tasks: [simulatedTask('main')], config: { budget } });
    built(played);
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.settle();
    expect(played.run.outcome).toEqual({
      outcome: 'exhausted',
      reason: 'the budget of 1 session is used up',
    });
  });

  it('ends what runs when the time is used up, and is exhausted then [X1]', () => {
    const budget = { ...simulatedConfig().budget, activeMs: 60_000 };
    const played = playRun({ tasks: [simulatedTask('main', { criteria: [] })], config: { budget } });
    played.prepare();
    const builder = played.beginOne();
    expect(played.decide().wakeAt).toBe(played.run.now + 60_000);
    played.pass(60_000);
    expect(played.decide().steer).toMatchObject([{ stepId: builder.stepId, kind: 'kill' }]);
    played.endSession(builder, { ending: { kind: 'cancelled', reason: 'time' } });
    played.settle();
    expect(played.run.outcome?.outcome).toBe('exhausted');
  });

  it('does not count the time of a pause, nor the time in which nobody drove [X1]', () => {
    const played = playRun({ tasks: [simulatedTask('main', { criteria: [] })] });
    played.pass(10);
    played.ask({ kind: 'pause', why: 'lunch' });
    played.settle();
    played.pass(1000);
    played.ask({ kind: 'resume' });
    played.settle();
    played.pass(20);
    played.record({ type: 'driver-left', reason: 'told to' });
    played.pass(5000);
    played.takeOver();
    played.pass(30);
    expect(played.run.activeMs).toBe(60);
  });
});
