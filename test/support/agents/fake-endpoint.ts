// For tests: an endpoint on loopback with scripted answers. Requests are capped, so that no script runs for ever.
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Message } from '#agents/openai/chat.ts';
import type { Fields } from '#agents/shared/json.ts';

export interface Asked {
  /** Counted from 1. */
  readonly count: number;
  readonly body: Fields;
  readonly messages: readonly Message[];
  readonly last: string;
  readonly headers: IncomingMessage['headers'];
}

export type Answer = (asked: Asked, response: ServerResponse) => void | Promise<void>;

export interface FakeEndpoint {
  readonly baseUrl: string;
  readonly asked: Asked[];
  readonly close: () => Promise<void>;
}

const requestsMax = 60;

export async function openEndpoint(
  answer: Answer,
  get: { readonly [path: string]: unknown } = {},
): Promise<FakeEndpoint> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    response.on('error', () => {});
    void takeRequest(request, response);
  });
  const takeRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'GET')
      return sendJson(response, get[request.url ?? ''] === undefined ? 404 : 200, get[request.url ?? '']);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Fields;
    const messages = body['messages'] as Message[];
    const one = {
      count: asked.length + 1,
      body,
      messages,
      last: messages.at(-1)?.content ?? '',
      headers: request.headers,
    };
    asked.push(one);
    if (asked.length > requestsMax)
      return sendJson(response, 400, { error: { message: 'the script was asked too often' } });
    await answer(one, response);
  };
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: { readonly [name: string]: string } = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body ?? null));
}

export interface Said {
  readonly text?: string;
  readonly calls?: readonly (readonly [name: string, args: unknown])[];
  readonly finish?: string;
  readonly usage?: Fields | null;
}

/** A whole streamed answer, in small pieces. */
export function say(response: ServerResponse, { text = '', calls = [], finish, usage }: Said): void {
  begin(response);
  // Too many small writes at once are more than a socket takes.
  const size = text.length > 10_000 ? 4_000 : 7;
  for (let at = 0; at < text.length; at += size) sendChunk(response, { content: text.slice(at, at + size) });
  for (const [index, [name, args]] of calls.entries()) {
    const whole = typeof args === 'string' ? args : JSON.stringify(args);
    sendChunk(response, {
      tool_calls: [{ index, id: `id-${name}-${index}`, type: 'function', function: { name, arguments: '' } }],
    });
    for (const piece of whole.match(/[\s\S]{1,5}/g) ?? []) {
      sendChunk(response, { tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  sendChunk(response, {}, finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'));
  if (usage !== null)
    send(response, { choices: [], usage: usage ?? { prompt_tokens: 10, completion_tokens: 5 } });
  response.end('data: [DONE]\n\n');
}

export function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(': hello\n\n');
}

export function sendChunk(response: ServerResponse, delta: Fields, finish: string | null = null): boolean {
  return send(response, { choices: [{ index: 0, delta, finish_reason: finish }] });
}

export function send(response: ServerResponse, event: unknown): boolean {
  return response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
}
