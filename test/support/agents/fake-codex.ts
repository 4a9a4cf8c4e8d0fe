// A small codex for tests: `fake-codex.ts app-server …` and `fake-codex.ts exec --json …`. The prompt names the scene.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { exec } from './fake-exec.ts';
import { forget, isKept, keepTotal, totalOf } from './fake-threads.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly [name: string]: unknown };
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

const threadId = '01a1e173-0000-7000-8000-000000000001';
const heard = process.env['FAKE_CODEX_HEARD'];
const answers = new Map<number, (message: Message) => void>();
const steered = Promise.withResolvers<string>();
const stopped = Promise.withResolvers<void>();
let turns = 0;
let asked = 0;
let total = 0;
let isResumed = false;
let scene = '';

if (heard !== undefined) appendFileSync(heard, `argv ${JSON.stringify(process.argv.slice(2))}\n`);
if (process.env['FAKE_CODEX'] === 'old' && process.argv[2] !== 'exec') {
  process.stderr.write('Error: stdin is not a terminal\n');
  process.exit(1);
}
if (process.argv[2] === 'exec') await exec(threadId);
else serve();

function serve(): void {
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    if (heard !== undefined) appendFileSync(heard, `${line}\n`);
    const message = JSON.parse(line) as Message;
    if (message.method === undefined) answers.get(message.id ?? -1)?.(message);
    else if (message.id !== undefined) answer(message.id, message.method, message.params ?? {});
  });
  lines.on('close', () => {
    if (scene === 'floods') appendFileSync(process.env['FAKE_CODEX_GONE'] ?? '/dev/null', 'gone\n');
    if (scene !== 'ignores-term') process.exit(0);
  });
}

function answer(id: number, method: string, params: { readonly [name: string]: unknown }): void {
  const result = (value: object): void => write({ id, result: value });
  switch (method) {
    case 'initialize':
      if (process.env['FAKE_CODEX'] === 'silent') return;
      return result({ userAgent: 'fake/0.166.0' });
    case 'account/read':
      return result({
        account: null,
        requiresOpenaiAuth: process.env['FAKE_CODEX'] === 'logged-out' && flag('model_provider') === null,
      });
    case 'config/read':
      return result({
        config: {
          model_provider: flag('model_provider') ?? 'mock',
          model_providers: { mock: { request_max_retries: 3, stream_max_retries: null } },
          mcp_servers: { notes: {}, 'odd.name': {} },
        },
      });
    case 'thread/start':
      if (process.env['FAKE_CODEX'] === 'bad-config') return refuse(id, 'unknown model provider');
      forget(threadId);
      return result({ thread: { id: threadId }, model: params['model'] ?? 'gpt-5.5' });
    case 'thread/resume':
      if (process.env['FAKE_CODEX'] === 'stuck') return;
      if (!isKept(String(params['threadId'])))
        return refuse(id, `no rollout found for thread id ${String(params['threadId'])}`);
      isResumed = true;
      result({ thread: { id: threadId }, model: 'gpt-5.5' });
      total = totalOf(threadId);
      if (process.env['FAKE_CODEX'] !== 'tells-no-past') usage('before', 0);
      return;
    case 'turn/start':
      if (process.env['FAKE_CODEX'] === 'forgets') return refuse(id, `thread not found: ${threadId}`);
      turns += 1;
      keepTotal(threadId, total);
      scene = turns === 1 ? sceneOf(params) : scene;
      result({ turn: { id: turnId() } });
      if (turns === 1) void play();
      else void said(`next turn: ${textOf(params)}`).then(completed);
      return;
    case 'turn/steer':
      if (scene === 'ends-before-steer') {
        if (turns === 1) completed();
        return refuse(id, 'no active turn to steer');
      }
      result({ turnId: turnId() });
      return steered.resolve(textOf(params));
    case 'turn/interrupt':
      if (scene === 'deaf') return;
      result({});
      return stopped.resolve();
    default:
      write({ id, error: { code: -32601, message: `unknown variant ${method}` } });
  }
}

async function play(): Promise<void> {
  note('turn/started', { turn: { id: turnId() } });
  switch (scene) {
    case 'uses-a-tool':
      item('started', shell('inProgress'));
      item('completed', { ...shell('completed'), exitCode: 0, aggregatedOutput: 'out\n' });
      await said('after the tool');
      break;
    case 'crashes':
      await said('up');
      return kill();
    case 'hangs':
    case 'deaf':
      return said('up');
    case 'leaves-behind':
      leaveBehind();
      await said('up');
      break;
    case 'ignores-term':
      process.on('SIGTERM', () => {});
      leaveBehind();
      await said('up');
      for (;;) await sleep(1_000);
    case 'floods':
      for (let count = 0; count < 250; count += 1) delta('flood', 'flood '.repeat(1_500));
      break;
    case 'tells-usage':
      usage(turnId(), 100);
      usage(turnId(), 50);
      break;
    case 'can-be-interrupted':
      if (!isResumed) return workLong();
      await said('went on');
      break;
    case 'can-be-resumed':
      await said(isResumed ? 'went on' : 'began');
      break;
    default:
      if (await playMore()) break;
      await said('hello from the agent');
  }
  completed();
}

/** Scenes of this folder's own tests; true if the turn continues to its normal end. */
async function playMore(): Promise<boolean> {
  switch (scene) {
    case 'asks': {
      for (const question of JSON.parse(process.env['FAKE_CODEX_ASKS'] ?? '[]') as Message[]) {
        if (question.id === undefined) note(question.method ?? '', question.params ?? {});
        else await said(JSON.stringify(await ask(question)));
      }
      return true;
    }
    case 'plays':
      // The lines stand in for whatever a real one would have said.
      process.stdout.write(
        (process.env['FAKE_CODEX_LINES'] ?? '').replaceAll('$THREAD', threadId).replaceAll('$TURN', turnId()),
      );
      return !(process.env['FAKE_CODEX_LINES'] ?? '').includes('turn/completed');
    case 'ends-before-steer':
      await said('up');
      for (;;) await sleep(1_000);
    case 'works-behind':
      item('started', shell('inProgress'));
      usage(turnId(), 10);
      await said('meanwhile');
      item('completed', { ...shell('completed'), exitCode: 0, aggregatedOutput: 'late\n' });
      return true;
    case 'has-a-helper':
      note('item/completed', {
        threadId: 'other',
        item: { type: 'agentMessage', id: 'm', text: '===DONE===' },
      });
      note('thread/tokenUsage/updated', {
        threadId: 'other',
        turnId: 'x',
        tokenUsage: { total: tokens(30) },
      });
      note('turn/completed', { threadId: 'other', turn: { id: 'x', status: 'completed' } });
      usage(turnId(), 10);
      return true;
    default:
      return false;
  }
}

async function workLong(): Promise<void> {
  await said('up');
  item('started', shell('inProgress'));
  await Promise.race([stopped.promise, steered.promise]);
  const text = await Promise.race([steered.promise, sleep(0, null)]);
  if (text === null)
    return note('turn/completed', { turn: { id: turnId(), status: 'interrupted', error: null } });
  await said(`heard: ${text}`);
  completed();
}

function flag(key: string): string | null {
  const found = process.argv.find((word) => word.startsWith(`${key}=`));
  return found === undefined ? null : (JSON.parse(found.slice(key.length + 1)) as string);
}

function sceneOf(params: { readonly [name: string]: unknown }): string {
  return /scene (\S+)/.exec(textOf(params))?.[1] ?? 'finishes';
}

function textOf(params: { readonly [name: string]: unknown }): string {
  const [first] = params['input'] as { text: string }[];
  return first?.text ?? '';
}

function turnId(): string {
  return `turn-${turns}`;
}

function tokens(count: number): object {
  return {
    totalTokens: count,
    inputTokens: count,
    cachedInputTokens: 0,
    cacheWriteInputTokens: 0,
    outputTokens: 0,
  };
}

function usage(turn: string, count: number): void {
  total += count;
  keepTotal(threadId, total);
  const tokenUsage = { total: tokens(total), last: tokens(count) };
  note('thread/tokenUsage/updated', { turnId: turn, tokenUsage });
}

function shell(status: string): object {
  return { type: 'commandExecution', id: 'call_1', command: "/bin/bash -lc 'echo out'", status };
}

async function said(text: string): Promise<void> {
  delta('message', text);
  item('completed', { type: 'agentMessage', id: 'message', text });
  await sleep(1);
}

function delta(itemId: string, text: string): void {
  note('item/agentMessage/delta', { itemId, delta: text });
}

function item(when: 'started' | 'completed', about: object): void {
  note(`item/${when}`, { turnId: turnId(), item: about });
}

function completed(): void {
  note('turn/completed', { turn: { id: turnId(), status: 'completed', error: null } });
}

function ask(question: Message): Promise<unknown> {
  asked += 1;
  const id = asked;
  write({ id, method: question.method, params: { threadId, ...question.params } });
  return new Promise((resolve) => {
    answers.set(id, ({ result, error }) => resolve(error ?? result));
  });
}

function note(method: string, params: object): void {
  write({ method, params: { threadId, ...params } });
}

function refuse(id: number, message: string): void {
  write({ id, error: { code: -32600, message } });
}

function write(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

function leaveBehind(): void {
  spawn('/bin/sh', ['-c', 'exec setsid sleep 300'], { stdio: 'ignore', detached: true }).unref();
}

function kill(): void {
  process.stdout.write('', () => process.kill(process.pid, 'SIGKILL'));
}
