// Starts a server for one check, in its checkout and on its own port, and ends the whole process tree.
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describeProcessEnding, type ProcessEnding } from '#kernel/model/ending.ts';
import type { CheckRequest } from '#ports/checker.ts';
import { isTaken } from './port-in-use.ts';
import { type CheckTools, openCheckLog } from './tools.ts';

export interface ServedCheck {
  readonly serve: string | null;
  readonly cwd: string;
  readonly timeoutMs: number;
}

export interface Served {
  /** The address with its port filled in. */
  readonly url: URL;
  /** Null when nothing was started. */
  readonly pid: number | null;
  /** How the server ended before we stopped it; null while it runs. */
  ended(): ProcessEnding | null;
  /** Aborted when the server has ended, the time is up or the check was cancelled. */
  readonly signal: AbortSignal;
  /** Ends all started processes and returns the tail of their output. May be called again. */
  stop(): Promise<{ readonly tail: string; readonly ending: ProcessEnding | null }>;
}

// A server has nothing to save, so it gets little time.
const graceMs = 2_000;

/** Starts the server of the check, if it has one; `problem` says why that failed. */
export async function startServed(
  request: CheckRequest,
  check: ServedCheck & { readonly url: string },
  tools: CheckTools,
): Promise<Served | { readonly problem: string }> {
  const hasPort = check.url.includes('{port}');
  if (hasPort && check.serve === null)
    return { problem: 'its address asks for a port, but nothing is served' };
  const port = check.serve === null ? 0 : hasPort ? await freePort() : portOf(new URL(check.url));
  const url = new URL(check.url.replaceAll('{port}', String(port)));
  if (check.serve === null) return notServed(url, request, check.timeoutMs);
  if (await isTaken(url.hostname, port))
    return { problem: `something else listens on port ${port} already, and would answer in its place` };
  return start(request, { ...check, serve: check.serve, port, url }, tools);
}

async function start(
  request: CheckRequest,
  check: ServedCheck & { readonly serve: string; readonly port: number; readonly url: URL },
  tools: CheckTools,
): Promise<Served> {
  const { processes, env } = tools;
  const log = await openCheckLog(tools, request.log);
  const running = processes.start({
    command: check.serve,
    cwd: join(request.cwd, check.cwd),
    env: { ...env, PORT: String(check.port) },
    isServed: true,
    mark: request.mark,
    wallMs: check.timeoutMs + graceMs,
    idleMs: null,
    graceMs,
    input: null,
    onOutput: (chunk, stream) => log.add(chunk, stream),
  });
  const gone = new AbortController();
  let ending: ProcessEnding | null = null;
  void running.ended.then((how) => {
    ending = how;
    gone.abort();
  });
  const end = async (before: ProcessEnding | null): ReturnType<Served['stop']> => {
    running.kill('the check is over');
    await running.ended;
    return { tail: (await log.close()).tail, ending: before };
  };
  let stopped: ReturnType<Served['stop']> | null = null;
  return {
    url: check.url,
    pid: running.pid,
    ended: () => ending,
    signal: AbortSignal.any([gone.signal, request.signal, AbortSignal.timeout(check.timeoutMs)]),
    stop() {
      stopped ??= end(ending);
      return stopped;
    },
  };
}

function notServed(url: URL, request: CheckRequest, timeoutMs: number): Served {
  return {
    url,
    pid: null,
    ended: () => null,
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]),
    stop: async () => ({ tail: '', ending: null }),
  };
}

export function endedWords(ending: ProcessEnding): string {
  return `the server ended before it answered (${describeProcessEnding(ending)})`;
}

export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
