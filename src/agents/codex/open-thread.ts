// Does the handshake with the app-server, up to a thread that is ready for its first turn.
import type { SessionRequest } from '#ports/agent.ts';
import { OperatorError } from '#base/operator-error.ts';
import { RpcError, rpcCodes } from '#agents/shared/json-rpc.ts';
import { classifyRefusedResume } from '#agents/shared/error-class.ts';
import { NoAnswer, type AppLink } from './app-link.ts';
import { limitsOf } from './config-flags.ts';
import { keyIn, keyProvider } from './key-provider.ts';
import type { CodexOptions } from './codex-options.ts';
import { loginFix, type CodexFailure } from './turn-error.ts';
import { unwantedNotifications } from './thread-reader.ts';
import { fieldsOf, textOf, type Fields } from '#agents/shared/json.ts';

export type Opening =
  | { readonly kind: 'open'; readonly threadId: string; readonly model: string | null }
  /** This codex has no app-server, or one that is too old. */
  | { readonly kind: 'unsupported'; readonly why: string }
  /** Codex must be started again with these settings: a provider can be chosen in no other way. */
  | { readonly kind: 'again'; readonly config: CodexOptions['config'] }
  | CodexFailure;

export async function openThread(
  link: AppLink,
  options: CodexOptions,
  request: SessionRequest,
): Promise<Opening> {
  try {
    await link.ask('initialize', {
      clientInfo: { name: 'untildone', title: 'Untildone', version: '1' },
      capabilities: {
        experimentalApi: false,
        requestAttestation: false,
        optOutNotificationMethods: unwantedNotifications,
      },
    });
    link.note('initialized');
    const settings = await readSettings(link, request.cwd);
    const key = keyIn(request.env);
    if (key !== null && isOpenAi(settings)) return { kind: 'again', config: keyProvider(key, request.env) };
    if (await isLoggedOut(link)) return notLoggedIn;
    const params = threadParams(options, request, settings);
    if (request.resume !== null) return await continueThread(link, options, request, params);
    return openedAs(await link.ask('thread/start', params), request);
  } catch (error) {
    if (error instanceof RpcError) return refusedOpening(error);
    throw error;
  }
}

/** A thread that codex does not reopen is gone, and so is one that it never answers for. */
async function continueThread(
  link: AppLink,
  options: CodexOptions,
  request: SessionRequest,
  params: Fields,
): Promise<Opening> {
  const asked = { ...params, threadId: request.resume, excludeTurns: true };
  try {
    return openedAs(await link.ask('thread/resume', asked, options.resumeTimeoutMs), request);
  } catch (error) {
    const isRefused = error instanceof RpcError && !isUnsupported(error);
    if (!isRefused && !(error instanceof NoAnswer)) throw error;
    return lostThread(error.message, request);
  }
}

/** Codex's wording for a missing thread, in the app-server and before `exec` begins. As of 0.166. */
export const goneWords =
  /thread\/resume|no (?:rollout|saved session|thread|conversation) found|(?:thread|rollout|session|conversation)\b.{0,80}\bnot found/i;

export function lostThread(text: string, { resume, knowledge }: SessionRequest): CodexFailure {
  const classified = classifyRefusedResume({ text, knowledge, now: Date.now() });
  return { kind: 'failed', ...classified, detail: `Codex cannot continue its thread ${resume}: ${text}` };
}

function openedAs(reply: Fields, request: SessionRequest): Opening {
  const threadId = textOf(fieldsOf(reply['thread'])['id']);
  if (threadId === '') return { kind: 'unsupported', why: 'its app-server opens no thread' };
  return { kind: 'open', threadId, model: textOf(reply['model']) || request.model };
}

/** A key pays for OpenAI; other providers have their own keys. */
function isOpenAi(settings: Fields): boolean {
  return (settings['model_provider'] ?? 'openai') === 'openai';
}

function threadParams(options: CodexOptions, request: SessionRequest, settings: Fields): Fields {
  const provider = settings['model_provider'];
  const own = fieldsOf(fieldsOf(settings['model_providers'])[textOf(provider)]);
  return {
    cwd: request.cwd,
    sandbox: sandboxOf(options, request),
    approvalPolicy: request.readOnly ? 'never' : options.approvals,
    config: { ...limitsOf(provider, own), ...(request.readOnly ? withoutTools(settings) : {}) },
    ...(request.model !== null && { model: request.model }),
  };
}

export function sandboxOf(options: CodexOptions, request: SessionRequest): CodexOptions['sandbox'] {
  return request.readOnly ? 'read-only' : options.sandbox;
}

/** The sandbox confines commands and patches; MCP servers run outside of it. */
function withoutTools(settings: Fields): Fields {
  const names = Object.keys(fieldsOf(settings['mcp_servers']));
  const off = names.map((name) => [
    `mcp_servers.${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}.enabled`,
    false,
  ]);
  return { ...(Object.fromEntries(off) as Fields), 'features.apps': false };
}

/** The active settings for this folder; empty if this codex does not report them. */
async function readSettings(link: AppLink, cwd: string): Promise<Fields> {
  const reply = await orNothing(link.ask('config/read', { includeLayers: false, cwd }));
  return fieldsOf(reply['config']);
}

async function isLoggedOut(link: AppLink): Promise<boolean> {
  const reply = await orNothing(link.ask('account/read', { refreshToken: false }));
  return reply['requiresOpenaiAuth'] === true && reply['account'] === null;
}

async function orNothing(answer: Promise<Fields>): Promise<Fields> {
  return answer.catch((error: unknown) => {
    if (error instanceof RpcError) return {};
    throw error;
  });
}

const notLoggedIn: CodexFailure = {
  kind: 'failed',
  errorClass: 'authentication',
  detail: `Codex is not logged in. ${loginFix}`,
};

function isUnsupported({ code, message }: RpcError): boolean {
  return (
    code === rpcCodes.methodNotFound || /unknown variant|method not found|not initialized/i.test(message)
  );
}

function refusedOpening(error: RpcError): Opening {
  const { message } = error;
  if (isUnsupported(error)) return { kind: 'unsupported', why: message };
  throw new OperatorError(
    'codex-refused',
    `Codex would not open a session: ${message}`,
    'Check "config" of this agent and the settings of codex itself (config.toml in its home).',
  );
}
