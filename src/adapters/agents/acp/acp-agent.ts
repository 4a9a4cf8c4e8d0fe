// Driver `acp`: any agent that speaks the Agent Client Protocol (version 1) on its standard input and output.
import { describeProcessEnding } from '#kernel/ending.ts';
import type { ProcessEnding } from '#kernel/ending.ts';
import type { Agent, AgentSession, SessionRequest } from '#ports/agent.ts';
import { OperatorError } from '#ports/operator-error.ts';
import { parseAcpOptions } from './acp-options.ts';
import type { AcpOptions } from './acp-options.ts';
import { outcomeOfError } from './agent-error.ts';
import { createClient } from './client.ts';
import type { Client } from './client.ts';
import { holdTurns } from './hold-turns.ts';
import { PeerGone, RpcError } from './json-rpc.ts';
import { openSession } from './open-session.ts';
import type { OpenSession } from './open-session.ts';
import type { Outcome } from './outcome.ts';

/** Slow agents take twenty seconds on a busy machine; one that takes this long does not speak the protocol. */
const openMsMax = 120_000;
/** Some agents do not leave when their input is closed. */
const leaveMs = 1_000;
const shellFoundNothing = 127;

export function createAcpAgent(options: { readonly [key: string]: unknown }): Agent {
  const parsed = parseAcpOptions(options);
  return {
    driver: 'acp',
    reportsUsage: true,
    start: (request) => startAgent(parsed, request),
  };
}

async function startAgent(options: AcpOptions, request: SessionRequest): Promise<AgentSession> {
  const client = createClient(options, request);
  if (client.process.pid === null) throw notStarted(options, await client.process.ended);
  void client.process.ended.then((ending) => client.peer.leave(describeProcessEnding(ending)));
  try {
    const session = await openInTime(client, options, request);
    return converse(session, client, request);
  } catch (error) {
    client.process.kill('it could not be opened');
    const ending = await client.process.ended;
    if (error instanceof OperatorError) throw error;
    if (ending.kind === 'exited' && ending.code === shellFoundNothing) throw notStarted(options, ending);
    return stillborn(outcomeOf(error, ending, client, request), client, request);
  }
}

async function openInTime(
  client: Client,
  options: AcpOptions,
  request: SessionRequest,
): Promise<OpenSession> {
  const tooLong = Promise.withResolvers<never>();
  const timer = setTimeout(() => tooLong.reject(silent(options)), openMsMax);
  const { peer, quiet, telling } = client;
  const note = (text: string): Promise<void> => telling.tell([{ type: 'notice', text }]);
  const opening = openSession({ peer, options, request, quiet, note });
  try {
    return await Promise.race([opening, tooLong.promise]);
  } finally {
    clearTimeout(timer);
    opening.catch(() => {});
  }
}

function converse(session: OpenSession, client: Client, request: SessionRequest): AgentSession {
  client.telling.begin(session.id);
  const turns = holdTurns(request.prompt, {
    peer: client.peer,
    session,
    onReply: (reply) => client.telling.onReply(reply),
  });
  const ended = turns.ended
    .catch(async (error: unknown) => outcomeOf(error, await endingFor(error, client), client, request))
    .then(async (outcome) => {
      await leave(client);
      return { ...outcome, usage: client.telling.usage(), model: session.model ?? request.model };
    });
  return {
    events: client.telling.queue.events,
    result: ended,
    send: async (text) => turns.say(text),
    ...(session.canResume && { interrupt: async () => turns.interrupt(request.graceMs) }),
    close: (reason) => close(client, reason),
  };
}

/** A session that the agent refused to open: it has events and a result like any other. */
function stillborn(outcome: Outcome, client: Client, request: SessionRequest): AgentSession {
  client.telling.queue.end();
  return {
    events: client.telling.queue.events,
    result: Promise.resolve({ ...outcome, usage: { usd: 0, tokens: 0 }, model: request.model }),
    close: (reason) => close(client, reason),
  };
}

async function close(client: Client, reason: string): Promise<void> {
  client.process.kill(reason);
  client.telling.queue.letGo();
  await client.process.ended;
}

async function leave(client: Client): Promise<void> {
  client.process.closeInput();
  const timer = setTimeout(() => client.process.kill('it did not leave'), leaveMs);
  await client.process.ended;
  clearTimeout(timer);
  client.telling.queue.end();
}

/** Only one that went away has ended by itself. */
function endingFor(error: unknown, client: Client): Promise<ProcessEnding> | null {
  return error instanceof PeerGone ? client.process.ended : null;
}

function outcomeOf(
  error: unknown,
  ending: ProcessEnding | null,
  client: Client,
  { knowledge }: SessionRequest,
): Outcome {
  if (error instanceof RpcError) return outcomeOfError(error, knowledge, Date.now());
  const detail = ending === null ? String(error) : describeProcessEnding(ending);
  const complaint = client.telling.complaint();
  return { kind: 'crashed', detail: complaint === '' ? detail : `${detail}: ${complaint}` };
}

function notStarted({ command }: AcpOptions, ending: ProcessEnding): OperatorError {
  const program = typeof command === 'string' ? (command.trim().split(/\s+/)[0] ?? command) : command[0];
  const reason =
    ending.kind === 'not-started' ? ending.reason : `the program "${program}" was not found on PATH`;
  return new OperatorError(
    'agent-not-started',
    `The acp agent could not be started: ${reason}.`,
    `Install it, or check it with: command -v ${program}`,
  );
}

function silent({ command }: AcpOptions): OperatorError {
  const shown = typeof command === 'string' ? command : command.join(' ');
  return new OperatorError(
    'agent-not-started',
    `"${shown}" did not speak the Agent Client Protocol within ${openMsMax / 1_000} s.`,
    'Give the command that starts the agent in that mode, for example "gemini --acp" or "opencode acp".',
  );
}
