import { describe, expect, it } from 'vitest';
import {
  commandCriterion,
  personCriterion,
  playRun,
  simulatedConfig,
  simulatedBudget,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import { replay } from '#kernel/fold/apply.ts';
import type { Control } from '#kernel/events/control.ts';
import { exitCodes } from '#kernel/model/outcome.ts';

function playing(criteria = [commandCriterion('works')], more: string[] = []): PlayedRun {
  const tasks = [simulatedTask('main', { criteria }), ...more.map((id) => simulatedTask(id))];
  const played = playRun({ tasks });
  played.prepare();
  if (criteria.length > 0) played.endCheck(played.beginOne(), { works: 'fail' });
  return played;
}

function ask(played: PlayedRun, control: Control): string {
  const id = played.ask(control);
  played.settle();
  return played.run.controls.get(id) ?? 'forgotten';
}

describe('Pause and resume', () => {
  it('A pause interrupts a running session and starts nothing, and a resume continues the same session [Q5]', () => {
    const played = playing();
    const builder = played.beginOne();
    expect(ask(played, { kind: 'pause', why: 'lunch' })).toBe('applied');
    expect(played.decide()).toMatchObject({
      start: [],
      steer: [{ stepId: builder.stepId, kind: 'interrupt' }],
      waitingFor: 'lunch',
    });
    played.endSession(builder, { ending: { kind: 'interrupted', resumeId: 'abc' }, endTree: 'half' });
    expect(played.begin()).toEqual([]);
    expect(ask(played, { kind: 'resume' })).toBe('applied');
    expect(played.beginOne()).toMatchObject({
      baseTree: 'half',
      deed: { role: 'builder', attempt: 1, resume: 'abc' },
    });
  });

  it('A pause with --now ends a session that cannot be interrupted; its attempt continues with the same files and prompt [Q5]', () => {
    const played = playing();
    ask(played, { kind: 'tell', text: 'use the parser' });
    const builder = played.beginOne();
    const { stepId } = builder;
    ask(played, { kind: 'pause', why: 'lunch' });
    expect(played.decide().steer).toEqual([{ stepId, kind: 'interrupt' }]);
    expect(ask(played, { kind: 'pause', why: 'lunch', now: true })).toBe('applied');
    expect(played.decide()).toMatchObject({ start: [], steer: [{ stepId, kind: 'kill', reason: 'paused' }] });
    expect(ask(played, { kind: 'pause', why: 'lunch', now: true })).toBe('refused');
    played.endSession(builder, {
      ending: { kind: 'cancelled', reason: 'paused' },
      signal: null,
      endTree: 'half',
    });
    expect(played.begin()).toEqual([]);
    ask(played, { kind: 'resume' });
    const again = played.beginOne();
    expect(again).toMatchObject({ baseTree: 'half', deed: { role: 'builder', attempt: 1, resume: null } });
    expect(again.deed).toMatchObject({ prompt: expect.stringContaining('use the parser') as string });
    expect(played.run.tasks.get('main')).toMatchObject({ failures: { count: 0 }, attempt: 1 });
    // A later pause does not inherit the options of an earlier one.
    ask(played, { kind: 'pause', why: 'tea' });
    expect(played.decide().steer).toMatchObject([{ kind: 'interrupt' }]);
  });

  it('A pause of a paused run and a resume of a running one are refused [Q5]', () => {
    const played = playing();
    expect(ask(played, { kind: 'resume' })).toBe('refused');
    ask(played, { kind: 'pause', why: 'lunch' });
    expect(ask(played, { kind: 'pause', why: 'again' })).toBe('refused');
  });

  it('A resume raises limits and never lowers them [X1]', () => {
    const played = playing();
    expect(ask(played, { kind: 'resume', budget: { sessions: 50, usd: 1 } })).toBe('applied');
    expect(played.run.budget).toEqual({ ...simulatedConfig().budget, sessions: 50 });
  });

  it('A resume with another setup command changes the setup of the run, even if nothing is paused [Q5]', () => {
    const played = playing();
    expect(ask(played, { kind: 'resume', setup: 'npm install' })).toBe('applied');
    expect(played.run.config.setup).toEqual({ command: 'npm install', isDetected: false, copy: [] });
    expect(ask(played, { kind: 'resume', setup: false })).toBe('applied');
    expect(played.run.config.setup).toEqual({ command: null, isDetected: false, copy: [] });
    expect(replay(played.events).config.setup.command).toBeNull();
  });

  it('Until a builder has started, another setup command prepares the run and checks its base again [Q5] [X7]', () => {
    const played = playing();
    ask(played, { kind: 'resume', setup: 'npm install' });
    const prepare = played.beginOne();
    expect(prepare.deed).toEqual({ kind: 'prepare' });
    const prepared = { kind: 'prepare', baseCommit: 'c0', baseTree: 'base', branch: 'b', pins: [] } as const;
    played.record({ type: 'step-ended', stepId: prepare.stepId, result: prepared });
    const again = played.beginOne();
    expect(again.deed).toMatchObject({ kind: 'check', purpose: 'base' });
    played.endCheck(again, { works: 'fail' });
    expect(played.beginOne().deed).toMatchObject({ kind: 'session', role: 'builder' });
  });

  it('Once a builder has started, another setup command changes neither its checkout nor earlier results [Q5]', () => {
    const played = playing();
    const builder = played.beginOne();
    expect(ask(played, { kind: 'resume', setup: 'npm install' })).toBe('applied');
    expect(played.run.arePinsDue).toBe(false);
    expect(played.run.tasks.get('main')?.evidence.get('works')?.base?.verdict).toBe('fail');
    expect([...played.run.running.keys()]).toEqual([builder.stepId]);
  });

  it('A run parks on an error of the environment, and continues after a person has fixed it', () => {
    const played = playing();
    const builder = played.beginOne();
    played.record({
      type: 'step-ended',
      stepId: builder.stepId,
      result: { kind: 'refused', reason: 'the disk is full', hint: 'Free some space' },
    });
    expect(played.settle().waitingFor).toBe('the disk is full. Free some space');
    ask(played, { kind: 'resume' });
    expect(played.beginOne().deed).toMatchObject({ role: 'builder', attempt: 1 });
  });
});

describe('Stop', () => {
  it('A stop interrupts the sessions, and the run ends when they are over [Q5] [X3]', () => {
    const played = playing();
    const builder = played.beginOne();
    ask(played, { kind: 'stop', now: false, why: 'enough' });
    expect(played.decide().steer).toEqual([{ stepId: builder.stepId, kind: 'interrupt' }]);
    expect(played.run.outcome).toBeNull();
    played.endSession(builder, {});
    played.settle();
    expect(played.run.outcome).toEqual({ outcome: 'stopped', reason: 'enough' });
    expect(exitCodes.stopped).toBe(5);
  });

  it('A stop with --now kills every running step, also after a gentle stop [Q5]', () => {
    const played = playing();
    const builder = played.beginOne();
    ask(played, { kind: 'stop', now: false, why: 'enough' });
    ask(played, { kind: 'stop', now: true, why: 'now' });
    ask(played, { kind: 'stop', now: false, why: 'please' });
    expect(played.decide().steer).toEqual([{ stepId: builder.stepId, kind: 'kill', reason: 'stopped' }]);
  });
});

describe('Messages to a builder', () => {
  it('A message reaches the running builder at once, and the next prompt [Q5]', () => {
    const played = playing();
    const builder = played.beginOne();
    played.ask({ kind: 'tell', text: 'use tabs' });
    expect(played.decide().steer).toEqual([{ stepId: builder.stepId, kind: 'text', text: 'use tabs' }]);
    played.settle();
    played.endSession(builder, { endTree: 'work' });
    played.endCheck(played.beginOne(), { works: 'fail' });
    expect(promptOf(played)).toContain('- use tabs');
  });

  it.each([
    ['is lost', null],
    ['is ended with its driver', { kind: 'cancelled', reason: 'its driver was gone' } as const],
  ])('A message is sent again when the session that carried it %s [Q5]', (_title, ending) => {
    const played = playing();
    ask(played, { kind: 'tell', text: 'use tabs' });
    const builder = played.beginOne();
    if (ending === null)
      played.record({ type: 'step-lost', stepId: builder.stepId, reason: 'host died', usage: null });
    else played.endSession(builder, { ending });
    expect(promptOf(played)).toContain('- use tabs');
  });

  it('A message is sent once to a session that received it', () => {
    const played = playing();
    ask(played, { kind: 'tell', text: 'use tabs' });
    played.endSession(played.beginOne(), { endTree: 'work' });
    played.endCheck(played.beginOne(), { works: 'fail' });
    expect(promptOf(played)).not.toContain('use tabs');
  });
});

describe('Skip, retry and add-task', () => {
  it('A skip ends the work on a task, and the run completes without it [Q5]', () => {
    const played = playing([commandCriterion('works')], ['other']);
    const builder = played.beginOne();
    expect(ask(played, { kind: 'skip', taskId: 'main', why: 'later' })).toBe('applied');
    expect(played.settle()).toMatchObject({ start: [], steer: [{ stepId: builder.stepId, kind: 'kill' }] });
    played.endSession(builder, { ending: { kind: 'cancelled', reason: 'skipped' } });
    expect(played.run.tasks.get('main')?.status).toMatchObject({ reason: 'skipped by ann: later' });
    expect(played.run.tasks.get('other')?.status.is).toBe('ready');
    expect(ask(played, { kind: 'skip', taskId: 'main', why: 'again' })).toBe('refused');
    expect(ask(played, { kind: 'skip', taskId: 'nobody', why: 'what?' })).toBe('refused');
  });

  it.each([
    ['a hopeless session', { kind: 'failed', errorClass: 'authentication', detail: 'no' } as const],
    ['a client that is not there', { kind: 'not-started', reason: 'no such client' } as const],
  ])('A retry after %s starts a new attempt [Q5]', (_title, ending) => {
    const played = playRun({
      tasks: [simulatedTask('main', { criteria: [] }), simulatedTask('other', { criteria: [] })],
    });
    played.prepare();
    played.endSession(played.beginOne(), { ending });
    const other = played.beginOne();
    expect(played.run.tasks.get('main')?.status.is).toBe('failed');
    expect(ask(played, { kind: 'retry', taskId: 'main' })).toBe('applied');
    expect(ask(played, { kind: 'retry', taskId: 'main' })).toBe('refused');
    ask(played, { kind: 'skip', taskId: 'other', why: 'only main' });
    played.endSession(other, { ending: { kind: 'cancelled', reason: 'skipped' } });
    expect(played.beginOne()).toMatchObject({ taskId: 'main', deed: { role: 'builder', attempt: 2 } });
  });

  it('A retried task gets all its attempts again [Q5]', () => {
    const played = playRun({
      tasks: [simulatedTask('main'), simulatedTask('other', { criteria: [] })],
      config: { budget: simulatedBudget({ attemptsPerTask: 1 }) },
    });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.endSession(played.beginOne(), { endTree: 'work' });
    played.endCheck(played.beginOne(), { works: 'fail' });
    const other = played.beginOne();
    expect(played.run.tasks.get('main')).toMatchObject({ status: { is: 'failed', as: 'exhausted' } });
    ask(played, { kind: 'retry', taskId: 'main' });
    ask(played, { kind: 'skip', taskId: 'other', why: 'only main' });
    played.endSession(other, { ending: { kind: 'cancelled', reason: 'skipped' } });
    expect(played.beginOne().deed).toMatchObject({ role: 'builder', attempt: 2 });
  });

  it('A task can be added at any moment, unless it exists already or depends on an unknown task [Q5]', () => {
    const played = playing();
    const add = (id: string, dependsOn: string[] = []): string =>
      ask(played, { kind: 'add-task', task: simulatedTask(id, { dependsOn }) });
    expect(add('more', ['main'])).toBe('applied');
    expect(played.run.tasks.get('more')).toMatchObject({ status: { is: 'waiting', unmet: 1 } });
    expect(add('more')).toBe('refused');
    expect(add('lost', ['nobody'])).toBe('refused');
  });

  it('An added task runs before less urgent tasks that have not started [Q5] [Q1]', () => {
    const played = playRun({
      tasks: [
        simulatedTask('begun', { rank: 3 }),
        simulatedTask('high', { rank: 1 }),
        // A task is as urgent as the tasks that depend on it.
        simulatedTask('needed', { rank: 3 }),
        simulatedTask('waits', { rank: 1, dependsOn: ['needed'] }),
        simulatedTask('usual'),
        simulatedTask('low', { rank: 3 }),
      ],
    });
    played.prepare();
    played.endCheck(played.beginOne(), {});
    played.beginOne();
    for (const [id, rank] of [
      ['urgent', 0],
      ['next', 1],
      ['more', 2],
      ['last', 3],
    ] as const)
      expect(ask(played, { kind: 'add-task', task: simulatedTask(id, { rank }) })).toBe('applied');
    const order = ['begun', 'urgent', 'high', 'needed', 'waits', 'next', 'usual', 'more', 'low', 'last'];
    expect([...played.run.tasks.keys()]).toEqual(order);
    expect(played.run.queue.ready.map(({ spec }) => spec.id)).toEqual(
      order.filter((id) => id !== 'begun' && id !== 'waits'),
    );
    expect([...played.run.tasks.values()].map(({ index }) => index)).toEqual(order.map((_, index) => index));
    expect(replay(played.events)).toEqual(played.run);
  });

  it('An added task may have its own agent, but no role or agent that the run lacks [Q5] [C8]', () => {
    const played = playing();
    const add = (id: string, role: string, name: string): string | undefined => {
      const agents = { [role]: { name, model: 'big' } };
      ask(played, { kind: 'add-task', task: simulatedTask(id, { agents }) });
      return played.events
        .flatMap((event) => (event.type === 'control-refused' ? [event.reason] : []))
        .at(-1);
    };
    expect(add('own', 'builder', 'simulated')).toBeUndefined();
    expect(played.run.tasks.get('own')?.spec.agents).toEqual({
      builder: { name: 'simulated', model: 'big' },
    });
    expect(add('b', 'builder', 'stranger')).toBe(
      'task b names the agent stranger; this run was started with simulated',
    );
    expect(add('r', 'reviewer', 'simulated')).toBe(
      'task r names an agent for the reviewer, and this run has no such role',
    );
    expect([...played.run.tasks.keys()]).toEqual(['main', 'own']);
  });
});

describe('Answers and verdicts of a person', () => {
  it('An answer counts for the question that was asked and for no other [Q5]', () => {
    const played = playing();
    played.endSession(played.beginOne(), { ending: { kind: 'interrupted', resumeId: 'x' } });
    played.record({ type: 'question-asked', taskId: 'main', questionId: 'q1', question: 'Which?' });
    expect(played.settle().waitingFor).toBe('an answer to "Which?"');
    expect(ask(played, { kind: 'answer', questionId: 'q2', text: 'no' })).toBe('refused');
    expect(ask(played, { kind: 'answer', questionId: 'q1', text: 'the red one' })).toBe('applied');
    expect(promptOf(played)).toContain('The answer: the red one');
    expect(ask(played, { kind: 'answer', questionId: 'q1', text: 'no, blue' })).toBe('refused');
  });

  it('An approval counts for one tree, from a person only, and never for another tree [Q5]', () => {
    const played = playing([commandCriterion('works'), personCriterion]);
    played.endSession(played.beginOne(), { endTree: 'work' });
    played.endCheck(played.beginOne(), {});
    expect(played.settle().waitingFor).toBe("a person's approval: Is it good?");
    const about = { taskId: 'main', criterionId: 'person', tree: 'work' };
    expect(ask(played, { kind: 'approve', ...about, tree: 'base' })).toBe('refused');
    expect(ask(played, { kind: 'approve', ...about, criterionId: 'works' })).toBe('refused');
    expect(ask(played, { kind: 'approve', ...about, criterionId: 'nothing' })).toBe('refused');
    expect(ask(played, { kind: 'approve', ...about })).toBe('applied');
    expect(played.beginOne().deed).toMatchObject({ kind: 'commit' });
  });

  it('A rejection by a person starts a new attempt with the reason [Q5]', () => {
    const played = playing([commandCriterion('works'), personCriterion]);
    played.endSession(played.beginOne(), { endTree: 'work' });
    played.endCheck(played.beginOne(), {});
    ask(played, { kind: 'reject', taskId: 'main', criterionId: 'person', tree: 'work', why: 'ugly' });
    expect(promptOf(played)).toMatch(/rejected by ann at 1970-\S+Z: ugly/);
  });
});

describe('Controls at the wrong time', () => {
  it('Each request after the end is refused with a reason [Q5]', () => {
    const played = playing();
    ask(played, { kind: 'stop', now: true, why: 'enough' });
    played.settle();
    expect(played.run.outcome?.outcome).toBe('stopped');
    const id = played.ask({ kind: 'resume' });
    const { record, start } = played.decide();
    expect(record).toEqual([{ type: 'control-refused', id, reason: 'the run has ended: stopped' }]);
    expect(start).toEqual([]);
  });

  it('Several requests are judged one by one, each after the effect of the earlier ones [Q5]', () => {
    const played = playing();
    const ids = [
      played.ask({ kind: 'pause', why: 'one' }),
      played.ask({ kind: 'pause', why: 'two' }),
      played.ask({ kind: 'resume' }),
    ];
    played.settle();
    expect(ids.map((id) => played.run.controls.get(id))).toEqual(['applied', 'refused', 'applied']);
    expect(played.run.pending).toEqual([]);
  });
});

function promptOf(played: PlayedRun): string {
  const { deed } = played.beginOne();
  if (deed.kind !== 'session') throw new Error('a session was expected');
  return deed.prompt;
}
