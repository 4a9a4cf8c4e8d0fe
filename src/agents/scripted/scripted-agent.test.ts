import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { builtEntry } from '#test/program.ts';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { AgentResult, AgentSession } from '#ports/agent.ts';
import { agentContract } from '#testing/contracts/agent.ts';
import type { AgentScene } from '#testing/contracts/agent.ts';
import type { Action } from './script.ts';
import { createScriptedAgent } from './scripted-agent.ts';
import { plainEnv, sessionRequest } from '#test/agents/session-request.ts';

const hostEntry = builtEntry('host');
const player = [process.execPath, hostEntry, 'play'] as const;

const scenes: { readonly [scene in AgentScene]: readonly Action[] } = {
  finishes: [{ say: 'hello from the agent' }],
  'uses-a-tool': [{ run: 'echo out' }, { say: 'after the tool' }],
  crashes: [{ say: 'up' }, { crash: true }],
  hangs: [{ say: 'up' }, { hang: true }],
  'leaves-behind': [{ leave: 'sleep 300' }, { say: 'up' }],
  'ignores-term': [{ ignoreTerm: true }, { leave: 'trap "" TERM; sleep 300' }, { say: 'up' }, { hang: true }],
  floods: [{ flood: 2_500_000 }],
  'tells-usage': [{ usage: { usd: 0.1, tokens: 10 } }, { usage: { usd: 0.2, tokens: 25 } }],
  'can-be-interrupted': [{ say: 'up' }, { sleep: 60_000 }, { say: 'went on' }],
  'can-be-resumed': [{ say: 'began' }],
};

agentContract((scene) => {
  const resumed = scene === 'can-be-resumed' ? { resumed: [{ say: 'went on' }] } : {};
  return createScriptedAgent(
    { script: { turns: [{ role: 'builder', actions: scenes[scene], ...resumed }] } },
    player,
  );
});

const processes = createProcesses({ confine: 'marker' });

function request(role: string, ordinal: number) {
  return sessionRequest({
    role,
    model: 'm',
    cwd: tmpdir(),
    prompt: '',
    graceMs: 200,
    mark: `scripted-${process.pid}/${role}-${ordinal}`,
    processes,
    env: { ...plainEnv, UNTILDONE_ORDINAL: String(ordinal) },
  });
}

async function textOf(script: unknown, role: string, ordinal: number): Promise<string> {
  return (await play(script, role, { ordinal })).text;
}

/** One session; `act` is called with it as soon as the agent has said something. */
async function play(
  script: unknown,
  role: string,
  { ordinal = 1, resume = null, act }: Played = {},
): Promise<{ text: string; id: string; result: AgentResult }> {
  const agent = createScriptedAgent({ script }, player);
  const session = await agent.start({ ...request(role, ordinal), resume });
  let [text, id] = ['', ''];
  for await (const event of session.events) {
    if (event.type === 'session-id') ({ id } = event);
    if (event.type !== 'text') continue;
    text += event.text;
    await act?.(session);
  }
  return { text, id, result: await session.result };
}

interface Played {
  readonly ordinal?: number;
  readonly resume?: string | null;
  readonly act?: (session: AgentSession) => Promise<void> | undefined;
}

describe('scripts of the scripted agent', () => {
  it('A script is played by role and session number, and its last entry repeats [B1]', async () => {
    const turns = [
      { role: 'builder', actions: [{ say: 'one' }] },
      { role: 'verifier', actions: [{ say: 'other' }] },
      { role: 'builder', actions: [{ say: 'two' }] },
    ];
    const texts = await Promise.all([
      textOf({ turns }, 'builder', 1),
      textOf({ turns }, 'builder', 2),
      textOf({ turns }, 'builder', 9),
      textOf({ turns }, 'verifier', 1),
    ]);
    expect(texts).toEqual(['one', 'two', 'two', 'other']);
  });

  it('A scripted failure is reported as written, and an exit without a result is a crash', async () => {
    const turns = [
      { role: 'a', actions: [{ fail: { errorClass: 'overloaded', detail: 'later' } }] },
      { role: 'b', actions: [{ exit: 0 }] },
    ];
    const agent = createScriptedAgent({ script: { turns } }, player);
    const failing = await agent.start(request('a', 1));
    expect(await failing.result).toMatchObject({ kind: 'failed', errorClass: 'overloaded', detail: 'later' });
    const leaving = await agent.start(request('b', 1));
    expect(await leaving.result).toMatchObject({ kind: 'crashed' });
  });

  it.each([
    ['no script', {}, /"script" is missing/],
    ['an unknown option', { script: { turns: [] }, speed: 1 }, /no option "speed"/],
    ['no turns', { script: {} }, /needs "turns"/],
    ['a turn without role', { script: { turns: [{ actions: [] }] } }, /turns\[0\]\.role/],
    [
      'actions that are no list',
      { script: { turns: [{ role: 'builder', actions: {} }] } },
      /turns\[0\]\.actions must be a list/,
    ],
    [
      'an unknown action',
      { script: { turns: [{ role: 'builder', actions: [{ dance: 1 }] }] } },
      /turns\[0\]\.actions\[0\] must name exactly one action/,
    ],
    [
      'two actions in one',
      { script: { turns: [{ role: 'builder', actions: [{ say: 'a', sleep: 1 }] }] } },
      /it has say, sleep/,
    ],
    [
      'a wrong field',
      { script: { turns: [{ role: 'builder', actions: [{ write: { path: 1 } }] }] } },
      /actions\[0\]\.write\.path must be a string/,
    ],
    [
      'an unknown error class',
      { script: { turns: [{ role: 'builder', actions: [{ fail: { errorClass: 'x' } }] }] } },
      /fail\.errorClass must be one of/,
    ],
    [
      'no turn for the role',
      { script: { turns: [{ role: 'verifier', actions: [] }] } },
      /no turn for the role "builder"/,
    ],
    ['a missing file', { script: 'no/such/file.json' }, /cannot be read/],
  ])('A script with %s is refused in a sentence that names the place [X6]', async (_, options, sentence) => {
    const start = async () => createScriptedAgent(options, player).start(request('builder', 1));
    await expect(start()).rejects.toThrow(OperatorError);
    await expect(start()).rejects.toThrow(sentence);
  });

  it('The sample script is valid', async () => {
    const sample: unknown = JSON.parse(readFileSync(new URL('sample.json', import.meta.url), 'utf8'));
    expect(await textOf(sample, 'verifier', 3)).toBe('===VERIFIER_COMPLETE===\n');
  });
});

describe('scripted conversations', () => {
  const turns = [
    { role: 'builder', actions: [{ say: 'one' }] },
    { role: 'builder', actions: [{ say: 'two' }], resumed: [{ say: 'two again' }] },
    { role: 'builder', actions: [{ say: 'three' }] },
  ];

  it('A resumed conversation plays the next entry of its role, whatever the session number, and the last repeats [A1]', async () => {
    const one = await play({ turns }, 'builder');
    const two = await play({ turns }, 'builder', { ordinal: 7, resume: one.id });
    const three = await play({ turns }, 'builder', { ordinal: 8, resume: two.id });
    const last = await play({ turns }, 'builder', { ordinal: 9, resume: three.id });
    expect([one, two, three, last].map(({ text }) => text)).toEqual(['one', 'two again', 'three', 'three']);
  });

  it('An interrupted conversation continues with the rest of its entry, also of one for resumed sessions [A1] [Q5]', async () => {
    const long = [{ say: 'up' }, { run: 'sleep 60' }, { say: 'the rest' }];
    const script = {
      turns: [
        { role: 'builder', actions: [{ say: 'one' }] },
        { role: 'builder', actions: [{ say: 'not this one' }], resumed: long },
        { role: 'builder', actions: [{ say: 'three' }] },
      ],
    };
    const one = await play(script, 'builder');
    const act = (session: AgentSession) => session.interrupt?.();
    const two = await play(script, 'builder', { resume: one.id, act });
    expect(two).toMatchObject({ text: 'up', result: { kind: 'interrupted', resumeId: two.id } });
    const rest = await play(script, 'builder', { resume: two.id });
    expect(rest.text).toBe('the rest');
    expect((await play(script, 'builder', { resume: rest.id })).text).toBe('three');
  });

  it('A conversation cut off without an interrupt continues with the next entry, as a client with its next prompt [A1]', async () => {
    const script = {
      turns: [
        { role: 'builder', actions: [{ say: 'one' }, { crash: true }] },
        { role: 'builder', actions: [{ say: 'two' }] },
      ],
    };
    const one = await play(script, 'builder');
    expect(one.result.kind).toBe('crashed');
    expect((await play(script, 'builder', { resume: one.id })).text).toBe('two');
  });

  it.each(['verifier:1:0', 'builder', 'builder:x:0', 'builder:1:', ':1:0', '', '../../x'])(
    "The builder's conversation is gone under the id %j [A1]",
    async (resume) => {
      const script = { turns: [...turns, { role: 'verifier', actions: [] }] };
      const { text, result } = await play(script, 'builder', { resume });
      expect(result).toMatchObject({ kind: 'failed', errorClass: 'conversation-gone' });
      expect([text, result.usage]).toEqual(['', { usd: 0, tokens: 0 }]);
    },
  );

  it('A script can declare a conversation as gone [A1]', async () => {
    const fail = { errorClass: 'conversation-gone', detail: 'forgotten' };
    const forgetful = { turns: [{ role: 'builder', actions: [{ say: 'one' }], resumed: [{ fail }] }] };
    const { id } = await play(forgetful, 'builder');
    expect((await play(forgetful, 'builder', { resume: id })).result).toMatchObject({
      kind: 'failed',
      ...fail,
    });
  });

  it('Actions for resumed sessions that are no list are refused [X6]', async () => {
    const script = { turns: [{ role: 'builder', actions: [], resumed: {} }] };
    await expect(play(script, 'builder')).rejects.toThrow(/turns\[0\]\.resumed must be a list/);
  });
});
