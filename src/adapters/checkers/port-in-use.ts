// Tests whether a port accepts connections, and whether an address belongs to this machine.
import { connect, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

const connectTimeoutMs = 2_000;

/** A name of this machine is tried by IPv4 and IPv6: a server may listen on one or both. */
export async function isTaken(hostname: string, port: number): Promise<boolean> {
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  const hosts = host === 'localhost' || isLoopback(host) ? ['127.0.0.1', '::1'] : [host];
  return (await Promise.all(hosts.map((one) => listens(one, port)))).includes(true);
}

function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectTimeoutMs });
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

/** True for an address that never leaves this machine, whatever name it came from. */
export function isThisMachine(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (isLoopback(plain)) return true;
  return Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === plain));
}

function isLoopback(address: string): boolean {
  if (isIP(address) === 6) return ['::1', '::'].includes(address);
  return isIP(address) === 4 && (address.startsWith('127.') || address === '0.0.0.0');
}
