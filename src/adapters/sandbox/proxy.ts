// The only way out of a sandbox: an HTTP proxy on a socket file that allows what the rules name.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorText } from '#base/error-text.ts';
import { http } from '#adapters/machine/http.ts';
import { type Address, isAllowed, parseAddress } from './allowed-hosts.ts';
import { connectOut, directTo, wayOut, type WayOptions } from './connect-out.ts';

export interface ProxyOptions extends WayOptions {
  readonly socketFile: string;
}

export interface Proxy {
  close(): void;
}

/** When it returns, the socket file exists and listens. */
export function startProxy({ socketFile, ...options }: ProxyOptions): Proxy {
  const open = new Set<Duplex>();
  const server = http().createServer((request, response) => void forward(request, response, options));
  server.on('connect', (request, client: Duplex, head: Buffer) => {
    const address = parseAddress(request.url ?? '', 443);
    client.on('error', () => client.destroy());
    if (address === null || !isAllowed(address, options.hosts)) {
      refuse(client, '403 Forbidden', refusal(request.url ?? ''));
      return;
    }
    void tunnel(address, client, head, options);
  });
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  server.on('error', () => {});
  server.listen(socketFile);
  // A program is kept alive by its own process; the proxy must not keep ours alive.
  server.unref();
  return {
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

async function tunnel(address: Address, client: Duplex, head: Buffer, options: WayOptions): Promise<void> {
  try {
    const way = await wayOut(address, 'https', options);
    if (way.kind === 'refused') {
      refuse(client, '403 Forbidden', misled(address, way.address));
      return;
    }
    const out = await connectOut(address, way);
    out.on('error', () => client.destroy());
    out.on('close', () => client.destroy());
    client.on('close', () => out.destroy());
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) out.write(head);
    client.pipe(out).pipe(client);
  } catch (error) {
    refuse(client, '502 Bad Gateway', errorText(error));
  }
}

function refuse(client: Duplex, status: string, words: string): void {
  client.end(`HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\n\r\n${words}\n`);
}

/** Plain HTTP: the request line has the whole address. */
async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  options: WayOptions,
): Promise<void> {
  const url = URL.parse(request.url ?? '');
  const address = url?.protocol === 'http:' ? parseAddress(url.host, 80) : null;
  const answer = (status: number, words: string): void => {
    if (!response.headersSent) response.writeHead(status, { 'content-type': 'text/plain' });
    response.end(`${words}\n`);
  };
  if (url === null || address === null || !isAllowed(address, options.hosts))
    return answer(403, refusal(url?.host ?? ''));
  const way = await wayOut(address, 'http', options);
  if (way.kind === 'refused') return answer(403, misled(address, way.address));
  if (way.kind === 'unknown') return answer(502, way.reason);
  const { 'proxy-connection': _, ...headers } = request.headers;
  const isDirect = way.kind === 'found';
  const out = http().request({
    ...(isDirect ? directTo(address, way) : { host: way.host, port: way.port }),
    method: request.method,
    path: isDirect ? `${url.pathname}${url.search}` : url.href,
    headers: { ...headers, host: url.host, ...(isDirect ? {} : way.headers) },
  });
  out.on('response', (incoming) => {
    response.writeHead(incoming.statusCode ?? 502, incoming.rawHeaders);
    incoming.pipe(response);
  });
  out.on('error', (error) => answer(502, errorText(error)));
  response.on('close', () => out.destroy());
  request.pipe(out);
}

function refusal(where: string): string {
  return `untildone: ${where} is not an allowed host; a person can add it: sandbox.allowHosts`;
}

/** A name server must not redirect us to a port of this machine. */
function misled({ host, port }: Address, address: string): string {
  return `untildone: ${host} leads to ${address} on this machine or its network, which is not allowed. A person can add ${at(address)}:${port} to sandbox.allowHosts, or ${host} to the hosts file`;
}

function at(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
