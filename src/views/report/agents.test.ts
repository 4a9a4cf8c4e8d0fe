import { describe, expect, it } from 'vitest';
import type { SessionResult } from '#kernel/model/step.ts';
import { playRun, reviewerCriterion, simulatedConfig, simulatedTask } from '#test/simulated/simulated-run.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import { agentsLine, ranLine } from './agents.ts';
import { historyText } from '#views/lines/show.ts';
import { stateJson } from '#views/status/state-json.ts';
import { statusText } from '#views/status/status.ts';

const other = { name: 'other', model: 'asked' };

function begun(): PlayedRun {
  const agents = { ...simulatedConfig().agents, other: { driver: 'command', env: [], options: {} } };
  const task = simulatedTask('main', { criteria: [reviewerCriterion], agents: { builder: other } });
  const played = playRun({ tasks: [task], config: { agents } });
  played.prepare();
  return played;
}

/** One attempt that fails. */
function fail(played: PlayedRun, ran: SessionResult['ran']): void {
  played.endSession(played.beginOne(), { ran, signal: null, endTree: 'work' });
  played.endCheck(played.beginOne(), {});
}

describe('The agents of a run', () => {
  it('The agents line distinguishes the choice of the run from that of a task [C8]', () => {
    const { run } = begun();
    expect(agentsLine(run)).toBe('builder simulated, verifier simulated, main/builder other (asked)');
    expect(stateJson(run).agents[0]).toMatchObject({ name: 'simulated', tasks: { main: other }, ran: null });
  });

  it('The agents that ran are taken from the sessions, not from the configuration [C8]', () => {
    const played = begun();
    expect(ranLine(played.run)).toBe('no session yet');
    fail(played, { driver: 'command', model: 'told' });
    fail(played, { driver: 'command', model: 'told' });
    fail(played, { driver: 'command', model: null });
    const lost = played.beginOne();
    played.record({ type: 'step-lost', stepId: lost.stepId, reason: 'gone', usage: null });
    fail(played, { driver: 'command', model: 'told' });
    const line =
      'builder_001-002, 005 other (command), model told · builder_003 other (command), model asked (asked for) · builder_004 other, may not have run';
    expect(ranLine(played.run)).toBe(line);
    expect(statusText(played.run, { holder: null })).toContain(`\nRan: ${line}\n`);
    expect(stateJson(played.run).agents[0]?.ran).toEqual({ driver: 'command', model: 'told' });
    expect(stateJson(played.run).sessions.slice(2, 4)).toEqual([
      {
        session: 'builder_003',
        taskId: 'main',
        attempt: 3,
        agent: 'other',
        ran: { driver: 'command', model: null },
      },
      { session: 'builder_004', taskId: 'main', attempt: 4, agent: 'other', ran: null },
    ]);
  });

  it('Commands that begin alike are shown as different agents [C8]', () => {
    const named = (end: string) => `command:env ${'SETTING=/some/long/path '.repeat(4)}agent ${end}`;
    const names = ['one', 'two'].map(named);
    const agents = Object.fromEntries(
      names.map((name) => [name, { driver: 'command', env: [], options: {} }] as const),
    );
    const task = (id: string, name: string) =>
      simulatedTask(id, { criteria: [reviewerCriterion], agents: { builder: { name, model: null } } });
    const played = playRun({
      tasks: names.map((name, at) => task(`T${at + 1}`, name)),
      config: { agents: { ...simulatedConfig().agents, ...agents } },
    });
    expect(agentsLine(played.run)).toMatch(/T1\/builder command:env .*…\S* .*agent one, .*agent two$/);
    const sessions = names.map((name, at) => ({
      role: 'builder',
      ordinal: at + 1,
      agent: { name, model: null },
      ran: { driver: 'command', model: null },
    }));
    const line = ranLine({ ...played.run, sessions } as unknown as PlayedRun['run']);
    expect(line).toMatch(
      /^builder_001 .*agent one, model not reported · builder_002 .*agent two, model not reported$/,
    );
  });

  it('The history names the requested agent at the start of a session and the reported one at its end [C8]', () => {
    const played = begun();
    fail(played, { driver: 'command', model: 'told' });
    const text = historyText(played.events);
    expect(text).toContain('builder_001 starts (attempt 1, other, asked)');
    expect(text).toContain('builder_001 (command, model told) finished; it gave no completion signal\n');
  });

  it('A session whose client names no model is not labelled with an unreported model after the requested one [C8]', () => {
    const played = begun();
    fail(played, { driver: 'command', model: null });
    const text = historyText(played.events);
    expect(text).toContain('builder_001 (command) finished; it gave no completion signal\n');
    expect(text).not.toContain('model not reported');
  });

  it('The agents line stays one line, however many sessions there were and however long a name is', () => {
    const played = begun();
    for (let index = 0; index < 40; index += 1) {
      const agent = { name: `command:cat <<E\n${'x'.repeat(500)}`, model: null };
      const ran = { driver: 'command', model: `m${index % 9}` };
      played.run.sessions.push({
        taskId: 'main',
        role: 'builder',
        ordinal: index + 1,
        attempt: 1,
        agent,
        ran,
      });
    }
    expect(ranLine(played.run)).toMatch(/^builder_001, 010, 019, 028, 037 command:cat .* · and 3 more$/);
    expect(ranLine(played.run)).not.toContain('\n');
  });
});
