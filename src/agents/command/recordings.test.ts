// The readers on real recordings, `fixtures/printed-*` of each client; `fixtures/README.md` says how they were
// made.
import { tmpdir } from 'node:os';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProcessEnding } from '#kernel/model/ending.ts';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import { createSignalReader } from '#policies/signals/signals.ts';
import type { AgentEvent } from '#ports/agent.ts';
import { agentContract } from '#testing/contracts/agent.ts';
import type { AgentScene } from '#testing/contracts/agent.ts';
import * as clients from '#agents/clients.ts';
import type { ClientFacts } from '#agents/shared/client-facts.ts';
import { createCommandAgent } from './command-agent.ts';
import { plainEnv, sessionRequest } from '#test/agents/session-request.ts';

type Client = keyof typeof clients;
const readers: { readonly [name in Client]: Pick<ClientFacts, 'readOutput'> } = clients;
const names = Object.keys(clients) as Client[];

const knowledge = {
  prices: {
    'gemini-2.5-flash': { input: 1, output: 10, cacheRead: 0, cacheWrite: 0 },
    'codex-model': { input: 1, output: 10, cacheRead: 0, cacheWrite: 0 },
  },
  usageLimitWordings: ['reached your usage limit'],
};
const exited = (code: number): ProcessEnding => ({ kind: 'exited', code });

function linesOf(client: Client, scene: string): string[] {
  const folder = join(import.meta.dirname, '..', client, 'fixtures');
  const isScene = (name: string): boolean => name.startsWith('printed-') && name.endsWith(`-${scene}.jsonl`);
  return readFileSync(join(folder, readdirSync(folder).find(isScene) ?? scene), 'utf8')
    .trim()
    .split('\n');
}

async function read(client: Client, lines: readonly string[], ending = exited(0), complaint = '') {
  const model = client === 'codex' ? 'codex-model' : null;
  const reader = (await readers[client].readOutput())({ knowledge, model });
  const events = lines.flatMap((line) => reader.onLine(line));
  const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
  return { events, text, reader, outcome: reader.endOf(ending, complaint) };
}

function signalOf(events: readonly AgentEvent[]) {
  const signals = createSignalReader({ done: 'ALL DONE', reportTag: null });
  for (const event of events) {
    if (event.type === 'text') signals.onText(event.text);
    else if (event.type === 'tool-call') signals.onToolCall();
  }
  return signals.end();
}

describe.each(names)('a recording of %s', (client) => {
  it('A recording gives text, tool calls with their results, and the session, in order [B3]', async () => {
    const { events, text, outcome } = await read(client, linesOf(client, 'work'));
    expect(text).toContain('The note is there.\n\nALL DONE');
    expect(text).not.toContain('Write the note.');
    const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event] : []));
    const results = events.flatMap((event) => (event.type === 'tool-result' ? [event] : []));
    expect(calls.map(({ summary }) => summary)).toEqual([
      expect.stringContaining('note.txt'),
      'cat note.txt; cat missing.txt',
    ]);
    expect(results.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
    // Gemini calls a command that failed a success; the others say that it failed.
    expect(results.map(({ isError }) => isError)).toEqual([false, client !== 'gemini']);
    expect(events.filter(({ type }) => type === 'session-id').length).toBe(1);
    expect(outcome).toEqual({ kind: 'finished' });
  });

  it('The completion signal of a recording counts only in text after the last tool call [B4]', async () => {
    const lines = linesOf(client, 'work');
    expect(signalOf((await read(client, lines)).events)).toEqual({ kind: 'done' });
    const moved = lines.map((line) => line.replace('or later.', String.raw`or:\nALL DONE`));
    const early = moved.map((line) =>
      line.replace(String.raw`there.\n\nALL DONE`, 'there.').replace('"ALL DONE"', '""'),
    );
    expect(early.join('')).toContain('ALL DONE');
    expect(signalOf((await read(client, early)).events)).toEqual({ kind: 'continue' });
  });

  it('A recording reports tokens, and the cost by the client or by the price list [X1]', async () => {
    const usd = { claude: 0.0158, codex: 0.0046, gemini: 0.0046, opencode: 0.00356 }[client];
    const { reader } = await read(client, linesOf(client, 'work'));
    expect(reader.usage().tokens).toBe(3_430);
    expect(reader.usage().usd).toBeCloseTo(usd, 6);
  });

  it('A recording that is cut off, or whose client died after it, is no finished session [X1]', async () => {
    const lines = linesOf(client, 'work');
    for (let kept = 0; kept < lines.length; kept += 1) {
      expect((await read(client, lines.slice(0, kept))).outcome.kind).not.toBe('finished');
    }
    if (client === 'claude') return;
    const killed: ProcessEnding = { kind: 'signalled', signal: 'SIGKILL' };
    expect((await read(client, lines, killed, 'oops')).outcome).toEqual({
      kind: 'crashed',
      detail: 'killed by SIGKILL: oops',
    });
  });

  it('A recording with a wrong key is classified, and gives no text of the assistant [B10]', async () => {
    const { text, outcome } = await read(client, linesOf(client, 'bad-key'), exited(1));
    expect(text).toBe('');
    expect(outcome).toMatchObject({
      kind: 'failed',
      errorClass: 'authentication',
      detail: expect.stringContaining('Invalid API key') as unknown,
    });
  });

  it('Lines of any other kind in a recording are notices', async () => {
    const stray = ['Loading…', '{"type":', '[]', '"text"', '{"type":"brand_new"}', '{}', '\u0000', 'null'];
    const { text, outcome } = await read(client, [...stray, ...linesOf(client, 'work'), ...stray]);
    expect(text).toContain('ALL DONE');
    expect(outcome).toEqual({ kind: 'finished' });
  });

  it('A recording with any field of another kind causes no crash', async () => {
    for (const value of ['null', '7', '[]', '{}', '"x"', 'true']) {
      const bent = linesOf(client, 'work').map((line) => line.replaceAll(/:"[^"]{3,}"/g, `:${value}`));
      const half = linesOf(client, 'work').map((line) => line.replaceAll(/:\{"[^{}]*\}/g, `:${value}`));
      await expect(read(client, [...bent, ...half])).resolves.toBeDefined();
    }
  });
});

describe.each(['claude', 'opencode'] as const)('a recording of %s', (client) => {
  it('A recording with a reached usage limit is classified [B10]', async () => {
    const { outcome } = await read(client, linesOf(client, 'usage-limit'), exited(1));
    expect(outcome).toMatchObject({ kind: 'failed', errorClass: 'usage-limit' });
  });
});

describe('a recording of codex', () => {
  it('A codex recording reports a usage limit only as a busy provider, because codex drops the text', async () => {
    const { outcome } = await read('codex', linesOf('codex', 'usage-limit'), exited(1));
    expect(outcome).toMatchObject({ kind: 'failed', errorClass: 'overloaded' });
  });
});

it('A client that reports errors only on standard error is classified by them', async () => {
  const { outcome } = await read('gemini', [], exited(41), 'Please set an Auth method: API key not found');
  expect(outcome).toMatchObject({ kind: 'failed', errorClass: 'authentication' });
  expect((await read('gemini', [], exited(1), 'boom')).outcome).toEqual({
    kind: 'crashed',
    detail: 'exit 1: boom',
  });
});

const line = (message: object): string => `echo '${JSON.stringify(message)}'`;
const said = (content: string): string => line({ type: 'message', role: 'assistant', content });
const over = line({ type: 'result', status: 'success', stats: { total_tokens: 7 } });
const scenes: { readonly [scene in AgentScene]: string } = {
  finishes: `${said('hello from the agent')}; ${over}; true`,
  'uses-a-tool': `${line({ type: 'tool_use', tool_id: 't', tool_name: 'x', parameters: {} })}; ${line({
    type: 'tool_result',
    tool_id: 't',
    status: 'success',
  })}; ${said('after the tool')}; ${over}; true`,
  crashes: `${said('up')}; kill -9 $$`,
  hangs: `${said('up')}; exec sleep 300; true`,
  'leaves-behind': `setsid sleep 300 & ${said('up')}; ${over}; true`,
  'ignores-term': `trap "" TERM; setsid sleep 300 & ${said('up')}; while :; do sleep 0.05; done; true`,
  floods: `yes '${JSON.stringify({ type: 'message', role: 'assistant', content: 'flood'.repeat(400) })}' | head -n 1100; ${over}; true`,
  'tells-usage': `${over}; ${line({ type: 'result', status: 'success', stats: { total_tokens: 9 } })}; true`,
  'can-be-interrupted': 'true',
  'can-be-resumed': 'true',
};

describe('a program that prints client lines', () => {
  agentContract((scene) => createCommandAgent({ command: scenes[scene], output: 'gemini' }), {
    interrupt: 'a program without input cannot be told to stop',
    send: 'its input is closed once it has the prompt',
    resume: 'the command is the same for every session',
  });

  it('A line of 20 MB is dropped, and memory stays small', async () => {
    const command = `head -c 20000000 /dev/zero | tr '\\0' x; echo; ${scenes.finishes}`;
    const processes = createProcesses({ confine: 'marker' });
    const session = await createCommandAgent({ command, output: 'gemini' }).start(
      sessionRequest({
        cwd: tmpdir(),
        prompt: '',
        graceMs: 200,
        knowledge,
        mark: `lines-${process.pid}/1`,
        processes,
        env: { PATH: plainEnv.PATH },
      }),
    );
    const events: AgentEvent[] = [];
    let heapMax = 0;
    for await (const event of session.events) {
      events.push(event);
      heapMax = Math.max(heapMax, JSON.stringify(event).length);
    }
    expect(heapMax).toBeLessThan(5_000);
    expect(events).toContainEqual({
      type: 'notice',
      text: expect.stringContaining('a line of 20000000 bytes') as unknown,
    });
    expect(events).toContainEqual({ type: 'text', text: 'hello from the agent\n' });
    expect((await session.result).kind).toBe('finished');
  });
});
