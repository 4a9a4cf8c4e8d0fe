// Whether anything listens at an address, and whether an address is this very machine.
import { connect, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

const knockMs = 2_000;

/** By either family where the name stands for this machine: a server takes one of them, or both. */
export async function isTaken(hostname: string, port: number): Promise<boolean> {
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  const hosts = host === 'localhost' || isLoopback(host) ? ['127.0.0.1', '::1'] : [host];
  return (await Promise.all(hosts.map((one) => listens(one, port)))).includes(true);
}

function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: knockMs });
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

/** An address that never leaves this machine, whatever name it was found by. */
export function isThisMachine(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (isLoopback(plain)) return true;
  return Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === plain));
}

function isLoopback(address: string): boolean {
  if (isIP(address) === 6) return ['::1', '::'].includes(address);
  return isIP(address) === 4 && (address.startsWith('127.') || address === '0.0.0.0');
}
