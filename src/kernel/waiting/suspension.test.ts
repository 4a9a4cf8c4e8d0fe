// Suspended runs and tasks, as facts and decisions: no clock, no files, no commands.
import { describe, expect, it } from 'vitest';
import { replay } from '#kernel/fold/apply.ts';
import type { Control } from '#kernel/events/control.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import { defaultSuspension } from './suspension-settings.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import { commandCriterion, playRun, simulatedTask } from '#test/simulated/simulated-run.ts';
import type { Condition } from './condition.ts';
import { suspensionFor } from './suspension.ts';

const time: Condition = { kind: 'time', at: 50_000 };
const manual: Condition = { kind: 'manual' };
const poll: Condition = { kind: 'poll', command: 'true', everyMs: 1000, until: 90_000, timeoutMs: 1000 };

function playing(ids: readonly string[] = ['main'], config: Partial<RunConfig> = {}): PlayedRun {
  const tasks = ids.map((id) => simulatedTask(id, { criteria: [commandCriterion('works')] }));
  const played = playRun({ tasks, config });
  played.prepare();
  for (const step of played.begin()) played.endCheck(step, { works: 'fail' });
  return played;
}

function suspend(condition: Condition, more: Partial<Control & { kind: 'suspend' }> = {}): Control {
  return { kind: 'suspend', condition, why: 'CI', since: 1000, ...more };
}

function ask(played: PlayedRun, control: Control): string {
  const id = played.ask(control);
  played.settle();
  return played.run.controls.get(id) ?? 'forgotten';
}

function met(played: PlayedRun): void {
  const [suspensionId = ''] = played.run.suspensions.keys();
  played.record({ type: 'condition-met', suspensionId, what: 'the time came', seenAt: 50_000 });
}

/** The reason of the newest refusal. */
function refusal({ events }: PlayedRun): string {
  const last = events.findLast((event) => event.type === 'control-refused');
  return last?.type === 'control-refused' ? last.reason : '';
}

describe('Suspension of a whole run', () => {
  it('A suspended run interrupts its session, keeps the files and continues in the same conversation [U1] [U2]', () => {
    const played = playing();
    const builder = played.beginOne();
    expect(ask(played, suspend(time))).toBe('applied');
    expect(played.decide()).toMatchObject({
      start: [],
      steer: [{ stepId: builder.stepId, kind: 'interrupt' }],
      until: [{ kind: 'suspension', condition: time }],
      waitingFor: 'CI (waits until 1970-01-01 00:00 UTC)',
    });
    played.endSession(builder, { ending: { kind: 'interrupted', resumeId: 'abc' }, endTree: 'half' });
    expect(played.begin()).toEqual([]);
    met(played);
    expect(played.beginOne()).toMatchObject({ baseTree: 'half', deed: { attempt: 1, resume: 'abc' } });
  });

  it('A suspension with --now ends the session, and can be added to one that only interrupts [U1]', () => {
    const played = playing();
    const builder = played.beginOne();
    ask(played, suspend(time, { remindAt: 9000 }));
    expect(ask(played, suspend(time, { now: true }))).toBe('applied');
    expect(played.decide().steer).toMatchObject([{ stepId: builder.stepId, kind: 'kill' }]);
    expect(played.run.suspensions.size).toBe(1);
    expect(suspensionFor(played.run, null)).toMatchObject({ remindAt: 9000, why: 'CI', isNow: true });
    expect(ask(played, suspend(manual, { now: true }))).toBe('refused');
  });

  it('A suspension with --now also ends the session of a run that is paused, or suspended without it [U1]', () => {
    const played = playing();
    const builder = played.beginOne();
    ask(played, { kind: 'pause', why: 'lunch' });
    expect(played.decide().steer).toMatchObject([{ stepId: builder.stepId, kind: 'interrupt' }]);
    ask(played, suspend(time, { now: true }));
    expect(played.decide().steer).toMatchObject([{ stepId: builder.stepId, kind: 'kill' }]);

    const other = playing();
    const { stepId } = other.beginOne();
    ask(other, suspend(time));
    ask(other, suspend(manual, { taskId: 'main', now: true }));
    expect(other.decide().steer).toMatchObject([{ stepId, kind: 'kill' }]);
  });

  it('A second suspension of a run is refused, and the refusal names the current wait [U1]', () => {
    const played = playing();
    ask(played, suspend(time));
    expect(ask(played, suspend(manual))).toBe('refused');
    expect(refusal(played)).toBe(
      'the run is suspended already and waits until 1970-01-01 00:00 UTC; end that wait first',
    );
  });

  it('A suspended run can be stopped [U1]', () => {
    const played = playing();
    ask(played, suspend(time));
    ask(played, { kind: 'stop', now: true, why: 'enough' });
    expect(played.run.outcome).toMatchObject({ outcome: 'stopped' });
  });

  it('A suspension is refused where it is switched off, and for a run that has ended [U1]', () => {
    const off = playing(['main'], { suspension: { ...defaultSuspension, isEnabled: false } });
    expect(ask(off, suspend(time))).toBe('refused');
    expect(refusal(off)).toContain('suspension.enabled is false');
    const over = playing();
    ask(over, { kind: 'stop', now: true, why: 'enough' });
    expect(ask(over, suspend(time))).toBe('refused');
  });

  it('The time of a suspension does not count as active time [U1]', () => {
    const played = playing();
    ask(played, suspend(time));
    const before = played.run.activeMs;
    played.pass(30_000);
    expect(played.run.activeMs).toBe(before);
  });

  it('An invalid condition and an endless reason are refused [U1]', () => {
    const played = playing();
    const bad = [{ kind: 'time', at: Number.NaN }, { kind: 'any', of: [] }, { kind: 'tide' }, null];
    for (const condition of bad) expect(ask(played, suspend(condition as Condition))).toBe('refused');
    expect(ask(played, suspend(time, { why: 'x'.repeat(4001) }))).toBe('refused');
  });
});

describe('Suspension of one task', () => {
  it('While one task is suspended, another one is worked on [U1] [U4]', () => {
    const played = playing(['one', 'two']);
    expect(ask(played, suspend(time, { taskId: 'one' }))).toBe('applied');
    expect(played.beginOne()).toMatchObject({ taskId: 'two' });
    expect(played.decide().until).toMatchObject([{ kind: 'suspension' }]);
  });

  it('A session of a suspended task is interrupted, and no session of another task [U1]', () => {
    const played = playing(['one', 'two'], parallel(2));
    const sessions = played.begin();
    ask(played, suspend(time, { taskId: 'one' }));
    const own = sessions.find(({ taskId }) => taskId === 'one');
    expect(played.decide().steer).toEqual([{ stepId: own?.stepId, kind: 'interrupt' }]);
  });

  it('A suspension of an unknown or finished task is refused [U1]', () => {
    const played = playing(['one', 'two']);
    expect(ask(played, suspend(time, { taskId: 'three' }))).toBe('refused');
    ask(played, { kind: 'skip', taskId: 'one', why: 'not now' });
    expect(ask(played, suspend(time, { taskId: 'one' }))).toBe('refused');
  });

  it('An answer without --task is refused where several tasks are suspended, and names them [U3]', () => {
    const played = playing(['one', 'two']);
    for (const taskId of ['one', 'two']) ask(played, suspend(manual, { taskId }));
    expect(ask(played, { kind: 'resume', approve: true })).toBe('refused');
    expect(refusal(played)).toBe('several tasks are suspended (one, two); name one with --task');
    expect(ask(played, { kind: 'resume', approve: true, taskId: 'two' })).toBe('applied');
    expect([...played.run.suspensions.values()].map(({ taskId }) => taskId)).toEqual(['one']);
  });
});

describe('The end of a wait', () => {
  it('A forced resume ends any wait; a plain one is refused and says how [U3]', () => {
    const played = playing();
    ask(played, suspend(poll));
    expect(ask(played, { kind: 'resume' })).toBe('refused');
    expect(refusal(played)).toContain('`--force` ends the wait');
    expect(ask(played, { kind: 'resume', force: true })).toBe('applied');
    expect(played.beginOne()).toMatchObject({ deed: { kind: 'session', role: 'builder' } });
  });

  it('An approval ends a manual wait, and no wait for a time [U3]', () => {
    const played = playing();
    ask(played, suspend(manual));
    expect(played.decide().until).toEqual([]);
    expect(ask(played, { kind: 'resume', approve: true })).toBe('applied');
    ask(played, suspend(time));
    expect(ask(played, { kind: 'resume', approve: true })).toBe('refused');
    expect(refusal(played)).toContain('not for a person');
  });

  it.each([manual, time])(
    'A rejection ends the wait, and its reason is in the prompt of the next builder (%#) [U3]',
    (condition) => {
      const played = playing();
      ask(played, suspend(condition));
      expect(ask(played, { kind: 'resume', reject: 'the export is empty' })).toBe('applied');
      expect(played.beginOne().deed).toMatchObject({
        prompt: expect.stringContaining('the export is empty') as string,
      });
    },
  );

  it('A rejection of a suspended task is in the prompt of its own builder only [U3]', () => {
    const played = playing(['one', 'two'], parallel(2));
    ask(played, suspend(manual, { taskId: 'one' }));
    ask(played, { kind: 'resume', reject: 'the export is empty' });
    const prompts = played
      .begin()
      .map(({ taskId, deed }) => [taskId, deed.kind === 'session' ? deed.prompt : '']);
    expect(prompts.map(([id, prompt]) => [id, prompt?.includes('the export is empty')])).toEqual([
      ['one', true],
      ['two', false],
    ]);
  });

  it('After the approval of an all-condition with a person, the remaining conditions are watched [U3]', () => {
    const played = playing();
    ask(played, suspend({ kind: 'all', of: [manual, time] }));
    expect(played.decide().until).toEqual([]);
    ask(played, { kind: 'resume', approve: true });
    expect(played.decide().until).toMatchObject([{ kind: 'suspension', isApproved: true }]);
    expect(played.begin()).toEqual([]);
    expect(ask(played, { kind: 'resume', approve: true })).toBe('refused');
    met(played);
    expect(played.begin()).toHaveLength(1);
  });

  it('The approval alone ends an any-condition with a person [U3]', () => {
    const played = playing();
    ask(played, suspend({ kind: 'any', of: [manual, time] }));
    expect(played.decide().until).toHaveLength(1);
    ask(played, { kind: 'resume', approve: true });
    expect(played.begin()).toHaveLength(1);
  });

  it('A poll that is given up waits for a person and says how often it ran and how it ended [U2]', () => {
    const played = playing();
    ask(played, suspend(poll));
    const [suspensionId = ''] = played.run.suspensions.keys();
    played.record({ type: 'suspension-expired', suspensionId, looks: 3, last: 'exit 1: no such job' });
    expect(played.decide()).toMatchObject({
      start: [],
      until: [],
      waitingFor: 'CI (expired after 3 polls; the last: exit 1: no such job; a person decides)',
    });
    expect(ask(played, { kind: 'resume', approve: true })).toBe('applied');
    expect(played.begin()).toHaveLength(1);
  });

  it('A reminder is due once [U3]', () => {
    const played = playing();
    ask(played, suspend(manual, { remindAt: 7000 }));
    expect(played.decide().until).toMatchObject([{ kind: 'reminder', at: 7000 }]);
    const [suspensionId = ''] = played.run.suspensions.keys();
    played.record({ type: 'reminded', suspensionId });
    expect(played.decide().until).toEqual([]);
  });

  it('Facts of a finished suspension change nothing [U2]', () => {
    const played = playing();
    const suspensionId = 'gone';
    played.record(
      { type: 'condition-met', suspensionId, what: '', seenAt: 0 },
      { type: 'reminded', suspensionId },
      { type: 'suspension-expired', suspensionId, looks: 0, last: '' },
      { type: 'suspension-ended', suspensionId, by: 'ann', how: 'rejected', why: 'no' },
    );
    expect(played.begin()).toHaveLength(1);
  });
});

describe('A suspension by an agent', () => {
  const wish = (condition: Condition, since = 1000): Control => ({
    kind: 'ask-suspension',
    taskId: 'main',
    condition,
    why: 'the API is limited',
    since,
  });
  const hourMs = 3_600_000;

  it('An agent can wait for a time within the cap, and for a person [U1]', () => {
    for (const condition of [{ kind: 'time', at: 1000 + 24 * hourMs }, manual] as const) {
      const played = playing();
      played.beginOne();
      expect(ask(played, wish(condition))).toBe('applied');
      expect(suspensionFor(played.run, 'main')).toMatchObject({ isByAgent: true });
    }
  });

  it('An agent cannot wait for a command, a file, or longer than the cap, whatever time it claims [U1]', () => {
    const late = { kind: 'time', at: 1001 + 24 * hourMs } as const;
    const refused: Control[] = [
      wish(poll),
      wish({ kind: 'file', path: '/tmp/x' }),
      wish({ kind: 'any', of: [manual, poll] }),
      wish(late),
      wish({ kind: 'time', at: 90 * hourMs }, 80 * hourMs),
    ];
    for (const control of refused) {
      const played = playing();
      played.beginOne();
      expect(ask(played, control)).toBe('refused');
    }
  });

  it('The agents of one run can suspend it only a limited number of times [U1]', () => {
    const { byAgents } = defaultSuspension;
    const played = playing(['main'], {
      suspension: { ...defaultSuspension, byAgents: { ...byAgents, perRunMax: 2 } },
    });
    for (const expected of ['applied', 'applied', 'refused']) {
      expect(ask(played, wish(time))).toBe(expected);
      ask(played, { kind: 'resume', force: true });
    }
    expect(refusal(played)).toBe('the run is not suspended');
    expect(replay(played.events).agentSuspensions).toBe(2);
  });
});

it('A journal without suspension facts has no suspensions [U1] [X8]', () => {
  const { run, events } = playing();
  expect(run.suspensions.size).toBe(0);
  expect(replay(events).suspensions.size).toBe(0);
});

function parallel(count: number): Partial<RunConfig> {
  const { policy } = playRun({ tasks: [] }).run.config;
  return { policy: { ...policy, parallel: count } };
}
