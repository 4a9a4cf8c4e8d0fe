// Driver `scripted`: plays a script in a real child process, so that kills, floods and orphans are real.
import { StringDecoder } from 'node:string_decoder';
import { describeProcessEnding } from '#kernel/ending.ts';
import type { ProcessEnding } from '#kernel/ending.ts';
import type { Usage } from '#kernel/budget.ts';
import type { Agent, AgentEvent, AgentResult, AgentSession, SessionRequest } from '#ports/agent.ts';
import { OperatorError } from '#ports/operator-error.ts';
import { createEventQueue } from '#adapters/agents/event-queue.ts';
import { parsePlayerLine } from './player-lines.ts';
import type { PlayerOrder, PlayerResult } from './player-lines.ts';
import { actionsFor, loadScript } from './script.ts';
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
    start: async (request) => startPlayer(await orderFor(options['script'], request), player, request),
  };
}

/** `<role>:<ordinal>:<next action>`: all that a resumed session needs. */
async function orderFor(source: unknown, request: SessionRequest): Promise<PlayerOrder> {
  const script = await loadScript(source, request.cwd);
  const [role, ordinal, from] = request.resume?.split(':') ?? [
    request.role,
    request.env['UNTILDONE_ORDINAL'] ?? '1',
    '0',
  ];
  if (role === undefined || !Number.isInteger(Number(ordinal)) || !Number.isInteger(Number(from))) {
    throw new OperatorError(
      'no-such-session',
      `There is no session ${request.resume} to resume.`,
      'Start a new one.',
    );
  }
  return {
    sessionId: `${role}:${ordinal}`,
    actions: actionsFor(script, role, Number(ordinal)),
    from: Number(from),
  };
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
