import { describe, expect, it } from 'vitest';
import { commandCriterion, playRun, simulatedConfig, simulatedTask } from '#test/simulated/simulated-run.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import type { Step } from '#kernel/model/step.ts';

function held(): { played: PlayedRun; session: Step } {
  const config = simulatedConfig();
  const name = config.roles['builder']?.agent.name ?? '';
  const agents = { ...config.agents, [name]: { driver: 'foreign', env: [], options: {} } };
  const tasks = [simulatedTask('main', { criteria: [commandCriterion('works')] })];
  const played = playRun({ tasks, config: { agents } });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  return { played, session: played.beginOne() };
}

describe('An attached session', () => {
  it('A run waits for its attached session without a driver [K11]', () => {
    const { played } = held();
    expect(played.settle()).toMatchObject({
      start: [],
      waitingFor: 'the end of the interactive session that works on it',
    });
  });

  it('An attached session continues through a pause, and the run does not wait for it after a stop [K11]', () => {
    const { played, session } = held();
    played.ask({ kind: 'pause', why: 'lunch' });
    expect(played.settle()).toMatchObject({ waitingFor: 'lunch' });
    played.ask({ kind: 'stop', now: false, why: 'released' });
    expect(played.settle().steer).toEqual([{ stepId: session.stepId, kind: 'kill', reason: 'stopped' }]);
    played.endSession(session, { ending: { kind: 'cancelled', reason: 'stopped' }, endTree: null });
    played.settle();
    expect(played.run.outcome).toEqual({ outcome: 'stopped', reason: 'released' });
  });
});
