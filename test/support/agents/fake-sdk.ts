// A stand-in for the Agent SDK: starts the program that it is pointed at and hands its messages on. For tests only.
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

interface Child {
  readonly stdin: Writable;
  readonly stdout: Readable;
}

interface Options {
  readonly pathToClaudeCodeExecutable: string;
  readonly cwd: string;
  readonly env: { readonly [name: string]: string };
  readonly resume?: string;
  spawnClaudeCodeProcess(order: object): Child;
}

export function query({ prompt, options }: { prompt: AsyncIterable<object>; options: Options }) {
  const { resume, cwd, env } = options;
  const child = options.spawnClaudeCodeProcess({
    command: options.pathToClaudeCodeExecutable,
    args: resume === undefined ? [] : ['--resume', resume],
    cwd,
    env: { ...env, SDK_OPTIONS: JSON.stringify(options) },
  });
  const write = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  void feed(prompt, write).then(() => child.stdin.end());
  return Object.assign(read(child), {
    interrupt: async () => write({ type: 'control_request', request_id: '1', request: {} }),
  });
}

async function feed(prompt: AsyncIterable<object>, write: (message: object) => void): Promise<void> {
  for await (const message of prompt) write(message);
}

/** Like the real one: an error is told as a result, and then thrown as well. */
async function* read({ stdout }: Child): AsyncGenerator<unknown> {
  let isError = false;
  for await (const line of createInterface({ input: stdout })) {
    const message = JSON.parse(line) as { type: string; is_error?: boolean };
    if (message.type === 'control_response') continue;
    if (message.type === 'result') isError = message.is_error === true;
    yield message;
  }
  if (isError) throw new Error('Claude Code returned an error result');
}
