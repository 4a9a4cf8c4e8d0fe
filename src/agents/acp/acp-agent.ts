// Driver `acp`: any agent that speaks the Agent Client Protocol (version 1) on its standard input and output.
import { describeProcessEnding, type ProcessEnding } from '#kernel/model/ending.ts';
import type { Agent, AgentSession, SessionRequest } from '#ports/agent.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { RunningProcess } from '#ports/processes.ts';
import { inTime } from '#agents/shared/in-time.ts';
import { openCounterFile } from '#agents/shared/counter-file.ts';
import { closeClient } from '#agents/shared/client-process.ts';
import { parseAcpOptions, type AcpOptions } from './acp-options.ts';
import { outcomeOfError, outcomeOfRefusedResume } from './agent-error.ts';
import { createClient, type Client } from './client.ts';
import { holdTurns } from './hold-turns.ts';
import { PeerGone, RpcError } from '#agents/shared/json-rpc.ts';
import { ResumeRefused, openSession, type OpenSession } from './open-session.ts';
import type { Outcome } from '#agents/shared/outcome.ts';

/** Slow agents need twenty seconds on a busy machine; a slower one does not speak the protocol. */
const openMsMax = 120_000;
/** Some agents do not exit when their input is closed. */
const leaveMs = 1_000;
const shellFoundNothing = 127;

export function createAcpAgent(options: { readonly [key: string]: unknown }): Agent {
  const parsed = parseAcpOptions(options);
  return {
    driver: 'acp',
    reportsUsage: true,
    resumes: 'where-offered',
    start: (request) => startAgent(parsed, request),
  };
}

async function startAgent(options: AcpOptions, request: SessionRequest): Promise<AgentSession> {
  const client = createClient(options, request);
  if (client.process.pid === null) throw notStarted(options, await client.process.ended);
  void client.process.ended.then((ending) => client.peer.leave(describeProcessEnding(ending)));
  try {
    const { peer, quiet } = client;
    const opening = openSession({ peer, options, request, quiet });
    const session = await inTime(opening, openMsMax, () => silent(options));
    return await converse(session, client, request);
  } catch (error) {
    client.process.kill('it could not be opened');
    const ending = await client.process.ended;
    if (error instanceof OperatorError) throw error;
    if (ending.kind === 'exited' && ending.code === shellFoundNothing) throw notStarted(options, ending);
    return stillborn(outcomeOf(error, ending, client, request), client, request.model);
  }
}

async function converse(
  session: OpenSession,
  client: Client,
  request: SessionRequest,
): Promise<AgentSession> {
  const { peer, telling } = client;
  const counter = openCounterFile(request.env, 'acp');
  const [costBefore = null] = request.resume === null ? [] : ((await counter.read(session.id)) ?? []);
  telling.begin(session.id, costBefore);
  const turns = holdTurns(request.prompt, { peer, session, onReply: (reply) => telling.onReply(reply) });
  const outcome = turns.ended
    .catch(async (error: unknown) => outcomeOf(error, await endingFor(error, client), client, request))
    .then(async (last) => {
      const cost = telling.costSoFar();
      if (cost !== null && session.canResume) await counter.keep(session.id, [cost]);
      return last;
    });
  return {
    ...endWith(outcome, client, session.model ?? request.model),
    isResumable: session.canResume,
    send: async (text) => turns.say(text),
    ...(session.canResume && { interrupt: async () => turns.interrupt(request.graceMs) }),
  };
}

/** A session that the agent refused to open has events and a result like any other, and costs nothing. */
function stillborn(outcome: Outcome, client: Client, model: string | null): AgentSession {
  const { result, events, close } = endWith(Promise.resolve(outcome), client, model);
  return { events, close, result: result.then((last) => ({ ...last, usage: { usd: 0, tokens: 0 } })) };
}

/** Order: the agent exits, the last event is read, the result settles. */
function endWith(
  outcome: Promise<Outcome>,
  { process, telling: { queue, usage } }: Client,
  model: string | null,
): Pick<AgentSession, 'events' | 'concluded' | 'result' | 'close'> {
  const concluded = outcome.then(async (last) => {
    await queue.allRead();
    return { ...last, usage: usage(), model };
  });
  const result = outcome.then(async (last) => {
    await leave(process);
    queue.end();
    await queue.done;
    return { ...last, usage: usage(), model };
  });
  return { events: queue.events, concluded, result, close: closeClient(process, queue) };
}

async function leave(process: RunningProcess): Promise<void> {
  process.closeInput();
  const timer = setTimeout(() => process.kill('it did not leave'), leaveMs);
  await process.ended;
  clearTimeout(timer);
}

/** Only an agent that went away has a process ending to report. */
function endingFor(error: unknown, client: Client): Promise<ProcessEnding> | null {
  return error instanceof PeerGone ? client.process.ended : null;
}

function outcomeOf(
  error: unknown,
  ending: ProcessEnding | null,
  client: Client,
  { knowledge }: SessionRequest,
): Outcome {
  if (error instanceof ResumeRefused) return outcomeOfRefusedResume(error.answer, knowledge, Date.now());
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
    'Give the command that starts the agent in that mode, for example "my-agent --acp".',
  );
}
