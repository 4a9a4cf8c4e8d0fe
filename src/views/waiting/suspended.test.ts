// A suspended run in every view: each says what it waits for, and how to resume it.
import { describe, expect, it } from 'vitest';
import type { Control } from '#kernel/events/control.ts';
import type { Condition } from '#kernel/waiting/condition.ts';
import type { PlayedRun, PlayOptions } from '#test/simulated/simulated-run.ts';
import { commandCriterion, playRun, simulatedTask } from '#test/simulated/simulated-run.ts';
import { commandsOf, attentionItems } from '#views/questions/attention-items.ts';
import { openAnyway } from '#views/exit.ts';
import { notificationsOf } from '#views/notification.ts';
import { stageOf, stateOf } from '#views/status/stage.ts';
import { stateJson } from '#views/status/state-json.ts';
import { statusText } from '#views/status/status.ts';
import { suspensionLines, suspensionsJson } from './suspended.ts';
import { stillSuspendedText, suspendedText, waitEndWords } from './suspended-text.ts';

const time = { kind: 'time', at: Date.UTC(2026, 10, 18, 3, 10) } as const;
const since = Date.UTC(2026, 10, 17, 23);
const poll: Condition = {
  kind: 'poll',
  command: 'gh run',
  everyMs: 60_000,
  until: since + 7_200_000,
  timeoutMs: 1,
};

const sandbox = {
  kind: 'bubblewrap',
  isRequired: false,
  why: '',
  allowRead: [],
  denyRead: [],
  allowWrite: [],
  allowHosts: [],
} as const;

function suspended(
  condition: Condition,
  more: Partial<Control & { kind: 'suspend' }> = {},
  config: PlayOptions['config'] = {},
): PlayedRun {
  const criteria = [commandCriterion('works')];
  const played = playRun({ tasks: ['one', 'two'].map((id) => simulatedTask(id, { criteria })), config });
  played.prepare();
  for (const step of played.begin()) played.endCheck(step, { works: 'fail' });
  played.ask({ kind: 'suspend', condition, why: 'CI', since, remindAt: since + 86_400_000, ...more });
  played.settle();
  return played;
}

function only({ run }: PlayedRun) {
  const [suspension] = run.suspensions.values();
  if (suspension === undefined) throw new Error('nothing is suspended');
  return suspension;
}

describe('A run that waits for a time', () => {
  it('A suspended run is parked, and its stage names the reason and the time [U1]', () => {
    const { run } = suspended(time);
    expect(stageOf(run)).toBe('suspended: CI (waits until 2026-11-18 03:10 UTC)');
    expect(stateOf(run, 'pid 1')).toBe('parked');
    expect(stateOf(run, null)).toBe('parked');
    expect(statusText(run, { holder: null })).toContain(
      'Status: suspended: CI (waits until 2026-11-18 03:10 UTC)',
    );
    expect(attentionItems(run)).toEqual([]);
  });

  it('A suspended run has its suspension in state.json, which is null for other runs [D3]', () => {
    const { run } = suspended(time);
    expect(stateJson(run, { holder: null })).toMatchObject({
      status: 'parked',
      waitingFor: 'CI (waits until 2026-11-18 03:10 UTC)',
      suspension: {
        kind: 'time',
        since: '2026-11-17T23:00:00.000Z',
        at: '2026-11-18T03:10:00.000Z',
        nextLook: '2026-11-18T03:10:00.000Z',
        why: 'CI',
        howToGoOn: ['untildone resume --run run --force', 'untildone resume --run run', 'untildone stop run'],
      },
    });
    expect(stateJson(playRun({ tasks: [simulatedTask('main')] }).run)).toMatchObject({
      suspension: null,
      suspensions: [],
    });
  });

  it('A suspended task is in the list of suspensions, and its run is not parked while another task is in work [D3] [U4]', () => {
    const played = suspended(time, { taskId: 'one' });
    played.begin();
    expect(stateJson(played.run)).toMatchObject({
      status: 'running',
      suspension: null,
      suspensions: [{ taskId: 'one' }],
    });
    expect(stateOf(played.run, 'pid 1')).toBe('running');
  });

  it('The output of suspend says until when, what wakes the run, and how long a session may take [U1] [U2]', () => {
    const played = suspended(time);
    const place = {
      now: since,
      driverPid: null,
      waker: { kind: 'command' },
      sessionWait: null,
      isNow: false,
    } as const;
    const text = suspendedText(played.run, only(played), place);
    expect(text).toContain('Run run waits until 2026-11-18 03:10 UTC, in 4h 10m.');
    expect(text).toContain(
      'No process wakes it: run `untildone watch`, or any untildone command in this repository after that time wakes it.',
    );
    const driven = { ...place, driverPid: 7, sessionWait: 'This takes up to 2h 00m' };
    const live = suspendedText(played.run, only(played), driven);
    expect(live).toContain('takes up to 2h 00m; end it at once: untildone suspend --now --run run');
    expect(live).toContain('Its driver (pid 7) waits and then continues');
  });

  it('A poll command in a sandbox is announced with the limits of that sandbox, and no other wait is [U1] [U2]', () => {
    const note =
      'Polls run in the sandbox: they have their own /tmp and reach only allowed hosts (sandbox.allowHosts).';
    const place = {
      now: since,
      driverPid: 7,
      waker: { kind: 'command' },
      sessionWait: null,
      isNow: false,
    } as const;
    const textOf = (played: PlayedRun): string => suspendedText(played.run, only(played), place);
    const statusOf = (played: PlayedRun): string =>
      suspensionLines(played.run, only(played), { now: since, polls: {}, holder: null, problem: null }).join(
        '\n',
      );
    const sandboxed = suspended({ kind: 'any', of: [time, poll] }, {}, { sandbox });
    expect(textOf(sandboxed)).toContain(`\n${note}\n`);
    expect(statusOf(sandboxed)).toContain(note);
    for (const free of [
      suspended(time, {}, { sandbox }),
      suspended(poll),
      suspended(poll, {}, { sandbox: { ...sandbox, kind: 'none' } }),
    ]) {
      expect(textOf(free)).not.toContain('sandbox');
      expect(statusOf(free)).not.toContain('sandbox');
    }
  });

  it('A plain resume says what the run still waits for, and how to end the wait [U3]', () => {
    const played = suspended(time);
    expect(stillSuspendedText(played.run, only(played))).toBe(
      '⏸️  Still suspended: CI (waits until 2026-11-18 03:10 UTC)\nEnd the wait:\n  untildone resume --run run --force   # end the wait now',
    );
  });
});

describe('A run that waits for a person', () => {
  it('A wait for a person is a question with its commands, and its answer is shown [U3]', () => {
    const { run } = suspended({ kind: 'manual' }, { taskId: 'two' });
    const [item] = attentionItems(run);
    expect(item).toMatchObject({ kind: 'suspension', question: 'task two: CI (waits for a person)' });
    if (item === undefined) return;
    expect(commandsOf(run, item).map((line) => line.split('  ')[0])).toEqual([
      'untildone resume --run run --task two --approve',
      'untildone resume --run run --task two --reject "why"',
      'untildone resume --run run --task two --force',
      'untildone stop run',
    ]);
    expect(waitEndWords(run, { reject: 'no' })).toBe(
      'Rejected: Task two continues, and the next builder gets the reason.',
    );
  });

  it('A poll that was given up is a question, and one notification with the count [U2] [U3]', () => {
    const played = suspended(poll);
    const fact = {
      type: 'suspension-expired',
      suspensionId: only(played).id,
      looks: 3,
      last: 'exit 1',
    } as const;
    played.record(fact);
    expect(attentionItems(played.run)).toMatchObject([{ kind: 'suspension' }]);
    const told = notificationsOf(played.run, played.events.slice(-1), { repository: 'r', warnPercent: 80 });
    expect(told).toMatchObject([
      {
        kind: 'needs-input',
        text: 'CI (expired after 3 polls; the last: exit 1; a person decides)',
        commands: expect.arrayContaining(['untildone resume --run run --approve']) as string[],
      },
    ]);
  });
});

describe('Notifications', () => {
  const settings = { repository: 'r', warnPercent: 80 };

  it('A reminder names the wait and its commands [U3]', () => {
    const played = suspended(time);
    played.record({ type: 'reminded', suspensionId: only(played).id });
    expect(notificationsOf(played.run, played.events.slice(-1), settings)).toMatchObject([
      {
        kind: 'parked',
        title: 'Reminder: a run is suspended',
        text: expect.stringContaining('since 2026-11-17 23:00') as string,
      },
    ]);
  });

  it('A wait that ended late is notified with the missed time, and one in time is not [U2]', () => {
    const played = suspended(time);
    const met = { type: 'condition-met', suspensionId: only(played).id, what: 'the time came' } as const;
    const seenAt = Date.UTC(2026, 10, 18, 7, 42);
    played.record({ ...met, seenAt, due: time.at, late: 'the machine slept' });
    expect(notificationsOf(played.run, played.events.slice(-1), settings)).toMatchObject([
      {
        title: 'A suspended run was woken late',
        text: 'the time came (due 2026-11-18 03:10 UTC, checked 2026-11-18 07:42 UTC: the machine slept)',
      },
    ]);
    played.record({ ...met, seenAt });
    expect(notificationsOf(played.run, played.events.slice(-1), settings)).toEqual([]);
  });

  it("An agent's wait for a person is notified at once, and a person's own suspension is not [U3]", () => {
    const played = suspended({ kind: 'manual' });
    expect(notificationsOf(played.run, played.events.slice(-1), settings)).toEqual([]);
    played.ask({ kind: 'resume', approve: true });
    played.ask({
      kind: 'ask-suspension',
      taskId: 'one',
      condition: { kind: 'manual' },
      why: 'a key',
      since: 1000,
    });
    played.settle();
    expect(notificationsOf(played.run, played.events.slice(-1), settings)).toMatchObject([
      { kind: 'needs-input' },
    ]);
  });
});

it('A person who suspends opens the stop gate of an interactive session, and an agent that suspends does not [K11] [U1]', () => {
  const played = suspended(time, { taskId: 'one' });
  expect(openAnyway(played.run)).toBe('The run run is suspended; its criteria stay open.');
  played.ask({ kind: 'resume', force: true });
  played.ask({ kind: 'ask-suspension', taskId: 'one', condition: time, why: 'later', since: time.at });
  played.ask({
    kind: 'ask-suspension',
    taskId: 'one',
    condition: { kind: 'manual' },
    why: 'a key',
    since: 0,
  });
  played.settle();
  expect(only(played)).toMatchObject({ why: 'a key', isByAgent: true });
  expect(openAnyway(played.run)).toBeNull();
});

describe('The command resume --status', () => {
  it('The status of a wait shows how often a poll ran, its last exit and line, and when it runs next [U3]', () => {
    const played = suspended(poll);
    const suspension = only(played);
    const look = {
      looks: 2,
      startedAt: since,
      endedAt: since + 60_000,
      ending: 'exit 1',
      line: 'still queued',
    };
    const polls = { [`${suspension.id} gh run`]: look };
    const place = { now: since + 90_000, polls, holder: null, problem: 'API_KEY is missing' };
    const text = suspensionLines(played.run, suspension, place).join('\n');
    expect(text).toContain(
      '`gh run` ran 2 times; the last time, at 2026-11-17 23:01 UTC: exit 1: still queued',
    );
    expect(text).toContain('Next check: 2026-11-17 23:02 UTC (in 30s)');
    expect(text).toContain('Not woken:  API_KEY is missing');
    expect(suspensionsJson(played.run, { isDriven: true, polls })).toMatchObject([
      {
        kind: 'poll',
        polls: [{ looks: 2, lastExit: 'exit 1', lastLine: 'still queued' }],
        nextLook: '2026-11-17T23:02:00.000Z',
      },
    ]);
  });

  it('The status of a wait in a paused run says that nothing is checked, and what ends the pause [U3] [Q5]', () => {
    const played = suspended(time);
    played.ask({ kind: 'pause', why: 'lunch' });
    played.settle();
    const place = { now: since, polls: {}, holder: null, problem: null };
    const text = suspensionLines(played.run, only(played), place).join('\n');
    expect(text).toContain('Paused:     lunch; not checked until: untildone resume run');
    expect(text).not.toContain('Next check');
    expect(suspensionsJson(played.run, { isDriven: false })).toMatchObject([{ nextLook: null }]);
  });
});
