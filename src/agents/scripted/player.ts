// The player: a separate process that plays a script, as a real agent would work.
import { spawn } from 'node:child_process';
import { appendFile, chmod, lstat, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlayerControl, PlayerLine, PlayerOrder, PlayerResult } from './player-lines.ts';
import type { Action, FileText } from './script.ts';
import { idOf, placeAfter } from './script-place.ts';

interface Stage {
  /** Aborted when the turn is interrupted. */
  readonly interrupted: AbortController;
  /** Aborted, and replaced, when a message arrives. */
  spokenTo: AbortController;
  calls: number;
}

/** A tool result is a summary; the rest of a command's output is not kept. */
const outputLengthMax = 4_000;
const floodChunk = 32_768;

export async function play(): Promise<void> {
  const stage: Stage = { interrupted: new AbortController(), spokenTo: new AbortController(), calls: 0 };
  const order = await hear(stage);
  await send({ type: 'session-id', id: idOf(placeAfter(order.place)) });
  for (const [index, action] of order.actions.entries()) {
    if (index < order.place.from) continue;
    const result = stage.interrupted.signal.aborted ? null : await perform(action, stage);
    if (stage.interrupted.signal.aborted) {
      const resumeId = idOf({ ...order.place, from: result === null ? index : index + 1 });
      await send({ type: 'session-id', id: resumeId });
      return leave({ kind: 'interrupted', resumeId });
    }
    if (result !== null && result !== 'done') return leave(result);
  }
  return leave({ kind: 'finished' });
}

type Performed = 'done' | PlayerResult['result'];

async function perform(action: Action, stage: Stage): Promise<Performed> {
  if ('say' in action) await send({ type: 'text', text: action.say });
  else if ('tool' in action) await useTool(stage, action.tool, action.summary ?? '', async () => 'done');
  else if ('write' in action) await useTool(stage, 'Write', action.write.path, () => write(action.write));
  else if ('append' in action) await useTool(stage, 'Edit', action.append.path, () => append(action.append));
  else if ('link' in action) await useTool(stage, 'Link', action.link.path, () => link(action.link));
  else if ('delete' in action) await useTool(stage, 'Delete', action.delete, () => remove(action.delete));
  else if ('run' in action) await useTool(stage, 'Bash', action.run, () => run(action.run, stage));
  else if ('leave' in action)
    await useTool(stage, 'Bash', action.leave, async () => leaveBehind(action.leave));
  else if ('sleep' in action) await rest(action.sleep, stage);
  else if ('flood' in action) await flood(action.flood, action.lineLength ?? 100, stage);
  else if ('usage' in action) await send({ type: 'usage', usage: action.usage });
  else if ('fail' in action) return { kind: 'failed', ...action.fail };
  else if ('exit' in action) process.exit(action.exit);
  else if ('crash' in action) process.kill(process.pid, 'SIGKILL');
  else if ('hang' in action) await new Promise(() => setInterval(() => {}, 60_000));
  else process.on('SIGTERM', () => {});
  return 'done';
}

/** Reads the order, and afterwards the messages while we play. */
async function hear(stage: Stage): Promise<PlayerOrder> {
  const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
  const first = Promise.withResolvers<PlayerOrder>();
  let isFirst = true;
  lines.on('line', (line) => {
    if (isFirst) first.resolve(JSON.parse(line) as PlayerOrder);
    else obey(JSON.parse(line) as PlayerControl, stage);
    isFirst = false;
  });
  return first.promise;
}

function obey(control: PlayerControl, stage: Stage): void {
  if ('interrupt' in control) return stage.interrupted.abort();
  void send({ type: 'notice', text: `heard: ${control.send}` });
  stage.spokenTo.abort();
  stage.spokenTo = new AbortController();
}

async function useTool(
  stage: Stage,
  name: string,
  summary: string,
  act: () => Promise<string>,
): Promise<void> {
  stage.calls += 1;
  const id = `call-${stage.calls}`;
  await send({ type: 'tool-call', id, name, summary });
  try {
    await send({ type: 'tool-result', id, isError: false, summary: await act() });
  } catch (error) {
    await send({ type: 'tool-result', id, isError: true, summary: String(error) });
  }
}

async function write(file: FileText): Promise<string> {
  await mkdir(dirname(resolve(file.path)), { recursive: true });
  // Written through a link, the text would land in another file.
  if ((await lstat(file.path).catch(() => null))?.isSymbolicLink() === true) await rm(file.path);
  await writeFile(file.path, file.text, file.encoding ?? 'utf8');
  if (file.executable !== undefined) await chmod(file.path, file.executable ? 0o755 : 0o644);
  return 'written';
}

async function link({ path, target }: { readonly path: string; readonly target: string }): Promise<string> {
  await mkdir(dirname(resolve(path)), { recursive: true });
  await rm(path, { recursive: true, force: true });
  await symlink(target, path);
  return 'linked';
}

async function append(file: FileText): Promise<string> {
  await mkdir(dirname(resolve(file.path)), { recursive: true });
  await appendFile(file.path, file.text);
  return 'appended';
}

async function remove(path: string): Promise<string> {
  await rm(path, { recursive: true, force: true });
  return 'deleted';
}

function run(command: string, stage: Stage): Promise<string> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const take = (chunk: Buffer): void => {
    output = (output + chunk.toString('utf8')).slice(-outputLengthMax);
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  return new Promise((settle, fail) => {
    // Processes that the shell started may hold the pipes for long; they end with the session.
    const stop = (): void => {
      child.kill('SIGKILL');
      fail(new Error('interrupted'));
    };
    stage.interrupted.signal.addEventListener('abort', stop);
    child.once('error', fail);
    child.once('close', (code, signal) => {
      stage.interrupted.signal.removeEventListener('abort', stop);
      if (code === 0) settle(output);
      else fail(new Error(`${signal === null ? `exit ${code}` : `killed by ${signal}`}: ${output}`));
    });
  });
}

function leaveBehind(command: string): string {
  const child = spawn(command, { shell: true, detached: true, stdio: 'ignore' });
  child.unref();
  return `left behind as ${child.pid}`;
}

async function rest(ms: number, stage: Stage): Promise<void> {
  const signal = AbortSignal.any([stage.interrupted.signal, stage.spokenTo.signal]);
  await sleep(ms, undefined, { signal }).catch(() => {});
}

async function flood(bytes: number, lineLength: number, stage: Stage): Promise<void> {
  const line = `${'flood '.repeat(Math.ceil(lineLength / 6)).slice(0, Math.max(lineLength - 1, 0))}\n`;
  const text = line.repeat(Math.ceil(floodChunk / line.length));
  const chunk = text.slice(0, Math.max(floodChunk, line.length));
  for (let left = bytes; left > 0 && !stage.interrupted.signal.aborted; left -= chunk.length) {
    await send({ type: 'text', text: left >= chunk.length ? chunk : chunk.slice(0, left) });
  }
}

async function leave(result: PlayerResult['result']): Promise<void> {
  await send({ type: 'result', result });
  process.exit(0);
}

/** Waits for the pipe, so that a slow reader slows the player down. */
async function send(line: PlayerLine): Promise<void> {
  await new Promise<void>((done) => {
    process.stdout.write(`${JSON.stringify(line)}\n`, () => done());
  });
}
