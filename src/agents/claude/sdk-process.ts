// Starts the child of the SDK; to the SDK it behaves like a child process of Node.
import { EventEmitter } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import type { ProcessEnding } from '#kernel/model/ending.ts';
import type { RunningProcess } from '#ports/processes.ts';
import type { ClaudeCall } from './claude-call.ts';
import { startClient } from '#agents/shared/client-process.ts';

export interface SdkProcess {
  /** For `spawnClaudeCodeProcess`. */
  readonly spawn: (order: SpawnOrder) => object;
  readonly started: Promise<RunningProcess>;
  /** While this promise is pending, the child is held back: the SDK would read on and keep everything. */
  hold(handled: void | Promise<void>): void | Promise<void>;
}

interface SpawnOrder {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: { readonly [name: string]: string | undefined };
}

export function createSdkProcess(
  { request, options }: ClaudeCall,
  onComplaint: (text: string) => void | Promise<void>,
): SdkProcess {
  const started = Promise.withResolvers<RunningProcess>();
  let held: Promise<void> | null = null;

  const spawn = (order: SpawnOrder): object => {
    const stdout = new PassThrough();
    const running = startClient(request, {
      command: [order.command, ...order.args, ...options.extraArgs],
      cwd: order.cwd ?? request.cwd,
      env: defined(order.env),
      onOutput: async (chunk, stream) => {
        if (stream === 'stderr') return onComplaint(chunk.toString('utf8'));
        if (!stdout.write(chunk)) await new Promise((resolve) => stdout.once('drain', resolve));
        await held;
      },
    });
    started.resolve(running);
    return asChild(running, stdout);
  };
  return {
    spawn,
    started: started.promise,
    hold: (handled) => {
      if (handled === undefined) return;
      const holding = handled.finally(() => {
        if (held === holding) held = null;
      });
      held = holding;
      return holding;
    },
  };
}

function asChild(running: RunningProcess, stdout: PassThrough): object {
  const events = new EventEmitter();
  const state: { exitCode: number | null; signalCode: string | null } = { exitCode: null, signalCode: null };
  let isKilled = false;
  const stdin = new Writable({
    write: (chunk: Buffer, _, done) => {
      running.write(chunk.toString('utf8'));
      done();
    },
    final: (done) => {
      running.closeInput();
      done();
    },
  });
  void running.ended.then((ending) => {
    stdout.end();
    Object.assign(state, codesOf(ending));
    events.emit('exit', state.exitCode, state.signalCode);
  });
  return {
    stdin,
    stdout,
    get killed() {
      return isKilled;
    },
    get exitCode() {
      return state.exitCode;
    },
    get signalCode() {
      return state.signalCode;
    },
    kill: (): boolean => {
      isKilled = true;
      running.kill('the SDK asked for it');
      return true;
    },
    on: events.on.bind(events),
    once: events.once.bind(events),
    off: events.off.bind(events),
  };
}

/** The codes that Node would report. A program that could not be started counts as failed. */
function codesOf(ending: ProcessEnding): { exitCode: number | null; signalCode: string | null } {
  switch (ending.kind) {
    case 'exited':
      return { exitCode: ending.code, signalCode: null };
    case 'signalled':
      return { exitCode: null, signalCode: ending.signal };
    case 'timed-out':
    case 'cancelled':
      return { exitCode: null, signalCode: 'SIGTERM' };
    case 'not-started':
      return { exitCode: 127, signalCode: null };
  }
}

function defined(env: SpawnOrder['env']): { [name: string]: string } {
  const result: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined) result[name] = value;
  return result;
}
