// The contract of every agent adapter, tested with agents that play known scenes. What an adapter cannot do
// is declared as a deviation, with the reason.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import { isMarkedBy, readMark, readProcTable } from '#adapters/processes/proc-table.ts';
import type { Agent, AgentEvent, AgentSession, SessionRequest } from '#ports/agent.ts';
import { withOutputListener } from '#runtime/session-host/host-world.ts';

/**
 * What the client is made to do:
 * `finishes` says "hello from the agent" and ends well · `uses-a-tool` calls one, gets its result, says
 * "after the tool" · `crashes` says "up" and dies · `hangs` says "up" and no more · `leaves-behind` starts a
 * process in a new session, says "up" and ends well · `ignores-term` says "up", starts such a process, and
 * ignores TERM · `floods` says two million characters or more and ends well · `tells-usage` reports it at
 * least twice · `can-be-interrupted` says "up", works for long, and says "went on" when resumed ·
 * `can-be-resumed` says "began", or "went on" when resumed, and ends well. The last two know only their own
 * conversations.
 */
export type AgentScene =
  | 'finishes'
  | 'uses-a-tool'
  | 'crashes'
  | 'hangs'
  | 'leaves-behind'
  | 'ignores-term'
  | 'floods'
  | 'tells-usage'
  | 'can-be-interrupted'
  | 'can-be-resumed';

export type AgentClaim = 'tools' | 'usage' | 'interrupt' | 'send' | 'resume';

export type AgentDeviations = { readonly [claim in AgentClaim]?: string };

export function agentContract(
  makeAgent: (scene: AgentScene) => Agent | Promise<Agent>,
  deviations: AgentDeviations = {},
): void {
  const stage = createStage(makeAgent);
  afterEach(stage.clear);
  afterAll(stage.dispose);
  describe('the agent contract', () => {
    describeEndings(stage);
    describeClosing(stage);
    describeFeatures(stage, deviations);
    describeResuming(stage, deviations);
  });
}

type Stage = ReturnType<typeof createStage>;

function createStage(makeAgent: (scene: AgentScene) => Agent | Promise<Agent>) {
  const cwd = mkdtempSync(join(tmpdir(), 'untildone-agent-'));
  const processes = createProcesses({ confine: 'marker' });
  const runId = `contract-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const opened: AgentSession[] = [];
  let count = 0;
  return {
    cwd,
    processes,
    start: async (scene: AgentScene, more: Partial<SessionRequest> = {}) => {
      count += 1;
      const mark = `${runId}/${count}`;
      const agent = await makeAgent(scene);
      const session = await agent.start({
        role: 'builder',
        model: null,
        cwd,
        prompt: `scene ${scene}`,
        readOnly: false,
        resume: null,
        env: { PATH: process.env['PATH'] ?? '', HOME: cwd },
        wallMs: 600_000,
        graceMs: 300,
        knowledge: { prices: {}, usageLimitWordings: [] },
        usdMax: 1,
        tokensMax: 1_000_000,
        mark,
        processes,
        ...more,
      });
      opened.push(session);
      return { agent, session, mark };
    },
    clear: async () => {
      await Promise.all(opened.splice(0).map((session) => session.close('the test is over')));
    },
    dispose: async () => {
      await processes.sweep(runId);
      rmSync(cwd, { recursive: true, force: true });
    },
  };
}

function describeEndings(stage: Stage): void {
  it('An agent delivers every message, then the result, and finishes only after its last message was read', async () => {
    const { session, mark } = await stage.start('finishes');
    let isSettled = false;
    void session.result.then(() => {
      isSettled = true;
    });
    let text = '';
    for await (const event of session.events) {
      expect(isSettled).toBe(false);
      if (event.type === 'text') text += event.text;
    }
    expect(text).toContain('hello from the agent');
    expect((await session.result).kind).toBe('finished');
    expect(aliveWith(mark)).toEqual([]);
  });

  it('An agent reports everything that its client prints as activity, not only output that becomes an event [Q6]', async () => {
    let pieces = 0;
    const onOutput = (): void => {
      pieces += 1;
    };
    // No reader takes its events, so only the printed output counts as activity.
    await stage.start('hangs', {
      processes: withOutputListener(stage.processes, onOutput),
      onOutput,
    });
    await until(() => pieces > 0);
    expect(pieces).toBeGreaterThan(0);
  });

  it('An agent whose client dies has crashed, never finished', async () => {
    const { session } = await stage.start('crashes');
    expect(textOf(await all(session))).toContain('up');
    const result = await session.result;
    expect(result.kind).toBe('crashed');
    expect(result.kind === 'crashed' && result.detail).not.toBe('');
  });

  it('An agent loses nothing of a flood, and a slow reader holds the client back', async () => {
    const { session } = await stage.start('floods');
    let length = 0;
    let events = 0;
    for await (const event of session.events) {
      events += 1;
      if (events % 8 === 0) await sleep(1);
      if (event.type === 'text') length += event.text.length;
    }
    expect(length).toBeGreaterThanOrEqual(2_000_000);
    expect((await session.result).kind).toBe('finished');
  });

  it('An agent concludes after its whole output was read, and not later than it ends [D4]', async () => {
    const { session } = await stage.start('leaves-behind');
    const order: string[] = [];
    const concluded = (session.concluded ?? session.result).then((result) => {
      order.push('concluded');
      return result;
    });
    void session.result.then(() => order.push('ended'));
    let text = '';
    for await (const event of session.events) {
      if (event.type === 'text' && order.length === 0) text += event.text;
    }
    expect((await concluded).kind).toBe('finished');
    expect((await session.result).kind).toBe('finished');
    expect(text).toContain('up');
    expect(order).toEqual(['concluded', 'ended']);
  });

  it('An agent leaves no process behind after a good end [X11]', async () => {
    const { session, mark } = await stage.start('leaves-behind');
    await all(session);
    expect((await session.result).kind).toBe('finished');
    expect(aliveWith(mark)).toEqual([]);
  });
}

function describeClosing(stage: Stage): void {
  it('An agent closes a client that hangs, at once and more than once [Q6]', async () => {
    const { session, mark } = await stage.start('hangs');
    const events = all(session);
    await until(() => aliveWith(mark).length > 0);
    await Promise.all([session.close('enough'), session.close('again')]);
    await session.close('and again');
    await events;
    expect((await session.result).kind).not.toBe('finished');
    expect(aliveWith(mark)).toEqual([]);
  });

  it('An agent closes even if its messages are not read, and right after the start [Q6]', async () => {
    const { session, mark } = await stage.start('floods');
    await session.close('at once');
    expect(aliveWith(mark)).toEqual([]);
    await all(session);
    await session.result;
  });

  it('An agent closes a client that ignores TERM, with its detached processes [X11]', async () => {
    const { session, mark } = await stage.start('ignores-term');
    await upOf(session);
    await until(() => aliveWith(mark).length >= 2);
    await session.close('enough');
    expect(aliveWith(mark)).toEqual([]);
    expect((await session.result).kind).not.toBe('finished');
  });

  it('An agent keeps its result when it is closed after the end', async () => {
    const { session } = await stage.start('finishes');
    await all(session);
    await session.close('late');
    expect((await session.result).kind).toBe('finished');
  });
}

function describeFeatures(stage: Stage, deviations: AgentDeviations): void {
  const isClaimed = (name: AgentClaim): boolean => deviations[name] === undefined;
  const why = (name: AgentClaim): string => (isClaimed(name) ? '' : ` (does not apply: ${deviations[name]})`);

  it.runIf(isClaimed('tools'))(
    `An agent reports tool calls and their results, in order and by id [B3]${why('tools')}`,
    async () => {
      const { session } = await stage.start('uses-a-tool');
      const events = await all(session);
      const call = events.findIndex((event) => event.type === 'tool-call');
      const called = events[call];
      const result = events.findIndex(
        (event) => event.type === 'tool-result' && called?.type === 'tool-call' && event.id === called.id,
      );
      expect(call).toBeGreaterThanOrEqual(0);
      expect(result).toBeGreaterThan(call);
      expect(textOf(events.slice(result))).toContain('after the tool');
    },
  );

  it.runIf(isClaimed('usage'))(
    `An agent reports usage as a sum that never shrinks, and again in the result [X1]${why('usage')}`,
    async () => {
      const { agent, session } = await stage.start('tells-usage');
      expect(agent.reportsUsage).toBe(true);
      const told = (await all(session)).flatMap((event) =>
        event.type === 'usage' ? [event.usage.tokens ?? 0] : [],
      );
      expect(told.length).toBeGreaterThanOrEqual(2);
      expect(told).toEqual(told.toSorted((a, b) => a - b));
      expect((await session.result).usage.tokens).toBe(told.at(-1));
    },
  );

  it('An agent that never reports usage has unknown usage, not zero [X1]', async () => {
    const { agent, session } = await stage.start('finishes');
    await all(session);
    const { usage } = await session.result;
    expect(agent.reportsUsage || (usage.usd === null && usage.tokens === null)).toBe(true);
  });

  it.runIf(isClaimed('interrupt'))(
    `An agent can be interrupted, and resumes under its own id [Q5]${why('interrupt')}`,
    async () => {
      const { session, mark } = await stage.start('can-be-interrupted');
      await upOf(session);
      expect('interrupt' in session).toBe(true);
      await session.interrupt?.();
      const result = await session.result;
      if (result.kind !== 'interrupted') throw new Error(`it is ${result.kind}`);
      expect(aliveWith(mark)).toEqual([]);
      const again = await stage.start('can-be-interrupted', { resume: result.resumeId });
      expect(textOf(await all(again.session))).toContain('went on');
      expect((await again.session.result).kind).toBe('finished');
    },
  );

  it.runIf(isClaimed('send'))(`An agent accepts a message while it works [Q5]${why('send')}`, async () => {
    const { session } = await stage.start('can-be-interrupted');
    await upOf(session);
    expect('send' in session).toBe(true);
    await session.send?.('wrap up');
    expect((await session.result).kind).toBe('finished');
  });
}

function describeResuming(stage: Stage, deviations: AgentDeviations): void {
  const why = deviations.resume === undefined ? '' : ` (does not apply: ${deviations.resume})`;

  it.runIf(deviations.resume === undefined)(
    `An agent resumes an ended conversation by the client's own id, as often as requested [A1]${why}`,
    async () => {
      const { agent, session } = await stage.start('can-be-resumed');
      const events = await all(session);
      expect(textOf(events)).toContain('began');
      expect(agent.resumes === 'by-id' || session.isResumable).toBe(true);
      let resume = idOf(events);
      for (const turn of [2, 3]) {
        const again = await stage.start('can-be-resumed', { resume });
        const more = await all(again.session);
        expect([turn, (await again.session.result).kind]).toEqual([turn, 'finished']);
        expect(textOf(more)).toContain('went on');
        expect(textOf(more)).not.toContain('began');
        resume = idOf(more);
      }
    },
  );

  it('An agent ends as gone, and starts no new conversation, if the client does not know the conversation [A1]', async () => {
    const { session, mark } = await stage.start('can-be-resumed', { resume: unknownId });
    const events = await all(session);
    const result = await session.result;
    expect(result).toMatchObject({ kind: 'failed', errorClass: 'conversation-gone' });
    expect(result.kind === 'failed' && result.detail).not.toBe('');
    expect(events.filter(({ type }) => type === 'text' || type === 'tool-call')).toEqual([]);
    expect(aliveWith(mark)).toEqual([]);
  });

  it('An agent says whether it can resume [A1]', async () => {
    const { agent } = await stage.start('can-be-resumed');
    expect(agent.resumes === 'no').toBe(deviations.resume !== undefined);
  });
}

/** In the usual form of clients, and never begun. */
const unknownId = '00000000-0000-4000-8000-000000000000';

function idOf(events: readonly AgentEvent[]): string {
  const id = events.findLast((event) => event.type === 'session-id')?.id ?? '';
  expect(id).not.toBe('');
  return id;
}

async function all(session: AgentSession): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of session.events) events.push(event);
  return events;
}

/** Waits for "up", and keeps reading in the background. */
async function upOf(session: AgentSession): Promise<void> {
  const up = Promise.withResolvers<void>();
  const read = async (): Promise<void> => {
    let text = '';
    for await (const event of session.events) {
      if (event.type === 'text') text += event.text;
      if (text.includes('up')) up.resolve();
    }
    up.reject(new Error(`it ended and said only: ${text}`));
  };
  read().catch(up.reject);
  await up.promise;
}

function textOf(events: readonly AgentEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}

function aliveWith(mark: string): number[] {
  return readProcTable()
    .filter((entry) => isMarkedBy(readMark(entry.pid), mark))
    .map((entry) => entry.pid);
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let count = 0; !isTrue(); count += 1) {
    if (count > 15_000) throw new Error('waited in vain');
    await sleep(20);
  }
}
