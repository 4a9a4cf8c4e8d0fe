// The agent `scripted` plays a script instead of calling a model, for the demo and for tests. A child process
// (the player) executes the script, so that kills, floods of output and orphans are real.
import { describeProcessEnding, type ProcessEnding } from '#kernel/model/ending.ts';
import type { Agent, AgentResult, AgentSession, AgentSpec, SessionRequest } from '#ports/agent.ts';
import { OperatorError } from '#base/operator-error.ts';
import { createEventQueue } from '#agents/shared/event-queue.ts';
import { goneSession } from '#agents/shared/gone-session.ts';
import type { Outcome } from '#agents/shared/outcome.ts';
import { createOutputReader } from './player-output.ts';
import type { PlayerOrder, PlayerResult } from './player-lines.ts';
import { loadScript, turnFor } from './script.ts';
import { readPlace } from './script-place.ts';
import { scriptError } from './script-error.ts';

export type PlayerCommand = readonly [string, ...string[]];

/** The session host enforces the time limit; the player's own is a backup. */
const wallMarginMs = 60_000;

export function createScriptedAgent(options: AgentSpec['options'], player: PlayerCommand): Agent {
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

/** The role's next turn for the player. Null if the conversation to resume does not belong to this role. */
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
  const output = createOutputReader(queue);
  const running = request.processes.start({
    command: player,
    cwd: request.cwd,
    env: request.env,
    mark: request.mark,
    wallMs: request.wallMs + request.graceMs + wallMarginMs,
    idleMs: null,
    graceMs: request.graceMs,
    onOutput: output.onOutput,
  });
  if (running.pid === null) throw notStarted(await running.ended);
  const write = (line: unknown): void => running.write(`${JSON.stringify(line)}\n`);
  write(order);

  const resultBy = (ending: ProcessEnding): AgentResult => ({
    ...outcomeOf(output.result(), ending),
    usage: output.usage(),
    model: request.model,
  });
  const answered = Promise.race([output.resultRead.then(() => playedOut), running.exited]);
  return {
    events: queue.events,
    concluded: answered.then(async (ending) => {
      await queue.allRead();
      return resultBy(ending);
    }),
    result: running.ended.then((ending) => {
      queue.end();
      return resultBy(ending);
    }),
    send: async (text) => write({ send: text }),
    interrupt: async () => write({ interrupt: true }),
    close: async (reason) => {
      running.kill(reason);
      queue.letGo();
      await running.ended;
    },
  };
}

/** Once its result was read, the way its process ends does not matter. */
const playedOut: ProcessEnding = { kind: 'exited', code: 0 };

function notStarted(ending: ProcessEnding): OperatorError {
  return new OperatorError(
    'agent-not-started',
    `The scripted agent could not be started: ${describeProcessEnding(ending)}.`,
    'Run untildone doctor.',
  );
}

function outcomeOf(result: PlayerResult | null, ending: ProcessEnding): Outcome {
  if (result !== null) return result.result;
  return { kind: 'crashed', detail: `the player left no result (${describeProcessEnding(ending)})` };
}
