// Starts a client without us, with the program, arguments and environment of a recorded session.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createPeer } from '#agents/shared/json-rpc.ts';
import { userMessage } from '#agents/claude/claude-cli.ts';

/** Wraps a client, and records how it was started the first time. */
export interface Recorder {
  readonly program: string;
  /** From now on it only passes calls on. */
  stop(): void;
  startAgain(cwd: string): ChildProcess;
}

export function makeRecorder(folder: string, command: readonly string[]): Recorder {
  mkdirSync(folder);
  const program = join(folder, 'client');
  const quoted = command.map((word) => `'${word}'`).join(' ');
  const record = `printf '%s\\0' "$@" > "${folder}/args"; env -0 > "${folder}/env"`;
  writeFileSync(program, `#!/bin/sh\n[ -e "${folder}/off" ] || { ${record}; }\nexec ${quoted} "$@"\n`);
  chmodSync(program, 0o755);
  const read = (name: string): string[] => readFileSync(join(folder, name), 'utf8').split('\0').slice(0, -1);
  return {
    program,
    stop: () => writeFileSync(join(folder, 'off'), ''),
    startAgain: (cwd) => {
      const env: NodeJS.ProcessEnv = {};
      for (const line of read('env'))
        env[line.slice(0, line.indexOf('='))] = line.slice(line.indexOf('=') + 1);
      // In its own process group, because clients come with a starter and with helpers.
      return spawn(program, read('args'), { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
    },
  };
}

export function endGroup(child: ChildProcess): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  child.stdin?.on('error', () => {});
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  return gone;
}

export type HandPrompt = (child: ChildProcess, prompt: string, cwd: string) => void | Promise<void>;

export const asInput: HandPrompt = (child, prompt) => {
  child.stdin?.end(prompt);
};

export const asMessage: HandPrompt = (child, prompt) => {
  child.stdin?.write(`${JSON.stringify(userMessage(prompt))}\n`);
};

/** The minimum that an app-server needs before it asks its model. */
export const asTurn: HandPrompt = async (child, prompt, cwd) => {
  const peer = createPeer({
    write: (text) => child.stdin?.write(text),
    onRequest: async () => null,
    onNotification: () => {},
    onGarbage: () => {},
  });
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on('line', (text) => void peer.receive({ text, cutBytes: 0 }));
  }
  await peer.request('initialize', { clientInfo: { name: 'bench', title: 'Bench', version: '1' } });
  peer.notify('initialized', {});
  const { thread } = await peer.request('thread/start', {
    cwd,
    sandbox: 'workspace-write',
    approvalPolicy: 'never',
  });
  const { id: threadId } = thread as { readonly id: string };
  await peer.request('turn/start', { threadId, input: [{ type: 'text', text: prompt, text_elements: [] }] });
};
