// A stand-in for the `claude` program: speaks its protocol and plays the scene that the prompt names. For tests only.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { argv, env, stdout } from 'node:process';

const resumed = valueOf('--resume');
const sessionId = resumed ?? '11111111-2222-4333-8444-555555555555';
const folder = join(env['HOME'] ?? homedir(), '.fake-claude');
/** The messages of a conversation, as the real one keeps them: it sums up over all of them. */
const history = join(folder, `${encodeURIComponent(sessionId)}.json`);
let messages = 0;
let isDeaf = false;

const usage = { input_tokens: 100, output_tokens: 10, cache_read_input_tokens: 5 };

const scenes: { readonly [scene: string]: () => void } = {
  finishes: () => {
    say('hello from the agent');
    succeed();
  },
  'uses-a-tool': () => {
    tell({
      type: 'assistant',
      ...model([{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }]),
    });
    const result = { type: 'tool_result', tool_use_id: 't1', content: 'a.txt', is_error: false };
    tell({ type: 'user', message: { role: 'user', content: [result] }, parent_tool_use_id: null });
    say('after the tool');
    succeed();
  },
  crashes: () => {
    say('up');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50);
  },
  hangs: () => {
    say('up');
    stay();
  },
  'leaves-behind': () => {
    leaveBehind();
    say('up');
    succeed();
  },
  'ignores-term': () => {
    process.on('SIGTERM', () => {});
    leaveBehind();
    say('up');
    stay();
  },
  floods: () => {
    for (let count = 0; count < 50; count += 1) say('flood '.repeat(10_000));
    succeed();
  },
  'tells-usage': () => {
    say('one');
    say('two');
    succeed();
  },
  'can-be-interrupted': () => {
    say(argv.includes('--resume') ? 'went on' : 'up');
    if (argv.includes('--resume')) succeed();
  },
  'can-be-resumed': () => {
    say(resumed === undefined ? 'began' : 'went on');
    succeed();
  },
  'tells-itself': () => {
    say(JSON.stringify({ argv: argv.slice(2), env }));
    succeed();
  },
  'two-turns': () => {
    say('first');
    tell({ ...result(), queued_turn_count: 1 });
    setTimeout(() => {
      say('second');
      succeed();
    }, 200);
  },
  stays: () => {
    say('hello from the agent');
    succeed();
    stay();
  },
  'misses-its-file': () => {
    const file = '/h/.claude.json';
    const copy = '/h/.claude/backups/.claude.json.backup.17';
    const words = `\nClaude configuration file not found at: ${file}\nA backup file exists at: ${copy}\nYou can manually restore it by running: cp "${copy}" "${file}"\n\n`;
    process.stderr.write(words.repeat(2));
    say('hello from the agent');
    process.stderr.write(`${words}a true error\n`, succeed);
  },
  'ends-badly': () => {
    process.stderr.write('out of luck\n', () => process.exit(3));
  },
};

createInterface({ input: process.stdin })
  .on('line', (line) => hear(JSON.parse(line) as InputMessage))
  .on('close', () => {
    if (!isDeaf) process.exit(0);
  });

interface InputMessage {
  readonly type: string;
  readonly request_id?: string;
  readonly message?: { readonly content: string };
}

function hear({ type, request_id, message }: InputMessage): void {
  if (type === 'control_request') {
    tell({ type: 'control_response', response: { subtype: 'success', request_id, response: {} } });
    tell({
      ...result(),
      subtype: 'error_during_execution',
      is_error: true,
      terminal_reason: 'aborted_tools',
    });
    return;
  }
  const said = message?.content ?? '';
  if (!said.startsWith('scene ')) {
    say(`heard: ${said}`);
    return succeed();
  }
  if (resumed !== undefined && !existsSync(history)) return refuse();
  if (said === 'scene never-starts')
    process.stderr.write("error: unknown option '--nonsense'\n", () => process.exit(1));
  else {
    mkdirSync(folder, { recursive: true });
    if (resumed === undefined) writeFileSync(history, '0');
    tell({ type: 'system', subtype: 'init', model: 'claude-fake-1', apiKeySource: 'none' });
    scenes[said.slice('scene '.length)]?.();
  }
}

function say(text: string): void {
  tell({ type: 'assistant', ...model([{ type: 'text', text }]) });
}

function model(content: readonly object[]): object {
  messages += 1;
  return {
    message: { id: `m${messages}`, model: 'claude-fake-1', role: 'assistant', content, usage },
    parent_tool_use_id: null,
  };
}

function succeed(): void {
  tell(result());
}

/** Like the real one: sums over the whole conversation, and in newer releases what this turn used. */
function result(): object {
  const whole = Number(readFileSync(history, 'utf8')) + messages;
  writeFileSync(history, String(whole));
  const since = used(messages);
  messages = 0;
  return {
    type: 'result',
    subtype: 'success',
    is_error: false,
    terminal_reason: 'completed',
    total_cost_usd: 0.01 * whole,
    modelUsage: used(whole),
    ...(env['FAKE_CLAUDE'] !== 'old' && { model_usage_since_last_result: since }),
  };
}

function used(count: number): object {
  return {
    'claude-fake-1': {
      inputTokens: 100 * count,
      outputTokens: 10 * count,
      cacheReadInputTokens: 5 * count,
      costUSD: 0.01 * count,
    },
  };
}

/** What it was asked to resume is not there: told in a result, or in newer words, or on standard error alone. */
function refuse(): void {
  const words =
    env['FAKE_CLAUDE'] === 'other-words' ? 'nothing to go on with' : 'No conversation found with session ID:';
  const said = `${words} ${sessionId}`;
  const leave = (): never => process.exit(1);
  if (env['FAKE_CLAUDE'] === 'stderr') return void process.stderr.write(`${said}\n`, leave);
  const last = {
    type: 'result',
    subtype: 'error_during_execution',
    is_error: true,
    num_turns: 0,
    errors: [said],
  };
  stdout.write(`${JSON.stringify({ ...last, session_id: sessionId, modelUsage: {} })}\n`, leave);
}

function tell(message: object): void {
  stdout.write(`${JSON.stringify({ ...message, session_id: sessionId })}\n`);
}

function stay(): void {
  isDeaf = true;
  setInterval(() => {}, 1_000);
}

function leaveBehind(): void {
  spawn('sleep', ['300'], { detached: true, stdio: 'ignore' }).unref();
}

function valueOf(flag: string): string | undefined {
  const at = argv.indexOf(flag);
  return at < 0 ? undefined : argv[at + 1];
}
