// A small agent that speaks the protocol, for tests: `node fake-acp-peer.ts <scene> [flags as JSON]`.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly [name: string]: unknown };
  readonly result?: { readonly [name: string]: unknown };
  readonly error?: { readonly message: string };
}

interface Flags {
  /** Every line that it gets is written there. */
  readonly heard?: string;
  readonly modes?: readonly string[];
  readonly models?: readonly string[];
  readonly configModes?: readonly string[];
  readonly configModels?: readonly string[];
  readonly resume?: 'resume' | 'load' | 'none';
  readonly version?: number;
  readonly stop?: string;
  /** An error to answer with, and to what. */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  readonly errorAt?: string;
  /** A method that it never answers. */
  readonly silentAt?: string;
  /** Where the cost of the conversation is kept: real agents have it in their history, and tell sums over all of it. */
  readonly ledger?: string;
  readonly ask?: { readonly method: string; readonly params: { readonly [name: string]: unknown } };
  /** Makes what it asks longer by so many characters. */
  readonly padding?: number;
  readonly staysAtEnd?: boolean;
  readonly raw?: readonly string[];
}

const [scene = 'finishes', given = '{}'] = process.argv.slice(2);
const flags = JSON.parse(given) as Flags;
const waiting = new Map<number, (answer: Message) => void>();
let isCancelled = false;
let resumed = false;
let turns = 0;
let lastId = 1_000;

const send = (message: object): void => {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
};
const tell = (update: object): void =>
  send({ method: 'session/update', params: { sessionId: 'fake-1', update } });
const say = (text: string): void =>
  tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
const ask = (method: string, params: object): Promise<Message> => {
  lastId += 1;
  send({ id: lastId, method, params });
  const { promise, resolve } = Promise.withResolvers<Message>();
  waiting.set(lastId, resolve);
  return promise;
};

function offered(): object {
  const select = (id: string, values: readonly string[]): object => ({
    id,
    name: id,
    category: id,
    type: 'select',
    currentValue: values[0],
    options: values.map((value) => ({ value, name: value })),
  });
  return {
    ...(flags.modes && {
      modes: { currentModeId: flags.modes[0], availableModes: flags.modes.map((id) => ({ id, name: id })) },
    }),
    ...(flags.models && {
      models: {
        currentModelId: flags.models[0],
        availableModels: flags.models.map((modelId) => ({ modelId, name: modelId })),
      },
    }),
    configOptions: [
      ...(flags.configModes ? [select('mode', flags.configModes)] : []),
      ...(flags.configModels ? [select('model', flags.configModels)] : []),
    ],
  };
}

function costSoFar(): number {
  if (flags.ledger === undefined) return 5;
  return existsSync(flags.ledger) ? Number(readFileSync(flags.ledger, 'utf8')) : 0;
}

function spend(usd: number): void {
  const amount = costSoFar() + usd;
  if (flags.ledger !== undefined) writeFileSync(flags.ledger, String(amount));
  tell({ sessionUpdate: 'usage_update', used: 10, size: 99, cost: { amount, currency: 'USD' } });
}

async function replay(): Promise<void> {
  tell({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'the old prompt' } });
  say('OLD WORDS');
  tell({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: costSoFar(), currency: 'USD' } });
  // Some agents still replay the history after the answer.
  setTimeout(() => say('OLD WORDS AGAIN'), 100);
}

class Refusal extends Error {
  readonly code = -32_002;
}

async function onRequest({ method = '', params = {} }: Message): Promise<object | null> {
  if (flags.error && flags.errorAt === method) throw new Error('planned');
  if (flags.silentAt === method) return new Promise(() => {});
  const isKnown = params['sessionId'] === undefined || params['sessionId'] === 'fake-1';
  if (!isKnown) throw new Refusal('Resource not found');
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: flags.version ?? 1,
        agentCapabilities: {
          loadSession: flags.resume === 'load',
          sessionCapabilities: flags.resume === 'none' || flags.resume === 'load' ? {} : { resume: {} },
        },
      };
    case 'session/new':
      if (flags.ledger !== undefined) writeFileSync(flags.ledger, '0');
      return { sessionId: 'fake-1', ...offered() };
    case 'session/load':
      await replay();
      return offered();
    case 'session/resume':
      return offered();
    case 'session/prompt':
      turns += 1;
      return play(String((params['prompt'] as { text: string }[])[0]?.text));
    default:
      return {};
  }
}

type Scene = (prompt: string, done: object) => object | Promise<object>;

const scenes: { readonly [name: string]: Scene } = {
  finishes: (_, done) => {
    say('hello from ');
    say('the agent');
    return done;
  },
  echoes: async (prompt, done) => {
    say(`[${turns}: ${prompt}]`);
    await sleep(turns === 1 ? 300 : 0);
    return { ...done, usage: { inputTokens: 70, outputTokens: 30, totalTokens: 100 } };
  },
  asks: async (_, done) => {
    const content = flags.padding === undefined ? {} : { content: 'x'.repeat(flags.padding) };
    const answer = await ask(flags.ask?.method ?? '', {
      sessionId: 'fake-1',
      ...flags.ask?.params,
      ...content,
    });
    say(JSON.stringify(answer.result ?? answer.error));
    return done;
  },
  'uses-a-tool': (_, done) => {
    const call = { sessionUpdate: 'tool_call_update', toolCallId: 't1' };
    const content = [{ type: 'content', content: { type: 'text', text: 'written' } }];
    tell({ ...call, sessionUpdate: 'tool_call', title: 'write', kind: 'edit', status: 'pending' });
    tell({ ...call, status: 'in_progress', title: 'write a.txt' });
    tell({ ...call, status: 'completed', content });
    say('after the tool');
    return done;
  },
  crashes: async (_, done) => {
    say('up');
    await sleep(50);
    process.stderr.write('out of memory\n');
    process.kill(process.pid, 'SIGKILL');
    return done;
  },
  'ignores-term': (_, done) => {
    process.on('SIGTERM', () => {});
    spawn('/bin/sleep', ['300'], { stdio: 'ignore', detached: true });
    say('up');
    return sleep(300_000, done);
  },
  'leaves-behind': (_, done) => {
    spawn('/bin/sleep', ['300'], { stdio: 'ignore', detached: true });
    say('up');
    return done;
  },
  floods: async (_, done) => {
    for (let count = 0; count < 2_500; count += 1) {
      say('flood'.repeat(200));
      if (count % 50 === 0) await sleep(0);
    }
    return done;
  },
  'tells-usage': (_, done) => {
    tell({ sessionUpdate: 'usage_update', used: 10, size: 99, cost: { amount: 0.25, currency: 'USD' } });
    const usage = { inputTokens: 70, outputTokens: 30, cachedReadTokens: 900, totalTokens: 1_000 };
    return { ...done, usage };
  },
  'can-be-interrupted': async (_, done) => {
    say(resumed ? 'went on' : 'up');
    if (resumed) return done;
    for (let count = 0; count < 600 && !isCancelled; count += 1) await sleep(50);
    return { stopReason: 'cancelled' };
  },
  'can-be-resumed': (_, done) => {
    say(resumed ? 'went on' : 'began');
    return done;
  },
  costs: (_, done) => {
    spend(0.25);
    return { ...done, usage: { inputTokens: 70, outputTokens: 30, totalTokens: 100 } };
  },
  hangs: (_, done) => {
    say('up');
    return sleep(300_000, done);
  },
};

function play(prompt: string): object | Promise<object> {
  for (const line of flags.raw ?? []) process.stdout.write(`${line}\n`);
  return scenes[scene]?.(prompt, { stopReason: flags.stop ?? 'end_turn' }) ?? {};
}

createInterface({ input: process.stdin }).on('line', (line) => {
  if (flags.heard !== undefined) appendFileSync(flags.heard, `${line}\n`);
  const message = JSON.parse(line) as Message;
  const { id, method } = message;
  if (method === undefined) {
    waiting.get(Number(id))?.(message);
    return;
  }
  if (method === 'session/cancel') isCancelled = true;
  if (method === 'session/resume' || method === 'session/load') resumed = true;
  if (id === undefined) return;
  onRequest(message).then(
    (result) => send({ id, result }),
    (error: unknown) =>
      send({
        id,
        error: error instanceof Refusal ? { code: error.code, message: error.message } : flags.error,
      }),
  );
});
if (flags.staysAtEnd !== true && scene !== 'ignores-term') {
  process.stdin.on('end', () => process.exit(0));
} else setInterval(() => {}, 1_000);
