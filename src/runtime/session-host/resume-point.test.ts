import { describe, expect, it } from 'vitest';
import { parseSessionResult } from '#adapters/sessions/session-result.ts';
import type { SessionOperation, SessionResult } from '#kernel/model/step.ts';
import type { Agent, AgentEvent } from '#ports/agent.ts';
import { createPuppet, createWorld, orderOf } from '#test/hosted-session.ts';
import { hostSession } from './host-session.ts';

const named = (id = 'thread-1'): AgentEvent => ({ type: 'session-id', id });
const usage = (tokens: number | null, usd: number | null = null): AgentEvent => ({
  type: 'usage',
  usage: { usd, tokens },
});
const text: AgentEvent = { type: 'text', text: 'hello' };

interface Played {
  readonly deed?: Partial<SessionOperation>;
  readonly agent?: Partial<Agent>;
  readonly isResumable?: boolean;
  /** How it ends; successfully by default. */
  readonly end?: (puppet: ReturnType<typeof createPuppet>) => void;
}

async function play(events: readonly AgentEvent[], { deed, agent, isResumable, end }: Played = {}) {
  const puppet = createPuppet();
  if (isResumable !== undefined) Object.assign(puppet.session, { isResumable });
  const world = createWorld(async () => ({ ...puppet.agent, ...agent }));
  const order = orderOf();
  const step = { ...order.step, deed: { ...order.step.deed, ...deed } };
  puppet.say(...events);
  (end ?? (() => puppet.finish()))(puppet);
  const result = await hostSession({ ...order, step }, world).ended;
  return { result, world };
}

const idAfter = async (events: readonly AgentEvent[], played: Played = {}): Promise<string | undefined> =>
  (await play(events, played)).result.resumeId;

describe('The id by which a conversation can be continued', () => {
  it.each<[string, AgentEvent]>([
    ['text', text],
    ['a tool call', { type: 'tool-call', id: '1', name: 'Bash', summary: 'ls' }],
    ['tokens', usage(12)],
    ['a cost', usage(null, 0.01)],
  ])('A conversation id is known once the client has answered with %s [A1]', async (_, answer) => {
    expect(await idAfter([named(), answer])).toBe('thread-1');
  });

  it.each<[string, readonly AgentEvent[]]>([
    ['nothing', []],
    ['a notice', [{ type: 'notice', text: 'starting' }]],
    ['a usage of nothing', [usage(0, 0)]],
    ['an unknown usage', [usage(null)]],
  ])('A conversation id is not known while the client has answered with %s [A1]', async (_, events) => {
    expect(await idAfter([named(), ...events])).toBe(undefined);
  });

  it('A conversation id is not known for a client that names none, or one that cannot be kept [A1]', async () => {
    expect(await idAfter([text])).toBe(undefined);
    expect(await idAfter([named(''), text])).toBe(undefined);
    expect(await idAfter([named('x'.repeat(513)), text])).toBe(undefined);
    expect(await idAfter([named('x'.repeat(512)), text])).toHaveLength(512);
  });

  it('The newest conversation id of the client counts [A1]', async () => {
    expect(await idAfter([named('old'), text, named('new')])).toBe('new');
  });

  it('A conversation id is known at once if the client has found the requested conversation [A1]', async () => {
    const operation = { resume: 'thread-1' };
    expect(await idAfter([named()], { deed: operation })).toBe('thread-1');
    expect(await idAfter([named('another')], { deed: operation })).toBe(undefined);
    expect(await idAfter([], { deed: operation })).toBe(undefined);
  });

  it('An agent that cannot resume never reports a conversation id [A1]', async () => {
    const isOffered = { agent: { resumes: 'where-offered' as const } };
    expect(await idAfter([named(), text], { agent: { resumes: 'no' } })).toBe(undefined);
    expect(await idAfter([named(), text], { agent: { resumes: 'no' }, isResumable: true })).toBe(undefined);
    expect(await idAfter([named(), text], isOffered)).toBe(undefined);
    expect(await idAfter([named(), text], { ...isOffered, isResumable: false })).toBe(undefined);
    expect(await idAfter([named(), text], { ...isOffered, isResumable: true })).toBe('thread-1');
  });

  const nothing = { usage: { usd: null, tokens: null }, model: null };
  it.each<[SessionResult['ending']['kind'], Played]>([
    ['crashed', { end: (puppet) => puppet.end({ ...nothing, kind: 'crashed', detail: 'x' }) }],
    [
      'failed',
      {
        end: (puppet) =>
          puppet.end({ ...nothing, kind: 'failed', errorClass: 'context-overflow', detail: 'full' }),
      },
    ],
    ['interrupted', { end: (puppet) => puppet.end({ ...nothing, kind: 'interrupted', resumeId: 'r' }) }],
    ['over-limit', { end: (puppet) => (puppet.say(usage(5_000)), puppet.finish()) }],
  ])(
    'A conversation id is kept in the result, the receipt and the log of a session that ended as %s [A1]',
    async (kind, how) => {
      const { result, world } = await play([named(), text], how);
      expect(result).toMatchObject({ ending: { kind }, resumeId: 'thread-1' });
      expect(world.receipts[0]?.result.resumeId).toBe('thread-1');
      for (const type of ['agent-ended', 'session-ended'])
        expect(world.lines.find((line) => line.type === type)).toMatchObject({
          result: { resumeId: 'thread-1' },
        });
      expect(parseSessionResult(JSON.parse(JSON.stringify(result)))?.resumeId).toBe('thread-1');
    },
  );

  it('A conversation that is gone has no reported id [A1]', async () => {
    const gone = { ...nothing, kind: 'failed', errorClass: 'conversation-gone', detail: 'unknown' } as const;
    const how: Played = { deed: { resume: 'thread-1' }, end: (puppet) => puppet.end(gone) };
    const { result } = await play([named(), text], how);
    expect(result.ending).toMatchObject({ kind: 'failed', errorClass: 'conversation-gone' });
    expect(result.resumeId).toBe(undefined);
  });

  it('A session that began a new conversation cannot have lost one [A1]', async () => {
    const gone = { ...nothing, kind: 'failed', errorClass: 'conversation-gone', detail: 'unknown' } as const;
    const { result } = await play([], { end: (puppet) => puppet.end(gone) });
    expect(result.ending).toEqual({ kind: 'failed', errorClass: 'other', detail: 'unknown' });
  });
});

it('A later result of the client adds its usage, and does not change how the session ended [D4] [X1]', async () => {
  const puppet = createPuppet();
  const world = createWorld(async () => puppet.agent);
  const hosted = hostSession(orderOf(), world);
  const used = (tokens: number) => ({ usage: { usd: null, tokens }, model: null });
  await puppet.conclude({ kind: 'interrupted', resumeId: 'r', ...used(10) });
  puppet.end({ kind: 'finished', ...used(30) });
  expect(await hosted.ended).toMatchObject({ ending: { kind: 'interrupted' }, usage: { tokens: 30 } });
});
