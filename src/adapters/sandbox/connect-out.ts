// Connects to an address outside: directly, or through the proxy in the user's environment.
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';
import { type Address, localHost } from './allowed-hosts.ts';
import { isNear, lookupIn, type Resolved, resolveOut, type ResolveOptions } from './resolve-out.ts';

type Environment = { readonly [name: string]: string | undefined };

export interface Upstream extends Address {
  readonly kind: 'upstream';
  readonly headers: { readonly [name: string]: string };
}

export type WayOut = Upstream | Resolved;
type Direct = Extract<Resolved, { kind: 'found' }>;

export interface WayOptions extends ResolveOptions {
  /** May name a proxy. */
  readonly env: Environment;
}

/** Longer than any answer of a reachable host. */
const connectMsMax = 30_000;
/** Limit for one of several addresses: a machine with a broken IPv6 waits this long each time. */
const attemptMsMax = 1_000;

/** Contract: the address is on the list. */
export async function wayOut(
  address: Address,
  scheme: 'http' | 'https',
  options: WayOptions,
): Promise<WayOut> {
  const upstream = upstreamOf(address, scheme, options.env);
  // A remote proxy resolves names itself, and its loopback is another machine.
  if (upstream !== null && !isNear(upstream.host)) return upstream;
  const resolved = await resolveOut(address, options);
  return upstream === null || resolved.kind === 'refused' ? resolved : upstream;
}

export async function connectOut(
  address: Address,
  way: Exclude<WayOut, { kind: 'refused' }>,
): Promise<Socket> {
  switch (way.kind) {
    case 'unknown':
      throw new Error(way.reason);
    case 'found':
      return connected(directTo(address, way));
    case 'upstream': {
      const socket = await connected({ host: way.host, port: way.port });
      await askUpstream(socket, address, way);
      return socket;
    }
  }
}

/** Null if the address is reached directly. */
function upstreamOf({ host }: Address, scheme: 'http' | 'https', env: Environment): Upstream | null {
  const proxy = valueOf(env, `${scheme}_proxy`) ?? valueOf(env, 'all_proxy');
  const url = proxy === undefined ? null : URL.parse(proxy.includes('://') ? proxy : `http://${proxy}`);
  if (url?.protocol !== 'http:' || host === localHost || isExcepted(host, valueOf(env, 'no_proxy') ?? ''))
    return null;
  const who =
    url.username === '' ? null : `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const headers =
    who === null ? {} : { 'proxy-authorization': `Basic ${Buffer.from(who).toString('base64')}` };
  return { kind: 'upstream', host: url.hostname, port: url.port === '' ? 80 : Number(url.port), headers };
}

function valueOf(env: Environment, name: string): string | undefined {
  const value = env[name] ?? env[name.toUpperCase()];
  return value === '' ? undefined : value;
}

function isExcepted(host: string, list: string): boolean {
  return list
    .split(',')
    .map((one) =>
      one
        .trim()
        .replace(/^\*?\./, '')
        .toLowerCase(),
    )
    .some((one) => one !== '' && (one === '*' || host === one || host.endsWith(`.${one}`)));
}

/** No second lookup. This machine has two addresses; it answers late if busy, at once if nothing listens. */
export function directTo({ host, port }: Address, { addresses }: Direct): TcpNetConnectOpts {
  const isHere = host === localHost;
  return {
    host: isHere ? 'localhost' : host,
    port,
    lookup: lookupIn(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: isHere ? connectMsMax : attemptMsMax,
  };
}

function connected(where: TcpNetConnectOpts): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(where);
    const tooLong = setTimeout(
      () => socket.destroy(new Error(`${where.host ?? ''}:${where.port} does not answer`)),
      connectMsMax,
    );
    socket.once('connect', () => {
      clearTimeout(tooLong);
      socket.off('error', reject);
      resolve(socket);
    });
    socket.once('error', (error) => {
      clearTimeout(tooLong);
      reject(error);
    });
  });
}

function askUpstream(socket: Socket, { host, port }: Address, { headers }: Upstream): Promise<void> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`CONNECT ${host}:${port} HTTP/1.1\r\nHost: ${host}:${port}\r\n${lines.join('')}\r\n`);
  return readAnswer(socket);
}

/** Contract: settles at the end of the answer's head; the rest stays in the socket. */
export function readAnswer(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let head = '';
    const onEnd = (): void => reject(new Error('the proxy closed the connection'));
    const onData = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0 && head.length < 64 * 1024) return;
      socket.off('data', onData);
      socket.off('end', onEnd);
      socket.pause();
      if (!/^HTTP\/1\.\d 2\d\d/.test(head)) {
        socket.destroy();
        reject(new Error(`the proxy said: ${head.split('\r\n')[0] ?? ''}`));
        return;
      }
      const rest = head.slice(end + 4);
      if (rest !== '') socket.unshift(Buffer.from(rest, 'latin1'));
      resolve();
    };
    socket.on('data', onData);
    socket.once('end', onEnd);
    socket.once('error', reject);
  });
}
