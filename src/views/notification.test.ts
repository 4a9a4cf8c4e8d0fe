import { describe, expect, it } from 'vitest';
import type { Fact } from '#kernel/events/events.ts';
import type { Notification } from '#kernel/model/notification.ts';
import {
  commandCriterion,
  personCriterion,
  playRun,
  reviewerCriterion,
  simulatedBudget,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import { planOf, playCampaign, tasksNamed } from '#test/simulated/played-campaign.ts';
import type { PlayedRun, PlayOptions } from '#test/simulated/simulated-run.ts';
import { notificationsOf } from './notification.ts';
import { describeEvent } from '#views/lines/show.ts';

const settings = { repository: 'shop', warnPercent: 80 };

function play(options: Partial<PlayOptions> = {}): PlayedRun {
  return playRun({ tasks: [simulatedTask('main', { criteria: [commandCriterion('works')] })], ...options });
}

/** What a driver that records these facts tells. */
function told(played: PlayedRun, ...facts: Fact[]): Notification[] {
  played.record(...facts);
  return notificationsOf(played.run, played.events.slice(-facts.length), settings);
}

describe('Notifications to a person', () => {
  it('A notification says how the run ended, in the words of its preset [C11]', () => {
    const end = (preset: string, outcome: 'completed' | 'blocked' | 'failed' | 'exhausted' | 'unverified') =>
      told(play({ config: { preset, goal: 'sell more' } }), {
        type: 'run-ended',
        outcome,
        reason: 'because',
      });
    expect(end('campaign', 'completed')).toMatchObject([
      {
        kind: 'completed',
        title: 'Campaign complete!',
        text: expect.stringContaining('sell more\nbecause\n') as string,
        run: 'run',
        repository: 'shop',
        outcome: 'completed',
      },
    ]);
    expect(end('builder-verifier', 'completed')[0]?.title).toBe('Run completed');
    for (const outcome of ['blocked', 'failed', 'exhausted', 'unverified'] as const)
      expect(end('campaign', outcome)).toMatchObject([{ kind: outcome, outcome }]);
  });

  it("A person's own actions give no notification: a stop, a pause, a request to leave [C11]", () => {
    expect(told(play(), { type: 'run-ended', outcome: 'stopped', reason: 'enough' })).toEqual([]);
    expect(told(play(), { type: 'driver-left', reason: 'told to leave' })).toEqual([]);
    const paused = play();
    paused.ask({ kind: 'pause', why: 'lunch' });
    paused.settle();
    expect(told(paused, { type: 'driver-left', reason: 'lunch' })).toEqual([]);
  });

  it('A pending plan is notified once for each plan, with the commands [C1] [C11]', () => {
    const campaign = playCampaign({
      plan: () => planOf(tasksNamed('T1')),
      planning: { approval: 'person' },
    });
    campaign.goOn();
    const left = { type: 'driver-left', reason: "a person's approval" } as const;
    const [first] = told(campaign, left);
    expect(first).toMatchObject({ kind: 'needs-input', title: 'A plan waits for your approval' });
    expect(first?.commands).toEqual(
      expect.arrayContaining(['untildone plan --run run', 'untildone approve run']),
    );
    expect(told(campaign, left)[0]?.id).toBe(first?.id);
    campaign.ask({ kind: 'reject-plan', version: 1, why: 'smaller' });
    campaign.goOn();
    expect(told(campaign, left)[0]?.id).not.toBe(first?.id);
  });

  it('The drift of a campaign is notified once the reflector is sure [C7] [C11]', () => {
    const judged = {
      type: 'drift-judged',
      stepId: '0009-reflector',
      percents: [25],
      reason: 'wrong way',
    } as const;
    expect(told(play(), { ...judged, isAligned: false, isFinal: true })).toMatchObject([
      { kind: 'drifted', title: 'Campaign drifted from goal. Re-planning...', text: 'wrong way' },
    ]);
    expect(describeEvent({ ...judged, at: 0, isAligned: false, isFinal: true })).toBe(
      'Campaign drifted from goal. Re-planning... (wrong way)',
    );
    expect(told(play(), { ...judged, isAligned: true, isFinal: true })).toEqual([]);
    expect(told(play(), { ...judged, isAligned: null, isFinal: false })).toEqual([]);
  });

  it('A security-critical failure that stopped the run is notified, however the run ended [C11] [Q8]', () => {
    const task = simulatedTask('main', { criteria: [commandCriterion('works')], securityCritical: true });
    const played = play({ tasks: [task] });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.begin();
    played.record({ type: 'task-failed', taskId: 'main', outcome: 'failed', reason: 'the hole is open' });
    const end = { type: 'run-ended', outcome: 'stopped', reason: 'main failed: the hole is open' } as const;
    expect(told(played, end)).toMatchObject([
      {
        kind: 'security-stop',
        title: 'Security stop',
        text: expect.stringContaining('main failed: the hole is open') as string,
      },
    ]);
  });

  it('The security finding of a reviewer is notified [C11] [Q8]', () => {
    const criteria = [commandCriterion('works'), reviewerCriterion];
    const played = play({ tasks: [simulatedTask('main', { criteria })] });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.endSession(played.beginOne(), { endTree: 'work' });
    played.endCheck(played.beginOne(), {});
    const hole = { what: 'takes any token', severity: 'critical', isSecurity: true, command: null } as const;
    const verdict = { verdict: 'fail', confidence: 1, blockers: [hole], text: '' } as const;
    played.endSession(played.beginOne(), { signal: { kind: 'verdict', verdict } });
    played.settle();
    expect(notificationsOf(played.run, played.events.slice(-1), settings)).toMatchObject([
      {
        kind: 'security-stop',
        outcome: 'stopped',
        text: expect.stringContaining('takes any token') as string,
      },
    ]);
  });

  it('A question is notified under the same id when the run reaches it again [C11]', () => {
    const played = play();
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.beginOne();
    const question = 'Red or blue?';
    const first = told(played, { type: 'question-asked', taskId: 'main', questionId: 'q1', question });
    expect(first).toMatchObject([{ kind: 'needs-input', text: 'Red or blue?', task: 'main' }]);
    expect(first[0]?.commands[0]).toContain('untildone answer');
    const again = told(played, { type: 'driver-left', reason: 'an answer' });
    played.takeOver();
    const later = told(played, { type: 'driver-left', reason: 'an answer' });
    expect([...again, ...later].map(({ id }) => id)).toEqual([first[0]?.id, first[0]?.id]);
  });

  it('A verdict that only a person can give is notified [C11] [K8]', () => {
    const criteria = [commandCriterion('works'), personCriterion];
    const played = play({ tasks: [simulatedTask('main', { criteria })] });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.endSession(played.beginOne(), { endTree: 'work' });
    played.endCheck(played.beginOne(), {});
    const { waitingFor } = played.settle();
    expect(told(played, { type: 'driver-left', reason: waitingFor ?? '' })).toMatchObject([
      {
        kind: 'needs-input',
        text: 'Is it good?',
        commands: [expect.stringContaining('untildone approve') as string, expect.anything() as string],
      },
    ]);
  });

  it('Any other wait of the run is notified each time [C11]', () => {
    const played = play();
    const first = told(played, { type: 'driver-left', reason: 'the disk is full' });
    expect(first).toMatchObject([{ kind: 'parked', text: 'It waits for: the disk is full', outcome: null }]);
    const later = told(played, { type: 'driver-left', reason: 'the disk is full' });
    expect(later[0]?.id).not.toBe(first[0]?.id);
    const until = Date.UTC(2026, 10, 16, 3, 0);
    expect(
      told(played, { type: 'usage-limited', taskId: 'main', until, reason: 'Limit reached.' }),
    ).toMatchObject([{ kind: 'parked', text: expect.stringContaining('2026-11-16 03:00 UTC') as string }]);
    const takenOverBy = { name: 'other', model: null };
    expect(
      told(played, { type: 'usage-limited', taskId: 'main', until, reason: 'Limit reached.', takenOverBy }),
    ).toEqual([]);
  });

  it('A nearly spent budget is notified under one id for one budget [C11]', () => {
    const played = play({ config: { budget: simulatedBudget({ usd: 5 }) } });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    const spend = (usd: number): Notification[] => {
      played.endSession(played.beginOne(), { usage: { usd, tokens: 10 }, signal: null });
      const now = notificationsOf(played.run, played.events.slice(-1), settings);
      played.endCheck(played.beginOne(), { works: 'fail' });
      return now;
    };
    expect(spend(3.9)).toEqual([]);
    const [first] = spend(0.1);
    expect(first).toMatchObject({ kind: 'budget-nearly-spent', text: 'Used so far: $4.00 of $5.00.' });
    expect(spend(0.1)[0]?.id).toBe(first?.id);
    played.ask({ kind: 'resume', budget: { usd: 5.1 } });
    played.settle();
    expect(spend(0.1)[0]?.id).not.toBe(first?.id);
  });

  it('A notification is never longer than a phone can show [C11]', () => {
    const [long] = told(play(), { type: 'driver-left', reason: 'x'.repeat(100_000) });
    expect(long?.text.length).toBeLessThanOrEqual(1500);
  });
});
