import { describe, expect, it } from 'vitest';
import { replay } from '#kernel/fold/apply.ts';
import { readEvent } from '#kernel/events/event-schema.ts';
import { eventVersion } from '#kernel/events/events.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { AgentChoice, Step } from '#kernel/model/step.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import { playRun, reviewerCriterion, simulatedConfig, simulatedTask } from '#test/simulated/simulated-run.ts';

const other: AgentChoice = { name: 'other', model: 'big' };
const simulated: AgentChoice = { name: 'simulated', model: null };
const agents: RunConfig['agents'] = {
  ...simulatedConfig().agents,
  other: { driver: 'command', env: [], options: {} },
};
const tasks = [
  simulatedTask('plain', { criteria: [reviewerCriterion] }),
  simulatedTask('hard', { criteria: [reviewerCriterion], agents: { builder: other } }),
  simulatedTask('risky', { criteria: [reviewerCriterion], agents: { verifier: other } }),
];

function begun(): PlayedRun {
  const played = playRun({ tasks, config: { agents } });
  played.prepare();
  return played;
}

/** Plays one task; returns the agents of its builder and its verifier. */
function liveThrough(played: PlayedRun, tree: string): (AgentChoice | null)[] {
  const builder = played.beginOne();
  played.endSession(builder, { endTree: tree });
  played.endCheck(played.beginOne(), {});
  const verifier = played.beginOne();
  played.endSession(verifier, { ran: { driver: 'scripted', model: 'told' } });
  played.endCommit(played.beginOne(), `c-${tree}`);
  return [builder, verifier].map(askedOf);
}

function askedOf({ deed }: Step): AgentChoice | null {
  return deed.kind === 'session' ? deed.agent : null;
}

describe('The agent of a role', () => {
  it('The task chooses the agent of a role, and the run chooses where the task does not [C8]', () => {
    const played = begun();
    expect(liveThrough(played, 't1')).toEqual([simulated, simulated]);
    expect(liveThrough(played, 't2')).toEqual([other, simulated]);
    expect(liveThrough(played, 't3')).toEqual([simulated, other]);
  });

  it('A task keeps its agent in every attempt, and when an interrupted session continues [C8]', () => {
    const played = begun();
    liveThrough(played, 't1');
    played.endSession(played.beginOne(), { ending: { kind: 'interrupted', resumeId: 'abc' }, signal: null });
    const resumed = played.beginOne();
    expect(resumed.deed).toMatchObject({ agent: other, resume: 'abc', attempt: 1 });
    played.endSession(resumed, { signal: null, endTree: 't2' });
    played.endCheck(played.beginOne(), {});
    expect(played.beginOne().deed).toMatchObject({ agent: other, resume: null, attempt: 2 });
  });

  it('The agent of a task is in the journal: a replay decides the same [C8]', () => {
    const played = begun();
    liveThrough(played, 't1');
    const lines = played.events.map((event) => JSON.stringify(event));
    const again = replay(lines.map((line) => readEvent(JSON.parse(line), eventVersion)));
    expect(again.tasks.get('hard')?.spec.agents).toEqual({ builder: other });
    expect(again.sessions).toEqual(played.run.sessions);
  });

  it('Each finished session keeps the agent that really ran [C8]', () => {
    const played = begun();
    liveThrough(played, 't1');
    const lost = played.beginOne();
    played.record({ type: 'step-lost', stepId: lost.stepId, reason: 'host died', usage: null });
    played.endSession(played.beginOne(), { ending: { kind: 'not-started', reason: 'gone' } });
    const { sessions } = played.run;
    expect(sessions.map(({ taskId, role, ordinal, agent }) => [taskId, role, ordinal, agent.name])).toEqual([
      ['plain', 'builder', 1, 'simulated'],
      ['plain', 'verifier', 1, 'simulated'],
      ['hard', 'builder', 2, 'other'],
      ['hard', 'builder', 3, 'other'],
    ]);
    expect(sessions.map(({ ran }) => ran)).toEqual([
      { driver: 'scripted', model: null },
      { driver: 'scripted', model: 'told' },
      null,
      null,
    ]);
  });
});
