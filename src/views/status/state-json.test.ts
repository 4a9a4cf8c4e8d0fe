import { describe, expect, it } from 'vitest';
import { errorsMax } from '#kernel/fold/run-history.ts';
import type { Step } from '#kernel/model/step.ts';
import { builderVerifier } from '#policies/presets/builder-verifier.ts';
import { planOf, playCampaign, tasksNamed } from '#test/simulated/played-campaign.ts';
import { commandCriterion, playRun, simulatedBudget, simulatedTask } from '#test/simulated/simulated-run.ts';
import { stateJson } from './state-json.ts';

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function playAttempts(criteria: readonly string[], attemptsPerTask = 5) {
  const played = playRun({
    tasks: [simulatedTask('main', { criteria: criteria.map((id) => commandCriterion(id)) })],
    config: { budget: simulatedBudget({ attemptsPerTask, sessions: 1000, usd: 1e6, tokens: 1e9 }) },
    policy: builderVerifier.policy,
  });
  played.prepare();
  played.endCheck(played.beginOne(), Object.fromEntries(criteria.map((id) => [id, 'fail'])));
  return played;
}

describe('state.json', () => {
  it('A step has its completion time, and loses it when its check fails again [D3]', () => {
    const played = playAttempts(['a', 'b']);
    const steps = () => stateJson(played.run).steps;
    expect(steps().map(({ completedAt }) => completedAt)).toEqual([null, null]);
    played.endSession(played.beginOne(), { endTree: 't1', signal: { kind: 'done' } });
    played.endCheck(played.beginOne(), { a: 'pass', b: 'fail' });
    const [first, second] = steps();
    expect(first).toEqual({
      id: 'a',
      description: expect.any(String) as string,
      status: 'completed',
      attempts: 1,
      completedAt: expect.stringMatching(iso) as string,
    });
    expect(second).toMatchObject({ id: 'b', completedAt: null });
    expect(stateJson(played.run).execution).toEqual({ currentStep: 1, totalIterations: 1, totalRetries: 0 });
    played.settle();
    played.endSession(played.beginOne(), { endTree: 't2', signal: { kind: 'done' } });
    played.endCheck(played.beginOne(), { a: 'fail', b: 'pass' });
    expect(steps()).toMatchObject([
      { completedAt: null },
      { completedAt: expect.stringMatching(iso) as string },
    ]);
    expect(stateJson(played.run).execution.currentStep).toBe(0);
  });

  it('The error history has every failed attempt, oldest first, and is bounded [D3]', () => {
    const played = playAttempts(['a'], errorsMax + 10);
    const all = errorsMax + 5;
    for (let attempt = 1; attempt <= all; attempt += 1) {
      played.endSession(played.beginOne(), { endTree: `t${attempt}`, signal: { kind: 'done' } });
      played.endCheck(played.beginOne(), { a: 'fail' });
      played.settle();
      expect(stateJson(played.run).errors).toHaveLength(Math.min(attempt, errorsMax));
    }
    const { errors } = stateJson(played.run);
    expect(errors).toHaveLength(errorsMax);
    expect(errors[0]?.attempt).toBe(all - errorsMax + 1);
    expect(errors.at(-1)).toEqual({
      taskId: 'main',
      attempt: all,
      reason: expect.stringContaining('a') as string,
      at: expect.stringMatching(iso) as string,
    });
  });

  it('A campaign has the documented campaign statuses while it plans and works [D3] [C6]', () => {
    const played = playCampaign({
      plan: () => planOf(tasksNamed('T1', 'T2', 'T3')),
      verdict: (taskId) => (taskId === 'T2' ? 'fail' : 'pass'),
      planning: { milestones: [] },
    });
    const names = (): object => {
      const { status, runStatus, ...state } = stateJson(played.run);
      const { project_goal: goal, retry_counter: retries, metrics } = state;
      return { status, runStatus, goal, retries, metrics: Object.values(metrics ?? {}) };
    };
    const goal = played.run.config.goal;
    // Completed, failed, total.
    expect(names()).toEqual({
      status: 'PLANNING',
      runStatus: 'running',
      goal,
      retries: 0,
      metrics: [0, 0, 0],
    });
    const ofRole =
      (role: string) =>
      ({ deed }: Step): boolean =>
        deed.kind === 'session' && deed.role === role && deed.attempt !== 1;
    played.goOn((step) => step.taskId === 'T2' && ofRole('builder')(step));
    expect(names()).toEqual({
      status: 'EXECUTING',
      runStatus: 'running',
      goal,
      retries: 1,
      metrics: [1, 0, 3],
    });
  });

  it('A campaign whose task failed replans, and counts the failure [D3] [C6]', () => {
    const played = playCampaign({
      plan: (answer) => planOf(answer === 1 ? tasksNamed('T1', 'T2') : tasksNamed('T3')),
      verdict: (taskId) => (taskId === 'T2' ? 'fail' : 'pass'),
      planning: { milestones: [] },
    });
    let architects = 0;
    played.goOn(({ deed }) => {
      if (deed.kind === 'session' && deed.role === 'architect') architects += 1;
      return architects === 2;
    });
    expect(stateJson(played.run)).toMatchObject({
      status: 'PLANNING',
      metrics: { tasks_completed: 1, tasks_failed: 1, tasks_total: 2 },
    });
  });

  it('A campaign that reached its goal is COMPLETED [D3] [C5]', () => {
    const played = playCampaign({ plan: () => planOf(tasksNamed('T1', 'T2')), planning: { milestones: [] } });
    played.goOn();
    expect(stateJson(played.run)).toMatchObject({
      status: 'COMPLETED',
      runStatus: 'completed',
      retry_counter: 0,
      metrics: { tasks_completed: 2, tasks_failed: 0, tasks_total: 2 },
      steps: [
        { id: 'T1', status: 'completed', completedAt: expect.stringMatching(iso) as string },
        { id: 'T2', status: 'completed', completedAt: expect.stringMatching(iso) as string },
      ],
      execution: { currentStep: 2 },
    });
  });

  it('A campaign that did not reach its goal is never COMPLETED [D3] [C3]', () => {
    const played = playCampaign({ plan: () => ({ ...planOf([]), problems: ['no task'] }) });
    played.goOn();
    expect(stateJson(played.run)).toMatchObject({ status: 'FAILED', runStatus: 'failed' });
  });

  it('A run without planning keeps its status under both names, and has no campaign status [D3]', () => {
    const state = stateJson(playAttempts(['a']).run);
    expect(state).toMatchObject({ status: 'running', runStatus: 'running' });
    expect(Object.keys(state)).not.toContain('metrics');
  });
});
