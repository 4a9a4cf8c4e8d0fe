import { describe, expect, it } from 'vitest';
import type { Event } from '#kernel/events/events.ts';
import { playRun, simulatedTask } from '#test/simulated/simulated-run.ts';
import { failedAttempts } from './failed-attempts.ts';
import { costTotals, sessionCosts } from './session-costs.ts';
import { precise, timelineOf } from './timeline.ts';

/** A run that is paused once, loses a session to a kill, and fails an attempt. */
function lived() {
  const played = playRun({ tasks: [simulatedTask('main')] });
  played.prepare();
  played.pass(1000);
  played.endCheck(played.beginOne(), { works: 'fail' });
  const lost = played.beginOne();
  played.pass(60_000);
  played.takeOver();
  played.record({ type: 'step-lost', stepId: lost.stepId, reason: 'no receipt', usage: null });
  const builder = played.beginOne();
  played.pass(90_000);
  played.endSession(builder, { endTree: 'tree-1', usage: { usd: 1.25, tokens: 3000 } });
  played.pass(1);
  played.endCheck(played.beginOne(), { works: 'fail' }, { tail: 'FAILED a\nFAILED b', failing: 2 });
  played.settle();
  played.ask({ kind: 'pause', why: 'lunch' });
  played.settle();
  played.pass(3_600_000);
  played.ask({ kind: 'resume' });
  played.settle();
  return played;
}

describe('The timeline of a run', () => {
  it('The timeline has start, sessions, checks, kills, takeovers and pauses, with their durations', () => {
    const { items } = timelineOf(lived().events);
    const shown = items.map(({ kind, what, at, endAt, tone }) => [
      kind,
      what,
      endAt === null ? '' : precise(endAt - at),
      tone,
    ]);
    expect(shown).toEqual([
      ['moment', 'Run created', '', 'plain'],
      ['moment', 'Driver 1 started', '', 'plain'],
      ['step', 'Preparation of the workspace', '0.0s', 'plain'],
      ['check', 'Checks on the base', '0.0s', 'plain'],
      ['session', 'builder_001', '1m 00s', 'bad'],
      ['moment', 'Driver 2 took over after a kill', '', 'bad'],
      ['session', 'builder_002', '1m 30s', 'plain'],
      ['check', 'Checks', '0.0s', 'bad'],
      ['moment', expect.stringMatching(/^Attempt \d failed: /), '', 'bad'],
      ['wait', 'Paused', '1h 00m', 'open'],
    ]);
  });

  it('The timeline counts a check once, however often its evidence was recorded', () => {
    const played = playRun({ tasks: [simulatedTask('main')] });
    played.prepare();
    const step = played.beginOne();
    // The calibration records the evidence of a check again.
    played.endCheck(step, { works: 'pass' });
    const [recorded] = played.events.filter((event) => event.type === 'evidence-recorded');
    const at = played.events.findIndex(
      (event) => event.type === 'step-ended' && event.stepId === step.stepId,
    );
    const twice = recorded === undefined ? [] : [recorded];
    const events = [...played.events.slice(0, at), ...twice, ...played.events.slice(at)];
    expect(timelineOf(events).items.find(({ what }) => what === 'Checks on the base')).toMatchObject({
      detail: '1 of 1 pass',
    });
  });

  it('The timeline marks what is still under way, up to the newest event', () => {
    const played = playRun({ tasks: [simulatedTask('main')] });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.beginOne();
    played.pass(5000);
    expect(timelineOf(played.events).items.at(-1)).toMatchObject({
      what: 'builder_001',
      isOpen: true,
      endAt: 6000,
    });
  });

  it('A gap without a driver is a wait, and a driver that left by itself was not killed', () => {
    const played = playRun({ tasks: [simulatedTask('main')] });
    played.prepare();
    const at = played.run.now;
    const more: Event[] = [
      { at, type: 'driver-left', reason: 'waiting for a person' },
      { at: at + 86_400_000, type: 'driver-started', epoch: 2, driver: 'two' },
    ];
    expect(timelineOf([...played.events, ...more]).items.slice(-2)).toMatchObject([
      { kind: 'wait', what: 'No driver', detail: 'waiting for a person', at, endAt: at + 86_400_000 },
      { what: 'Driver 2 continued', tone: 'plain' },
    ]);
  });

  it('A driver that starts after the end of a run did not take over after a kill', () => {
    const played = playRun({ tasks: [simulatedTask('main')] });
    played.prepare();
    const at = played.run.now;
    const more: Event[] = [
      { at, type: 'run-ended', outcome: 'stopped', reason: 'enough' },
      { at: at + 60_000, type: 'driver-started', epoch: 2, driver: 'two' },
    ];
    expect(timelineOf([...played.events, ...more]).items.slice(-2)).toMatchObject([
      { kind: 'wait', what: 'No driver', detail: 'the run had ended' },
      { what: 'Driver 2 continued', tone: 'plain' },
    ]);
  });

  it('Thousands of attempts stay bounded in the timeline and in the list of failed attempts', () => {
    const { run } = playRun({ tasks: [simulatedTask('main')] });
    const reason = 'no '.repeat(300);
    const failed = { type: 'attempt-failed', taskId: 'main', reason } as const;
    const events = Array.from({ length: 20_000 }, (_, at): Event => ({ ...failed, at, attempt: at }));
    const timeline = timelineOf(events);
    expect([timeline.items.length, timeline.hidden, timeline.hiddenAt]).toEqual([300, 19_700, 40]);
    expect(JSON.stringify(timeline).length).toBeLessThan(200_000);
    expect(failedAttempts(run, events, () => []).hidden).toBe(19_970);
  });
});

describe('The failed attempts of a run', () => {
  it('A failed attempt has the failing tests and the output of its checks [B4]', () => {
    const { run, events } = lived();
    const names = (output: string): string[] =>
      [...output.matchAll(/FAILED (\w+)/g)].map(([, name = '']) => name);
    const { attempts } = failedAttempts(run, events, names);
    expect(attempts).toMatchObject([
      {
        taskId: 'main',
        checks: [{ criterionId: 'works', tests: ['a', 'b'], failing: 2, output: 'FAILED a\nFAILED b' }],
      },
    ]);
  });
});

describe('The cost of each session', () => {
  it('A lost session has an unknown cost, the others have what was reported, and the totals are those of the ledger', () => {
    const { run, events } = lived();
    expect(sessionCosts(run, events, false)).toMatchObject([
      { session: 'builder_001', tokens: 'unknown', usd: 'unknown', duration: '1m 00s' },
      { session: 'builder_002', tokens: '3k', usd: '$1.25', duration: '1m 30s' },
    ]);
    expect(costTotals(run)).toEqual({ sessions: '2 sessions', tokens: '3k', usd: '$1.25' });
  });
});
