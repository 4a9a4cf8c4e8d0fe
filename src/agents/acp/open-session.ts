// Takes a started agent to a session that is ready for its first prompt: version, session, mode, model.
import { durationWords } from '#base/duration-words.ts';
import { inTime } from '#agents/shared/in-time.ts';
import type { SessionRequest } from '#ports/agent.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { AcpOptions } from './acp-options.ts';
import { RpcError, rpcCodes, type Peer } from '#agents/shared/json-rpc.ts';
import { chooseMode, chooseModel } from './choose-settings.ts';
import { fieldsOf, textOf, type Fields } from '#agents/shared/json.ts';
import { isRecord } from '#base/record.ts';

export interface OpenSession {
  readonly id: string;
  readonly model: string | null;
  /** Whether a later process of this agent can continue the session. */
  readonly canResume: boolean;
}

export interface Opening {
  readonly peer: Peer;
  readonly options: AcpOptions;
  readonly request: SessionRequest;
  /** Contract: resolves when the agent has been silent for a moment. */
  readonly quiet: () => Promise<void>;
}

export async function openSession(opening: Opening): Promise<OpenSession> {
  const { peer, options, request } = opening;
  const hello = await peer.request('initialize', {
    protocolVersion: 1,
    // Reading is not offered: some agents take our "not found" for a failure and never write a new file.
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: true }, terminal: false },
    clientInfo: { name: 'untildone', title: 'Untildone', version: '1' },
  });
  refuseOtherVersion(hello);
  const abilities = abilitiesOf(hello);
  const answer = await enter(opening, abilities);
  const id = textOf(answer['sessionId']) || (request.resume ?? '');
  const offered: Fields = { ...answer, sessionId: id };
  await chooseMode(peer, offered, request.readOnly ? options.mode.readOnly : options.mode.builder, request);
  const model = await chooseModel(peer, offered, request.model ?? options.model);
  return { id, model, canResume: abilities.load || abilities.resume };
}

function refuseOtherVersion(hello: Fields): void {
  if (hello['protocolVersion'] === 1) return;
  throw new OperatorError(
    'agent-options',
    `The agent speaks version ${JSON.stringify(hello['protocolVersion'])} of the Agent Client Protocol; this driver speaks 1.`,
    'Use a release of the agent that speaks version 1, or update untildone.',
  );
}

interface Abilities {
  readonly load: boolean;
  readonly resume: boolean;
}

function abilitiesOf(hello: Fields): Abilities {
  const { loadSession, sessionCapabilities } = fieldsOf(hello['agentCapabilities']);
  return { load: loadSession === true, resume: isRecord(fieldsOf(sessionCapabilities)['resume']) };
}

/** The agent refused, or did not answer, when asked to continue a session. */
export class ResumeRefused extends Error {
  readonly answer: RpcError;

  constructor(answer: RpcError) {
    super(answer.message);
    this.name = 'ResumeRefused';
    this.answer = answer;
  }
}

async function enter(opening: Opening, abilities: Abilities): Promise<Fields> {
  const { peer, request, options } = opening;
  const place = { cwd: request.cwd, mcpServers: [] };
  if (request.resume === null) return peer.request('session/new', place);
  const answer = goOn(opening, abilities, { ...place, sessionId: request.resume });
  try {
    return await inTime(answer, options.resumeTimeoutMs, () => noAnswer(options));
  } catch (error) {
    if (!(error instanceof RpcError) || error.code === rpcCodes.authRequired) throw error;
    throw new ResumeRefused(error);
  }
}

function noAnswer({ resumeTimeoutMs }: AcpOptions): RpcError {
  return new RpcError(rpcCodes.internal, `it gave no answer within ${durationWords(resumeTimeoutMs)}`);
}

/** `session/resume` is better than `session/load`: it does not send the whole history again. */
async function goOn({ peer, quiet }: Opening, { load, resume }: Abilities, asked: Fields): Promise<Fields> {
  if (resume) return peer.request('session/resume', asked);
  if (!load) throw new RpcError(rpcCodes.methodNotFound, 'it offers neither session/resume nor session/load');
  const answer = await peer.request('session/load', asked);
  // The history may still arrive after the answer; none of it is new.
  await quiet();
  return answer;
}
