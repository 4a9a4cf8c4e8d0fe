// Makes the socket address of a process that hands a decision over, valid while the process lives.
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const name = /^untildone-[0-9a-f]{32}$/;

/** On Linux without a file: an abstract name dies with its process and has no path limit. */
export function newAddress(): string {
  return placeOf(`untildone-${randomBytes(16).toString('hex')}`);
}

/** Contract: true only for results of `newAddress`; no driver connects to another socket of the machine. */
export function isAddress(text: string): boolean {
  const last = text.startsWith('\0') ? text.slice(1) : basename(text.replaceAll('\\', '/'));
  return name.test(last) && text === placeOf(last);
}

function placeOf(last: string): string {
  if (process.platform === 'linux') return `\0${last}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${last}`;
  return join(tmpdir(), last);
}
