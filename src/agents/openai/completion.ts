// Sends one request and reads its answer; errors come back in a form that the loop can act on.
import { classifyError, type ClassifiedError } from '#agents/shared/error-class.ts';
import type { AgentKnowledge } from '#kernel/model/config.ts';
import type { Reply } from './chat.ts';
import type { Endpoint } from './endpoint.ts';
import { ask, readEvents, StreamGarbage, type HttpReply } from './http.ts';
import { describeDown } from './providers.ts';
import { createReplyFold, type Listener } from './reply-fold.ts';
import type { Fields } from '#agents/shared/json.ts';
import { isRecord } from '#base/record.ts';
import { parseRecord } from '#base/parse-json.ts';
import { readBody } from '#adapters/machine/http.ts';

export type Completion =
  | { readonly kind: 'reply'; readonly reply: Reply }
  | ({ readonly kind: 'failed'; readonly detail: string; readonly status: number | null } & ClassifiedError)
  /** The response is not a completion at all. */
  | { readonly kind: 'crashed'; readonly detail: string };

export interface Inquiry {
  readonly endpoint: Endpoint;
  readonly body: Fields;
  readonly listener: Listener;
  readonly signal: AbortSignal;
  readonly knowledge: AgentKnowledge;
  readonly env: { readonly [name: string]: string };
  /** Called for every piece, also those the listener does not get: reasoning, arguments, keep-alives. */
  readonly onBytes?: () => void;
}

const errorBytesMax = 20_000;
const wholeBytesMax = 64_000_000;
const detailLengthMax = 600;

/** Never rejects; after an abort its answer means nothing. */
export async function complete(inquiry: Inquiry): Promise<Completion> {
  const { endpoint, body, signal, env } = inquiry;
  let answer: HttpReply;
  try {
    answer = await ask(`${endpoint.baseUrl}/chat/completions`, {
      headers: endpoint.headers,
      json: body,
      signal,
      env,
    });
    answer = { ...answer, body: withOutputListener(answer.body, inquiry.onBytes) };
  } catch (error) {
    return unreachable(endpoint, error);
  }
  try {
    if (answer.status !== 200) return await refused(inquiry, answer);
    if (isPage(answer)) return page(endpoint, await readBody(answer.body, errorBytesMax));
    return await (isStream(answer) ? readStream(inquiry, answer) : readWhole(inquiry, answer));
  } catch (error) {
    if (error instanceof StreamGarbage) return garbage(endpoint, error.message);
    return cutOff(endpoint, messageOf(error));
  }
}

async function* withOutputListener(
  body: HttpReply['body'],
  onBytes = (): void => {},
): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    onBytes();
    yield chunk;
  }
}

function isPage({ headers }: HttpReply): boolean {
  return /^(?:text\/html|application\/xhtml)/i.test(headers['content-type'] ?? '');
}

function isStream({ headers }: HttpReply): boolean {
  return !/^application\/(?:[\w.+-]*\+)?json/i.test(headers['content-type'] ?? '');
}

async function readStream(inquiry: Inquiry, answer: HttpReply): Promise<Completion> {
  const fold = createReplyFold(inquiry.listener);
  let isDone = false;
  for await (const event of readEvents(answer.body)) {
    if (event === '[DONE]') {
      isDone = true;
      continue;
    }
    const chunk = parseRecord(event);
    if (chunk === null) return garbage(inquiry.endpoint, event);
    if (chunk['error'] !== undefined && chunk['error'] !== null)
      return failure(inquiry, event, { answer, status: null });
    await fold.add(chunk);
  }
  const reply = await fold.end();
  // Without a final event the stream was cut, no matter how much of it arrived.
  if (!isDone && reply.finish === null) return cutOff(inquiry.endpoint, 'it ended before the answer did');
  return { kind: 'reply', reply };
}

async function readWhole(inquiry: Inquiry, answer: HttpReply): Promise<Completion> {
  const text = await readBody(answer.body, wholeBytesMax);
  const chunk = parseRecord(text);
  if (chunk === null) return garbage(inquiry.endpoint, text);
  if (!Array.isArray(chunk['choices'])) return failure(inquiry, text, { answer, status: null });
  const fold = createReplyFold(inquiry.listener);
  await fold.add(chunk);
  return { kind: 'reply', reply: await fold.end() };
}

async function refused(inquiry: Inquiry, answer: HttpReply): Promise<Completion> {
  return failure(inquiry, await readBody(answer.body, errorBytesMax), { answer, status: answer.status });
}

function failure(
  { endpoint, knowledge, body }: Inquiry,
  text: string,
  { answer, status }: { readonly answer: HttpReply; readonly status: number | null },
): Completion {
  const classified = classifyError({
    text,
    headers: answer.headers,
    knowledge,
    now: Date.now(),
    ...(status !== null && { status }),
  });
  const sentence = endpoint.redact(sentenceIn(text)).slice(0, detailLengthMax);
  const where = `${endpoint.baseUrl}${status === null ? '' : ` answered ${status}`}`;
  const advice = adviceFor(classified.errorClass, endpoint, String(body['model']));
  return {
    kind: 'failed',
    ...classified,
    status,
    detail: `${where}: ${sentence === '' ? 'no reason given' : sentence}${advice}`,
  };
}

/** One clear sentence with the fix for an error that no retry fixes. */
function adviceFor(errorClass: ClassifiedError['errorClass'], endpoint: Endpoint, model: string): string {
  const list = `curl ${endpoint.baseUrl}/models`;
  if (errorClass === 'unknown-model') {
    const pull = endpoint.provider === 'ollama' ? `, or get it: ollama pull ${model}` : '';
    return ` — see which models it has: ${list}${pull}.`;
  }
  if (errorClass !== 'authentication') return '';
  return endpoint.keyName === null
    ? ' — it wants a key: name the variable that holds it by "apiKeyEnv".'
    : ` — check the key in ${endpoint.keyName}.`;
}

function unreachable(endpoint: Endpoint, error: unknown): Completion {
  const detail = describeDown(endpoint.baseUrl, endpoint.provider, endpoint.redact(messageOf(error)));
  return { kind: 'failed', errorClass: 'network', detail, status: null };
}

function cutOff(endpoint: Endpoint, reason: string): Completion {
  const detail = `The stream from ${endpoint.baseUrl} was cut: ${endpoint.redact(reason)}.`;
  return { kind: 'failed', errorClass: 'network', detail, status: null };
}

/** A gateway that wants a login, or a wrong address: a retry gives the same page. */
function page(endpoint: Endpoint, text: string): Completion {
  const words = text.replaceAll(/<[^>]{0,2000}>/g, ' ').replaceAll(/\s+/g, ' ');
  const shown = endpoint.redact(words.trim()).slice(0, 200);
  const detail = `${endpoint.baseUrl} answered with a web page (${shown}) — check the address: it mostly ends in /v1; try curl ${endpoint.baseUrl}/models.`;
  return { kind: 'failed', errorClass: 'invalid-request', detail, status: null };
}

function garbage(endpoint: Endpoint, text: string): Completion {
  const shown = endpoint.redact(text.slice(0, 200));
  return { kind: 'crashed', detail: `${endpoint.baseUrl} sent what is no chat completion: ${shown}` };
}

/** Error bodies are nested in many ways; the innermost message is the useful one. */
function sentenceIn(text: string): string {
  const body = parseRecord(text);
  const error = body?.['error'] ?? body?.['detail'] ?? body?.['message'];
  const message = isRecord(error) ? error['message'] : error;
  return typeof message === 'string' ? message : text.replaceAll(/\s+/g, ' ').trim();
}

/** A refused connection to a name with several addresses has only a code, no message. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  return 'code' in error ? String(error.code) : error.name;
}
