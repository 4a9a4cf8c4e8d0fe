// `flooding-peer.ts KIND BYTES`: replaces a client of that kind and prints that much, like a busy session.
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** The messages of a client in one turn of its model: text, a tool call, the tool's answer. */
type Turn = (turn: number) => readonly object[];

interface ClaudeState {
  readonly id?: number;
  readonly method?: string;
}

const session = '11111111-2222-4333-8444-555555555555';
const [kind = '', bytes = '0'] = process.argv.slice(2);

const sentence = 'It read the file again, changed a line, ran the tests and was not pleased by them. ';
const toolOutput = 'ok 12 - answers within its limit\nnot ok 13 - expected 503, got 200\n'.repeat(90);

function words(turn: number): string {
  return `Turn ${turn}: ${sentence.repeat(8)}`;
}

/** Like a model: a few letters at a time. */
function pieces(turn: number): readonly string[] {
  return words(turn).match(/.{1,16}/gs) ?? [];
}

const claude = {
  begin: { type: 'system', subtype: 'init', model: 'claude-flood', session_id: session },
  turn: (turn: number) => [
    spoken(turn, { type: 'thinking', thinking: sentence.repeat(12) }),
    spoken(turn, { type: 'text', text: words(turn) }),
    spoken(turn, {
      type: 'tool_use',
      id: `toolu_${turn}`,
      name: 'Bash',
      input: { command: `npm test ${turn}` },
    }),
    {
      type: 'user',
      message: {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: `toolu_${turn}`, content: toolOutput, is_error: false },
        ],
      },
      parent_tool_use_id: null,
      session_id: session,
    },
  ],
  end: {
    type: 'result',
    subtype: 'success',
    is_error: false,
    terminal_reason: 'completed',
    total_cost_usd: 0.01,
    session_id: session,
  },
};

/** One message of the model comes in several chunks, all with its id. */
function spoken(turn: number, block: object): object {
  const usage = { input_tokens: 1, output_tokens: 1 };
  return {
    type: 'assistant',
    message: { id: `msg_${turn}`, model: 'claude-flood', role: 'assistant', content: [block], usage },
    parent_tool_use_id: null,
    session_id: session,
  };
}

const gemini = {
  begin: { type: 'init', session_id: session, model: 'gemini-flood' },
  turn: (turn: number) => [
    ...pieces(turn).map((content) => ({ type: 'message', role: 'assistant', content, delta: true })),
    {
      type: 'tool_use',
      tool_name: 'run_shell_command',
      tool_id: `t${turn}`,
      parameters: { command: 'npm test' },
    },
    { type: 'tool_result', tool_id: `t${turn}`, status: 'success', output: toolOutput },
  ],
  end: { type: 'result', status: 'success', stats: { total_tokens: 10 } },
};

function codexTurn(turn: number): readonly object[] {
  const shell = { type: 'commandExecution', id: `call_${turn}`, command: `/bin/bash -lc 'npm test'` };
  const item = { type: 'agentMessage', id: `msg_${turn}`, text: words(turn) };
  const total = { totalTokens: turn, inputTokens: turn, cachedInputTokens: 0, outputTokens: 0 };
  return [
    ...pieces(turn).map((delta) => codexNote('item/agentMessage/delta', { itemId: item.id, delta })),
    codexNote('item/completed', { item }),
    codexNote('item/started', { item: { ...shell, status: 'inProgress' } }),
    codexNote('item/completed', {
      item: { ...shell, status: 'completed', exitCode: 0, aggregatedOutput: toolOutput },
    }),
    codexNote('thread/tokenUsage/updated', { tokenUsage: { total, last: total } }),
  ];
}

function codexNote(method: string, params: object): object {
  return { method, params: { threadId: session, turnId: 'turn-1', ...params } };
}

function acpTurn(turn: number): readonly object[] {
  const call = { toolCallId: `call_${turn}`, title: `npm test ${turn} ${sentence}`, kind: 'execute' };
  const content = [{ type: 'content', content: { type: 'text', text: toolOutput } }];
  return [
    ...pieces(turn).map((text) => acpUpdate('agent_message_chunk', { content: { type: 'text', text } })),
    acpUpdate('tool_call', { ...call, status: 'pending' }),
    acpUpdate('tool_call_update', { toolCallId: call.toolCallId, status: 'completed', content }),
  ];
}

function acpUpdate(sessionUpdate: string, update: object): object {
  const params = { sessionId: session, update: { sessionUpdate, ...update } };
  return { jsonrpc: '2.0', method: 'session/update', params };
}

/** Begins after the prompt; ends when its input ends. */
function speakLines({ begin, turn, end }: { begin: object; turn: Turn; end: object }): void {
  let isBegun = false;
  const play = async (): Promise<void> => {
    isBegun = true;
    await say(begin);
    await flood(turn);
    await say(end);
  };
  const lines = createInterface({ input: process.stdin });
  lines.on('line', () => {
    if (!isBegun) void play();
  });
}

function speakRpc(
  answers: { readonly [method: string]: object },
  prompt: string,
  play: (id: number) => Promise<void>,
) {
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const { id, method = '' } = JSON.parse(line) as ClaudeState;
      if (id === undefined) return;
      if (method === prompt) void play(id);
      else void say({ jsonrpc: '2.0', id, result: answers[method] ?? {} });
    })
    .on('close', () => process.exit(0));
}

async function playCodex(id: number): Promise<void> {
  const turn = { id: 'turn-1', status: 'completed', error: null };
  await say({ id, result: { turn } });
  await say(codexNote('turn/started', { turn }));
  await flood(codexTurn);
  await say(codexNote('turn/completed', { turn }));
}

async function playAcp(id: number): Promise<void> {
  await flood(acpTurn);
  await say({ jsonrpc: '2.0', id, result: { stopReason: 'end_turn' } });
}

async function flood(turnOf: Turn): Promise<void> {
  let said = 0;
  for (let turn = 1; said < Number(bytes); turn += 1) {
    for (const message of turnOf(turn)) said += await say(message);
  }
}

/** Waits while the reader does not read, so that only the reader can buffer. */
async function say(message: object): Promise<number> {
  const line = `${JSON.stringify(message)}\n`;
  if (!process.stdout.write(line)) await once(process.stdout, 'drain');
  return line.length;
}

switch (kind) {
  case 'claude':
    speakLines(claude);
    break;
  case 'gemini':
    speakLines(gemini);
    break;
  case 'codex':
    speakRpc({ 'thread/start': { thread: { id: session }, model: 'codex-flood' } }, 'turn/start', playCodex);
    break;
  case 'acp':
    speakRpc(
      { initialize: { protocolVersion: 1, agentCapabilities: {} }, 'session/new': { sessionId: session } },
      'session/prompt',
      playAcp,
    );
    break;
  default:
    throw new Error(`no client of the kind "${kind}"`);
}
