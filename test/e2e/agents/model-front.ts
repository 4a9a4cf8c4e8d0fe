// The server that clients talk to: it records their requests and passes them on, or fails on purpose.
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RawRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Fault =
  /** An answer of the provider itself. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: { readonly [name: string]: string };
      readonly body: object;
    }
  /** Nothing at all, for ever. */
  | { readonly kind: 'hang' }
  /** The first part of the right answer, then nothing. */
  | { readonly kind: 'stall' }
  /** The first part of the right answer, then the connection is gone. */
  | { readonly kind: 'cut' };

export interface FrontOptions {
  readonly target: string;
  readonly fault: (n: number, request: RawRequest) => Fault | null;
  readonly requestsMax: number;
}

export interface Front {
  readonly url: string;
  readonly requests: readonly RawRequest[];
  close(): Promise<void>;
}

export async function startFront(options: FrontOptions): Promise<Front> {
  const requests: RawRequest[] = [];
  const server = createServer((incoming, response) => {
    answer(incoming, response, requests, options).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  requests: RawRequest[],
  { target, fault, requestsMax }: FrontOptions,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const request = {
    path: incoming.url ?? '/',
    headers: incoming.headers,
    body: Buffer.concat(parts).toString('utf8'),
  };
  requests.push(request);
  if (requests.length > requestsMax) {
    return sendJson(response, { status: 400, body: { error: { message: 'the script is over' } } });
  }
  const chosen = fault(requests.length, request);
  if (chosen?.kind === 'hang') return;
  if (chosen?.kind === 'status') return sendJson(response, chosen);
  const right = await fetch(new URL(request.path, target), {
    method: incoming.method ?? 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    ...(incoming.method === 'GET' ? {} : { body: request.body }),
  });
  const body = Buffer.from(await right.arrayBuffer());
  response.writeHead(right.status, {
    'content-type': right.headers.get('content-type') ?? 'application/json',
  });
  if (chosen === null) {
    response.end(body);
    return;
  }
  response.write(body.subarray(0, firstPart(body)), () => {
    if (chosen.kind === 'cut') setTimeout(() => response.destroy(), 50);
  });
}

/** Up to half of it, so that a stream has begun and has not ended. */
function firstPart(body: Buffer): number {
  return Math.max(1, Math.floor(body.length / 2));
}

function sendJson(
  response: ServerResponse,
  {
    status,
    headers = {},
    body,
  }: { status: number; headers?: { readonly [name: string]: string }; body: object },
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
