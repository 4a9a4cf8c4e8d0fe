// Driver `scripted`: plays a script in a real child process, so that kills, floods and orphans are real.
import { StringDecoder } from 'node:string_decoder';
import { describeProcessEnding } from '#kernel/ending.ts';
import type { ProcessEnding } from '#kernel/ending.ts';
import type { Usage } from '#kernel/budget.ts';
import type { Agent, AgentEvent, AgentResult, AgentSession, SessionRequest } from '#ports/agent.ts';
import { OperatorError } from '#ports/operator-error.ts';
import { createEventQueue } from '#adapters/agents/event-queue.ts';
import { goneSession } from '#adapters/agents/gone-session.ts';
import { parsePlayerLine } from './player-lines.ts';
import type { PlayerOrder, PlayerResult } from './player-lines.ts';
import { loadScript, turnFor } from './script.ts';
import { readPlace } from './script-place.ts';
import { scriptError } from './script-error.ts';

export interface ScriptedAgentOptions {
  readonly [key: string]: unknown;
}

/** How a player is started: program and arguments. */
export type PlayerCommand = readonly [string, ...string[]];

/** The host keeps the wall limit; ours only backs it up. */
const wallMarginMs = 60_000;

export function createScriptedAgent(options: ScriptedAgentOptions, player: PlayerCommand): Agent {
  for (const key of Object.keys(options)) {
    if (key !== 'script') throw scriptError(`it has no option "${key}" (it knows script)`);
  }
  if (options['script'] === undefined) throw scriptError('"script" is missing');
  return {
    driver: 'scripted',
    reportsUsage: true,
    resumes: 'by-id',
    start: async (request) => {
      const order = await orderFor(options['script'], request);
      if (order !== null) return startPlayer(order, player, request);
      return goneSession(`there is no conversation ${request.resume} of this role`, request.model);
    },
  };
}

/** Null where the session is to resume a conversation that no session of this role can have begun. */
async function orderFor(source: unknown, request: SessionRequest): Promise<PlayerOrder | null> {
  const script = await loadScript(source, request.cwd);
  const { role, resume, env } = request;
  const turn = Number(env['UNTILDONE_ORDINAL'] ?? '1');
  const place = resume === null ? { role, turn, from: 0, isResumed: false } : readPlace(resume);
  if (place?.role !== role) return null;
  const { actions, resumed } = turnFor(script, role, place.turn);
  return { place, actions: place.isResumed ? (resumed ?? actions) : actions };
}

async function startPlayer(
  order: PlayerOrder,
  player: PlayerCommand,
  request: SessionRequest,
): Promise<AgentSession> {
  const queue = createEventQueue();
  const told = Promise.withResolvers<void>();
  const heard: { result: PlayerResult | null; usage: Usage } = { result: null, usage: { usd: 0, tokens: 0 } };
  const onLine = (line: string): void | Promise<void> => {
    const message = parsePlayerLine(line);
    if (message.type === 'result') {
      heard.result = message;
      return told.resolve();
    }
    if (message.type === 'usage') heard.usage = message.usage;
    return queue.push(message);
  };
  const lines = createLineSplitter(onLine);
  const running = request.processes.start({
    command: player,
    cwd: request.cwd,
    env: request.env,
    mark: request.mark,
    wallMs: request.wallMs + request.graceMs + wallMarginMs,
    idleMs: null,
    graceMs: request.graceMs,
    onOutput: (chunk, stream) =>
      stream === 'stdout' ? lines.add(chunk) : queue.push(noticeOf(chunk.toString('utf8'))),
  });
  if (running.pid === null) {
    throw new OperatorError(
      'agent-not-started',
      `The scripted agent could not be started: ${describeProcessEnding(await running.ended)}.`,
      'Run untildone doctor.',
    );
  }
  running.write(`${JSON.stringify(order)}\n`);
  const resultBy = (ending: ProcessEnding): AgentResult => ({
    ...resultOf(heard.result, ending),
    usage: heard.usage,
    model: request.model,
  });
  const ended = running.ended.then((ending) => {
    queue.end();
    return ending;
  });
  return {
    events: queue.events,
    concluded: Promise.race([told.promise.then(() => playedOut), running.exited]).then(async (ending) => {
      await queue.allRead();
      return resultBy(ending);
    }),
    result: ended.then(resultBy),
    send: async (text) => running.write(`${JSON.stringify({ send: text })}\n`),
    interrupt: async () => running.write(`${JSON.stringify({ interrupt: true })}\n`),
    close: async (reason) => {
      running.kill(reason);
      queue.letGo();
      await running.ended;
    },
  };
}

/** Its result was read: how its process ends no longer matters. */
const playedOut: ProcessEnding = { kind: 'exited', code: 0 };

type Ended = AgentResult extends infer Result
  ? Result extends AgentResult
    ? Omit<Result, 'usage' | 'model'>
    : never
  : never;

function resultOf(result: PlayerResult | null, ending: ProcessEnding): Ended {
  if (result === null) {
    return { kind: 'crashed', detail: `the player left no result (${describeProcessEnding(ending)})` };
  }
  return result.result;
}

function noticeOf(text: string): AgentEvent {
  return { type: 'notice', text };
}

/** Lines of JSON from chunks of bytes; the player keeps its lines short. */
function createLineSplitter(onLine: (line: string) => void | Promise<void>) {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return {
    add: async (chunk: Buffer): Promise<void> => {
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) await onLine(line);
    },
  };
}
