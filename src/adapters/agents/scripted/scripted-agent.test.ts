import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { builtEntry } from '#test/program.ts';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import { OperatorError } from '#ports/operator-error.ts';
import { agentContract } from '#testing/contracts/agent.ts';
import type { AgentScene } from '#testing/contracts/agent.ts';
import type { Action } from './script.ts';
import { createScriptedAgent } from './scripted-agent.ts';

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
};

agentContract((scene) =>
  createScriptedAgent({ script: { turns: [{ role: 'builder', actions: scenes[scene] }] } }, player),
);

const processes = createProcesses({ confine: 'marker' });

function request(role: string, ordinal: number) {
  return {
    role,
    model: 'm',
    cwd: tmpdir(),
    prompt: '',
    readOnly: false,
    resume: null,
    wallMs: 600_000,
    graceMs: 200,
    knowledge: { prices: {}, usageLimitWordings: [] },
    usdMax: 1,
    tokensMax: 1,
    mark: `scripted-${process.pid}/${role}-${ordinal}`,
    processes,
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      UNTILDONE_ORDINAL: String(ordinal),
    },
  };
}

async function textOf(script: unknown, role: string, ordinal: number): Promise<string> {
  const session = await createScriptedAgent({ script }, player).start(request(role, ordinal));
  let text = '';
  for await (const event of session.events) if (event.type === 'text') text += event.text;
  return text;
}

describe('a script', () => {
  it('is played by role and by the number of the session, and its last entry repeats [B1]', async () => {
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

  it('that fails says how, and an exit without a result is a crash', async () => {
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
  ])('with %s is refused in a sentence that names the place [X6]', async (_, options, sentence) => {
    const start = async () => createScriptedAgent(options, player).start(request('builder', 1));
    await expect(start()).rejects.toThrow(OperatorError);
    await expect(start()).rejects.toThrow(sentence);
  });

  it('in the sample is a good one', async () => {
    const sample: unknown = JSON.parse(readFileSync(new URL('sample.json', import.meta.url), 'utf8'));
    expect(await textOf(sample, 'verifier', 3)).toBe('===VERIFIER_COMPLETE===\n');
  });
});
