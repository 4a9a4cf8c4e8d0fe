// Plain requests on node:http: `fetch` gives up after 5 minutes without headers; local models need longer.
import type { IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { httpFor, readBody } from '#adapters/machine/http.ts';

export interface HttpReply {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** Throws when the connection is lost or the signal fires; a slow reader holds the sender back. */
  readonly body: AsyncIterable<Buffer>;
}

export interface HttpQuestion {
  readonly headers: { readonly [name: string]: string };
  /** Sent by POST; without it the request is a GET. */
  readonly json?: unknown;
  readonly signal: AbortSignal;
  /** Names the proxies. */
  readonly env: { readonly [name: string]: string | undefined };
}

/** Rejects without an answer. A redirect is an answer: a key is never sent where a server points. */
export async function ask(url: string, question: HttpQuestion): Promise<HttpReply> {
  const body = question.json === undefined ? null : Buffer.from(JSON.stringify(question.json));
  const { Agent, request: start } = httpFor(URL.parse(url)?.protocol ?? '');
  const agent = new Agent({ keepAlive: false, proxyEnv: question.env });
  const { promise, resolve, reject } = Promise.withResolvers<HttpReply>();
  const request = start(
    url,
    {
      method: body === null ? 'GET' : 'POST',
      agent,
      signal: question.signal,
      headers: {
        accept: 'application/json, text/event-stream',
        ...(body !== null && { 'content-type': 'application/json', 'content-length': body.length }),
        ...question.headers,
      },
    },
    (message) => resolve(replyOf(message)),
  );
  // After the answer the body reports errors; without a listener a second error would be uncaught.
  request.on('error', reject);
  request.end(body ?? undefined);
  return promise;
}

function replyOf(message: IncomingMessage): HttpReply {
  const headers: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return { status: message.statusCode ?? Number.NaN, headers, body: message };
}

/** For lists that are small by nature. */
const listBytesMax = 4_000_000;

export interface JsonQuestion {
  readonly timeoutMs: number;
  readonly headers: { readonly [name: string]: string };
}

export async function getJson(url: string, { timeoutMs, headers }: JsonQuestion): Promise<unknown> {
  const reply = await ask(url, { headers, signal: AbortSignal.timeout(timeoutMs), env: {} });
  const text = await readBody(reply.body, listBytesMax);
  return reply.status === 200 ? (JSON.parse(text) as unknown) : null;
}

/** A single event that is longer has nothing to do with a completion. */
const lineLengthMax = 8_000_000;

export class StreamGarbage extends Error {
  override readonly name = 'StreamGarbage';
}

/** Contract: one item per `data` line, in order; a slow reader holds the sender back; the rest is skipped. */
export async function* readEvents(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.write(chunk)).split(/\r?\n/);
    rest = lines.pop() ?? '';
    if (rest.length > lineLengthMax) throw new StreamGarbage('an event without an end');
    for (const line of lines) {
      const event = eventOf(line);
      if (event !== null) yield event;
    }
  }
  const last = eventOf(rest + decoder.end());
  if (last !== null) yield last;
}

/** Some servers report an error as a bare object in the middle of the stream. */
function eventOf(line: string): string | null {
  if (line.startsWith('{')) return line;
  if (!line.startsWith('data:')) return null;
  const data = line.slice(5).trim();
  return data === '' ? null : data;
}
