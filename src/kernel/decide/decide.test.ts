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

/** Plays one task up to the end of its first builder session. */
function built(played: PlayedRun, tree = 'work'): void {
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  played.endSession(played.beginOne(), { endTree: tree });
}

function roleOf(step: Step): string {
  return step.deed.kind === 'session' ? step.deed.role : step.deed.kind;
}

describe('The start of a run', () => {
  it('A run prepares first, then checks the base, and only then pays for a session [X7]', () => {
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

  it('Slow checks of the base run beside the first session, and landing waits for them [X7]', () => {
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

  it('Sessions that start together count against one budget [X1]', () => {
    const budget = { ...simulatedConfig().budget, sessions: 1 };
    const tasks = [simulatedTask('a', { criteria: [] }), simulatedTask('b', { criteria: [] })];
    const played = playRun({ tasks, config: { budget, policy: simulatedPolicy({ parallel: 2 }) } });
    played.prepare();
    expect(played.begin().map((step) => step.taskId)).toEqual(['a']);
  });

  it('Sessions that start together never reserve more money than there is [X1]', () => {
    const budget = { ...simulatedConfig().budget, usd: 6, sessionUsd: 5 };
    const tasks = [simulatedTask('a', { criteria: [] }), simulatedTask('b', { criteria: [] })];
    const played = playRun({ tasks, config: { budget, policy: simulatedPolicy({ parallel: 2 }) } });
    played.prepare();
    expect(played.begin().map((step) => step.reserve.usd)).toEqual([5, 1]);
  });

  it('Sessions of one role that start together have different numbers, so that each has its own log [B9]', () => {
    const tasks = [simulatedTask('a', { criteria: [] }), simulatedTask('b', { criteria: [] })];
    const played = playRun({ tasks, config: { policy: simulatedPolicy({ parallel: 2 }) } });
    played.prepare();
    const ordinals = played.begin().map(({ deed }) => (deed.kind === 'session' ? deed.ordinal : null));
    expect(ordinals).toEqual([1, 2]);
  });

  it('A task starts only when all its dependencies have landed', () => {
    const tasks = [simulatedTask('a'), simulatedTask('b', { dependsOn: ['a'] }), simulatedTask('c')];
    const played = playRun({ tasks, config: { policy: simulatedPolicy({ parallel: 3 }) } });
    played.prepare();
    expect(played.begin().map((step) => step.taskId)).toEqual(['a', 'c']);
  });
});

describe('Landing', () => {
  it('Tasks land one at a time, and the second is built again on the first', () => {
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

  it('Work that a person rejected after its proof does not land', () => {
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

  it('A verdict on work that is being committed is refused', () => {
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

describe('The end of a run', () => {
  it('A run completes after an acceptance on a clean checkout by the same driver [X3]', () => {
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

  it('A run is accepted again before it completes when the accepting driver died before it recorded the end [X3]', () => {
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

  it('A task whose check fails on the clean checkout is reopened [X10]', () => {
    const played = playRun({ tasks: [simulatedTask('main')] });
    built(played);
    played.endCheck(played.beginOne(), {});
    played.endCommit(played.beginOne(), 'c1');
    played.endCheck(played.beginOne(), { works: 'fail' });
    const again = played.beginOne();
    expect(again).toMatchObject({ baseTree: 'work', deed: { role: 'builder', attempt: 2 } });
  });

  it('A run without any check or reviewer is unverified, never completed [X3]', () => {
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

  it('Work whose checks were all green before it began is unverified [X7]', () => {
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

  it('Work that was green before completes after a review [X7]', () => {
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

  it('A check that was red before is forgiven only where a setting lists it [X7]', () => {
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

  it('A run is blocked, and names the blocker, when a task depends on a failed one [X3]', () => {
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

  it('A run is exhausted when it needs a session and none may be started [X1] [X3]', () => {
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

  it('A run ends its steps when its time is used up, and is then exhausted [X1]', () => {
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

  it('The time of a pause and the time without a driver do not count [X1]', () => {
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
