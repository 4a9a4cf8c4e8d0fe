// The one way out of a sandbox: an HTTP proxy on a socket file, which lets through what the rules name.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { http } from '#adapters/machine/http.ts';
import { type Address, isAllowed, parseAddress } from './allowed-hosts.ts';
import { connectOut, upstreamOf } from './connect-out.ts';

export interface ProxyOptions {
  readonly socketFile: string;
  readonly hosts: readonly string[];
  /** Ours, not the program's: it may name a proxy that this machine needs to get out. */
  readonly env: { readonly [name: string]: string | undefined };
}

export interface Proxy {
  close(): void;
}

/** Listens when it returns: the socket file is there. */
export function startProxy({ socketFile, hosts, env }: ProxyOptions): Proxy {
  const open = new Set<Duplex>();
  const server = http().createServer((request, response) => forward(request, response, hosts, env));
  server.on('connect', (request, client: Duplex, head: Buffer) => {
    const address = parseAddress(request.url ?? '', 443);
    client.on('error', () => client.destroy());
    if (address === null || !isAllowed(address, hosts)) {
      client.end(`HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\n\r\n${refusal(request.url ?? '')}\n`);
      return;
    }
    void tunnel(address, client, head, env);
  });
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  server.on('error', () => {});
  server.listen(socketFile);
  // A program is held by its own process; the proxy holds nobody.
  server.unref();
  return {
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

async function tunnel(
  address: Address,
  client: Duplex,
  head: Buffer,
  env: ProxyOptions['env'],
): Promise<void> {
  try {
    const out = await connectOut(address, env);
    out.on('error', () => client.destroy());
    out.on('close', () => client.destroy());
    client.on('close', () => out.destroy());
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) out.write(head);
    client.pipe(out).pipe(client);
  } catch (error) {
    client.end(`HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/plain\r\n\r\n${wordsOf(error)}\n`);
  }
}

/** Plain HTTP: the whole address stands in the request line. */
function forward(
  request: IncomingMessage,
  response: ServerResponse,
  hosts: readonly string[],
  env: ProxyOptions['env'],
): void {
  const url = URL.parse(request.url ?? '');
  const address = url?.protocol === 'http:' ? parseAddress(url.host, 80) : null;
  if (url === null || address === null || !isAllowed(address, hosts)) {
    response.writeHead(403, { 'content-type': 'text/plain' }).end(`${refusal(url?.host ?? '')}\n`);
    return;
  }
  const upstream = upstreamOf(address, 'http', env);
  const { 'proxy-connection': _, ...headers } = request.headers;
  const out = http().request({
    host: upstream?.host ?? address.host,
    port: upstream?.port ?? address.port,
    method: request.method,
    path: upstream === null ? `${url.pathname}${url.search}` : url.href,
    headers: { ...headers, host: url.host, ...upstream?.headers },
  });
  out.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
  });
  out.on('error', (error) => {
    if (!response.headersSent) response.writeHead(502, { 'content-type': 'text/plain' });
    response.end(`${wordsOf(error)}\n`);
  });
  response.on('close', () => out.destroy());
  request.pipe(out);
}

function refusal(where: string): string {
  return `untildone: ${where} is not on the sandbox's list; a person can add it: sandbox.allowHosts`;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
