// The first program inside a sandbox. It closes inherited files, forwards loopback connections to the proxy's
// socket file, starts the program, and ends as it ends.
import { spawn } from 'node:child_process';
import { closeSync, readdirSync, readFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { constants } from 'node:os';
import { readAnswer } from './connect-out.ts';

/**
 * `<socket file> <ports, by comma> [<program> …]`; without a socket file the network is unchanged. Without a
 * program it prints the port of its proxy and stays.
 */
export async function bridge([
  socketFile = '',
  ports = '',
  file = '',
  ...args
]: readonly string[]): Promise<void> {
  // The end of the program ends us.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  closeInherited();
  const proxyPort =
    socketFile === ''
      ? null
      : await listen(0, (client) => {
          join(client, connect(socketFile));
        });
  for (const port of ports.split(',').filter((one) => one !== '')) {
    await listen(Number(port), (client) => void reach(client, socketFile, Number(port)));
  }
  if (file === '') return holdNetwork(proxyPort);
  const child = spawn(file, args, { stdio: 'inherit', env: variablesInside(process.env, proxyPort) });
  child.once('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(127);
  });
  child.once('exit', (code, signal) => {
    process.exit(signal === null ? (code ?? 1) : 128 + constants.signals[signal]);
  });
}

function holdNetwork(proxyPort: number | null): void {
  process.stdout.write(`${proxyPort}\n`);
  // The driver has closed its end, or has died.
  process.stdin.resume().once('close', () => process.exit(0));
}

/** The environment of a program inside. */
export function variablesInside<Value>(
  env: { readonly [name: string]: Value },
  proxyPort: number | null,
): { [name: string]: Value | string } {
  return {
    // In a fresh home, npm would look for its newest version each time and print it below a check's output.
    npm_config_update_notifier: 'false',
    ...env,
    ...(proxyPort === null ? {} : proxyVariables(proxyPort)),
  };
}

/**
 * Terminals and editors leave files open in their children: an open folder would be a way out of the sandbox.
 * Our own files are close-on-exec and stay.
 */
function closeInherited(): void {
  for (const name of readdirSync('/proc/self/fd')) {
    const fd = Number(name);
    if (fd > 2 && !isClosedAtStart(fd)) closeSync(fd);
  }
}

function isClosedAtStart(fd: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & closeOnExec) !== 0;
  } catch {
    // The descriptor belonged to the listing of the folder, which is closed by now.
    return true;
  }
}

const closeOnExec = 0o2000000;

function proxyVariables(port: number): { [name: string]: string } {
  const address = `http://127.0.0.1:${port}`;
  const own = 'localhost,127.0.0.1,::1';
  return {
    http_proxy: address,
    https_proxy: address,
    HTTP_PROXY: address,
    HTTPS_PROXY: address,
    ALL_PROXY: address,
    all_proxy: address,
    no_proxy: own,
    NO_PROXY: own,
    // Node's own fetch ignores the proxy otherwise.
    NODE_USE_ENV_PROXY: '1',
  };
}

function listen(port: number, onClient: (client: Socket) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    const server: Server = createServer({ allowHalfOpen: true }, onClient);
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.unref();
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** Forwards a port of the machine outside, under the same number. */
async function reach(client: Socket, socketFile: string, port: number): Promise<void> {
  client.on('error', () => client.destroy());
  client.pause();
  const out = connect({ path: socketFile, allowHalfOpen: true });
  out.once('error', () => client.destroy());
  out.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  try {
    await readAnswer(out);
    join(client, out);
  } catch {
    client.destroy();
  }
}

function join(client: Socket, out: Socket): void {
  client.on('error', () => out.destroy());
  out.on('error', () => client.destroy());
  client.on('close', () => out.destroy());
  out.on('close', () => client.destroy());
  client.pipe(out).pipe(client);
}
