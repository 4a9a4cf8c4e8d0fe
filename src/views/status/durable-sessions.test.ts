import { describe, expect, it } from 'vitest';
import { planOf, playCampaign, tasksNamed } from '#test/simulated/played-campaign.ts';
import { playRun, simulatedTask } from '#test/simulated/simulated-run.ts';
import { sessionsOf, sessionsText, sessionStatsOf, sessionStatsText } from './durable-sessions.ts';

function prepared() {
  const played = playRun({ tasks: [simulatedTask('one'), simulatedTask('two')] });
  played.prepare();
  return played;
}

const shown = (run: ReturnType<typeof prepared>['run'], holder: string | null = null) =>
  sessionsOf([{ run, holder }])[0];

describe('Session status', () => {
  it('An interrupted run suggests resume as the next action, and waits for nothing [D6]', () => {
    expect(shown(prepared().run)).toMatchObject({
      state: 'interrupted',
      steps: { done: 0, all: 2 },
      waitingFor: null,
      next: 'untildone resume run',
    });
  });

  it('A run with a live driver suggests watch as the next action [D6]', () => {
    expect(shown(prepared().run, 'pid 7 on here')).toMatchObject({
      state: 'running',
      next: 'untildone logs -f run',
    });
  });

  it('A paused run says why it waits and suggests resume, also under a live driver [D6]', () => {
    const played = prepared();
    played.ask({ kind: 'pause', why: 'the machine is needed' });
    played.settle();
    for (const holder of [null, 'pid 7 on here'])
      expect(shown(played.run, holder)).toMatchObject({
        state: 'parked',
        waitingFor: 'the machine is needed',
        next: 'untildone resume run',
      });
  });

  it('A run that waits for a decision names the command that gives it [D6]', () => {
    const played = playCampaign({
      plan: () => planOf(tasksNamed('T1')),
      planning: { approval: 'person', milestones: [] },
    });
    played.goOn();
    const [session] = sessionsOf([{ run: played.run, holder: null }]);
    expect(session?.next).toBe('untildone approve run');
    expect(sessionsText(session === undefined ? [] : [session])).toMatch(
      /^run \(campaign\): parked, 0\/0 steps completed\n {2}Goal: .*\n {2}Stage: .*\n {2}Waits for: .*\n {2}Next: untildone approve run$/,
    );
  });

  it('Session status leaves out finished runs, and says how to start if there is no unfinished one [D6]', () => {
    const played = prepared();
    played.record({ type: 'run-ended', outcome: 'stopped', reason: 'enough' });
    expect(sessionsOf([{ run: played.run, holder: null }])).toEqual([]);
    expect(sessionsText([])).toBe('No unfinished run. Start one: untildone run "…" --check "npm test"');
  });
});

describe('Session stats', () => {
  it('Session stats count all runs and the completed ones, and say that savings are not measured [D6]', () => {
    const done = prepared();
    done.record({ type: 'run-ended', outcome: 'completed', reason: 'all done' });
    const unverified = prepared();
    unverified.record({ type: 'run-ended', outcome: 'unverified', reason: 'no proof' });
    const stats = sessionStatsOf([done.run, unverified.run, prepared().run]);
    expect(stats).toEqual({ total: 3, completed: 1, averageTokensSaved: null });
    expect(sessionStatsText(stats)).toBe('Total sessions: 3\nCompleted: 1\nAvg tokens saved: not measured');
    expect(sessionStatsText({ total: 15, completed: 14, averageTokensSaved: 85.34 })).toBe(
      'Total sessions: 15\nCompleted: 14\nAvg tokens saved: 85.3%',
    );
  });
});
