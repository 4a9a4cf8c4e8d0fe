// A person retries tasks, also of a finished run.
import { describe, expect, it } from 'vitest';
import { queue } from '#policies/presets/queue.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import {
  commandCriterion,
  playRun,
  personCriterion,
  reviewerCriterion,
  simulatedBudget,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import { attentionItems } from '#views/questions/attention-items.ts';
import { replay } from '#kernel/fold/apply.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Control } from '#kernel/events/control.ts';
import type { Step } from '#kernel/model/step.ts';
import type { Task } from '#kernel/model/task.ts';

function playing(
  tasks: { readonly [id: string]: Partial<Task> },
  config: Partial<RunConfig> = {},
): PlayedRun {
  const played = playRun({
    tasks: Object.entries(tasks).map(([id, given]) =>
      simulatedTask(id, { criteria: [commandCriterion('works')], ...given }),
    ),
    config: { preset: 'queue', budget: simulatedBudget({ attemptsPerTask: 1 }), ...config },
    policy: queue.policy,
  });
  played.prepare();
  return played;
}

function firstSession(played: PlayedRun): Step {
  played.endCheck(played.beginOne(), { works: 'fail' });
  return played.beginOne();
}

function fail(played: PlayedRun, builder: Step): void {
  played.endSession(builder, { endTree: 'bad' });
  played.endCheck(played.beginOne(), { works: 'fail' });
  played.settle();
}

function land(played: PlayedRun, builder: Step, tree: string): void {
  played.endSession(builder, { endTree: tree });
  played.endCheck(played.beginOne(), { works: 'pass' });
  played.endCommit(played.beginOne(), `c-${tree}`);
  played.settle();
}

/** Records the control without a driver, then lets the next driver apply it. */
function askAfterwards(played: PlayedRun, control: Control): string | undefined {
  const id = played.ask(control);
  played.settle();
  const state = played.run.controls.get(id);
  played.takeOver();
  return state;
}

function again(played: PlayedRun): void {
  played.endCheck(played.beginOne(), {});
  played.settle();
}

const statuses = ({ run }: PlayedRun) => [...run.tasks.values()].map(({ status }) => status.is);

describe('A task of a finished run', () => {
  it('A retried task reopens the run: landed work is not paid again, spending counts, and the end is superseded [Q2] [Q5]', () => {
    const played = playing({ a: {}, b: {} });
    land(played, firstSession(played), 'one');
    fail(played, firstSession(played));
    expect(played.run.outcome).toMatchObject({ outcome: 'exhausted' });
    const { sessions } = played.run.ledger.spent;
    expect(askAfterwards(played, { kind: 'retry', taskId: 'b' })).toBe('applied');
    expect(played.run.outcome).toBeNull();
    expect(played.run.reopenings).toMatchObject([{ by: 'ann', ended: { outcome: 'exhausted' } }]);
    played.prepare();
    const builder = played.beginOne();
    expect(builder).toMatchObject({ taskId: 'b', deed: { role: 'builder', attempt: 2 } });
    land(played, builder, 'two');
    expect(played.run.ledger.spent.sessions).toBe(sessions + 1);
    again(played);
    expect(played.run.outcome).toMatchObject({ outcome: 'completed' });
    expect(played.run.tip?.commit).toBe('c-two');
    expect(replay(played.events)).toEqual(played.run);
  });

  it('A task is reopened once: a second request is refused because it is open [Q5]', () => {
    const played = playing({ a: {} });
    fail(played, firstSession(played));
    expect(askAfterwards(played, { kind: 'retry', taskId: 'a' })).toBe('applied');
    expect(askAfterwards(played, { kind: 'retry', taskId: 'a' })).toBe('refused');
    expect(played.run.reopenings).toHaveLength(1);
  });

  it.each([
    ['is done', 'a'],
    ['nobody knows', 'nobody'],
    ['waits for one that was given up', 'c'],
  ])('A task that %s cannot be reopened, and the run stays over [Q5]', (_title, taskId) => {
    const played = playing({ a: {}, b: {}, c: { dependsOn: ['b'] } });
    land(played, firstSession(played), 'one');
    fail(played, firstSession(played));
    expect(played.run.outcome).toMatchObject({ outcome: 'blocked' });
    expect(askAfterwards(played, { kind: 'retry', taskId })).toBe('refused');
    expect(played.run.outcome).toMatchObject({ outcome: 'blocked' });
    expect(askAfterwards(played, { kind: 'add-task', task: simulatedTask('d') })).toBe('refused');
  });

  it('A task can be skipped after the end, and its dependents continue [Q5]', () => {
    const played = playing({ a: {}, b: { dependsOn: ['a'] } });
    fail(played, firstSession(played));
    expect(askAfterwards(played, { kind: 'skip', taskId: 'a', why: 'not needed' })).toBe('applied');
    played.prepare();
    land(played, firstSession(played), 'two');
    again(played);
    expect(played.run.outcome?.outcome).toBe('completed');
    expect(played.run.outcome?.reason).toContain('skipped: a');
  });

  it('A skipped task can be retried, and still waits for its dependencies [Q5]', () => {
    const played = playing({ a: {}, b: { dependsOn: ['a'] } });
    const builder = firstSession(played);
    expect(askAfterwards(played, { kind: 'skip', taskId: 'b', why: 'later' })).toBe('applied');
    expect(askAfterwards(played, { kind: 'retry', taskId: 'b' })).toBe('applied');
    expect(statuses(played)).toEqual(['active', 'waiting']);
    expect(askAfterwards(played, { kind: 'skip', taskId: 'b', why: 'later' })).toBe('applied');
    land(played, builder, 'one');
    again(played);
    expect(played.run.outcome).toMatchObject({ outcome: 'completed' });
    expect(askAfterwards(played, { kind: 'retry', taskId: 'b' })).toBe('applied');
    played.prepare();
    land(played, firstSession(played), 'two');
    again(played);
    expect(statuses(played)).toEqual(['landed', 'landed']);
    expect(played.run.outcome?.reason).not.toContain('skipped');
    expect(replay(played.events)).toEqual(played.run);
  });

  it('A skipped task that is retried makes its dependents wait again [Q5]', () => {
    const played = playing({ a: {}, b: {}, c: { dependsOn: ['b'] }, d: { dependsOn: ['c', 'b'] } });
    const builder = firstSession(played);
    askAfterwards(played, { kind: 'skip', taskId: 'b', why: 'later' });
    expect(statuses(played)).toEqual(['active', 'skipped', 'ready', 'waiting']);
    askAfterwards(played, { kind: 'retry', taskId: 'b' });
    expect(statuses(played)).toEqual(['active', 'ready', 'waiting', 'waiting']);
    for (const id of ['a', 'b', 'c', 'd']) {
      const session = id === 'a' ? builder : firstSession(played);
      expect(session.taskId).toBe(id);
      land(played, session, `work-${id}`);
    }
  });

  it('A task that a stop cut short continues, and a new stop ends it again [Q5] [X3]', () => {
    const played = playing({ a: {}, b: {} });
    const builder = firstSession(played);
    played.ask({ kind: 'stop', now: false, why: 'enough' });
    played.settle();
    played.endSession(builder, { ending: { kind: 'interrupted', resumeId: 'abc' }, endTree: 'half' });
    played.settle();
    expect(played.run.outcome).toMatchObject({ outcome: 'stopped' });
    expect(askAfterwards(played, { kind: 'retry', taskId: 'a' })).toBe('applied');
    played.prepare();
    const next = played.beginOne();
    expect(next).toMatchObject({ baseTree: 'half', deed: { attempt: 1, resume: 'abc' } });
    played.ask({ kind: 'stop', now: true, why: 'really' });
    played.settle();
    played.endSession(next, { endTree: 'half' });
    played.settle();
    expect(played.run.outcome).toEqual({ outcome: 'stopped', reason: 'really' });
  });

  it('A task that had not started when the run was stopped starts once [Q5]', () => {
    const played = playing({ a: {} });
    played.ask({ kind: 'stop', now: false, why: 'enough' });
    played.settle();
    expect(askAfterwards(played, { kind: 'retry', taskId: 'a' })).toBe('applied');
    expect(played.run.queue.ready).toHaveLength(1);
    played.prepare();
    expect(firstSession(played).deed).toMatchObject({ role: 'builder', attempt: 1 });
  });

  it('Work that waits for a person still does so after a reopening, and is not built again [Q5] [K8]', () => {
    const played = playing({ a: { criteria: [commandCriterion('works'), personCriterion] } });
    played.endSession(firstSession(played), { endTree: 'work' });
    played.endCheck(played.beginOne(), {});
    played.ask({ kind: 'stop', now: false, why: 'enough' });
    played.settle();
    askAfterwards(played, { kind: 'retry', taskId: 'a' });
    played.prepare();
    expect(played.begin()).toEqual([]);
    expect(attentionItems(played.run)).toMatchObject([
      { kind: 'verdict', criterionId: 'person', tree: 'work' },
    ]);
    played.ask({ kind: 'approve', taskId: 'a', criterionId: 'person', tree: 'work' });
    expect(played.beginOne().deed.kind).toBe('commit');
  });

  it('A task that a stop killed in its only attempt gets a new one [Q5]', () => {
    const played = playing({ a: {} });
    const builder = firstSession(played);
    played.ask({ kind: 'stop', now: true, why: 'enough' });
    played.settle();
    played.endSession(builder, { ending: { kind: 'cancelled', reason: 'stopped' }, endTree: 'half' });
    played.settle();
    askAfterwards(played, { kind: 'retry', taskId: 'a' });
    played.prepare();
    expect(played.beginOne().deed).toMatchObject({ role: 'builder', attempt: 2 });
  });

  it('A reopened run without a raised budget ends as exhausted again [X1]', () => {
    const played = playing({ a: {} }, { budget: simulatedBudget({ attemptsPerTask: 3, sessions: 1 }) });
    fail(played, firstSession(played));
    expect(played.run.outcome).toMatchObject({ outcome: 'exhausted' });
    askAfterwards(played, { kind: 'retry', taskId: 'a' });
    played.prepare();
    expect(played.begin()).toEqual([]);
    expect(played.run.outcome).toMatchObject({ outcome: 'exhausted' });
    askAfterwards(played, { kind: 'retry', taskId: 'a' });
    expect(askAfterwards(played, { kind: 'resume', budget: { sessions: 2 } })).toBe('applied');
    played.prepare();
    expect(played.beginOne().deed).toMatchObject({ role: 'builder', attempt: 2 });
  });

  it('The entry criterion that blocked a task is checked again before the task starts [C5]', () => {
    const open = commandCriterion('open', { kind: 'entry' });
    const played = playing({ a: { criteria: [open, commandCriterion('works')] } });
    played.endCheck(played.beginOne(), { open: 'fail', works: 'fail' });
    played.settle();
    expect(played.run.outcome).toMatchObject({ outcome: 'blocked' });
    askAfterwards(played, { kind: 'retry', taskId: 'a' });
    played.prepare();
    played.endCheck(played.beginOne(), { open: 'pass', works: 'fail' });
    expect(played.beginOne().deed).toMatchObject({ role: 'builder', attempt: 1 });
  });

  it('A retried task is reviewed again, even if its work is unchanged since a reviewer refused it [Q10]', () => {
    const played = playing({ a: { criteria: [commandCriterion('works'), reviewerCriterion] } });
    const review = (builder: Step): Step => {
      played.endSession(builder, { endTree: 'same' });
      played.endCheck(played.beginOne(), { works: 'pass' });
      return played.beginOne();
    };
    played.endSession(review(firstSession(played)), { signal: { kind: 'report', text: 'wrong' } });
    played.settle();
    expect(played.run.outcome).not.toBeNull();
    askAfterwards(played, { kind: 'retry', taskId: 'a' });
    played.prepare();
    expect(review(played.beginOne()).deed).toMatchObject({ role: 'verifier' });
  });

  it('A task that a security-critical failure stopped is built again, and stops the run again if it fails again [Q8]', () => {
    const played = playing({ a: { securityCritical: true }, b: {} });
    fail(played, firstSession(played));
    expect(played.run.outcome).toMatchObject({ outcome: 'stopped' });
    askAfterwards(played, { kind: 'retry', taskId: 'a' });
    played.prepare();
    fail(played, played.beginOne());
    expect(played.run.outcome).toMatchObject({ outcome: 'stopped' });
    expect(statuses(played)).toEqual(['failed', 'ready']);
  });

  it('A task is not reopened where the run belonged to an attached session [K11]', () => {
    const played = playing({ a: {} }, { foreign: { client: 'claude', sessionId: 's' } });
    fail(played, firstSession(played));
    expect(askAfterwards(played, { kind: 'retry', taskId: 'a' })).toBe('refused');
  });
});

it('A run that was cleaned accepts no control [Q5]', () => {
  const played = playing({ a: {} });
  fail(played, firstSession(played));
  expect(played.run.outcome?.outcome).toBe('exhausted');
  played.record({ type: 'run-cleaned', by: 'ann', kept: ['journal'], removedBytes: 12 });
  for (const control of [
    { kind: 'retry', taskId: 'a' },
    { kind: 'skip', taskId: 'a', why: 'enough' },
  ] as const) {
    const id = played.ask(control);
    played.settle();
    expect([control.kind, played.run.controls.get(id)]).toEqual([control.kind, 'refused']);
  }
  expect(played.run.outcome?.outcome).toBe('exhausted');
  expect(played.run.reopenings).toEqual([]);
  expect(replay(played.events).cleaned).toMatchObject({ by: 'ann', kept: ['journal'], removedBytes: 12 });
});
