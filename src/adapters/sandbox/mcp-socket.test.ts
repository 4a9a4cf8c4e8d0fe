// The MCP socket of a sandbox: programs inside flood it, or leave connections open.

import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import { readMark, readProcTable } from '#adapters/processes/proc-table.ts';
import { type McpSocket, type McpSocketOptions, openMcpSocket } from './mcp-socket.ts';
import { makeScratch } from './scratch.ts';

const mark = `socket-test/${process.pid}`;
const sockets: McpSocket[] = [];
let made = 0;

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

describe('the MCP socket', () => {
  it('Each connection to the MCP socket gets its own server, which knows the session that asks [X14]', async () => {
    const ask = open('while read line; do echo "$line of $UNTILDONE_MARK"; done');
    const [one, other] = [ask(), ask()];
    one.socket.end('first\n');
    other.socket.end('second\n');
    expect(await one.said).toContain(`first of ${mark}/`);
    expect(await other.said).toContain(`second of ${mark}/`);
    expect(await one.said).not.toContain('second');
  });

  it('The MCP socket limits the number of connections and the bytes of each', async () => {
    const ask = open('while read line; do echo "$line"; done', { connectionsMax: 2, bytesMax: 1000 });
    const [one, other] = [ask(), ask()];
    const both = Promise.all([waitForAnswer(one.socket), waitForAnswer(other.socket)]);
    one.socket.write('here\n');
    other.socket.write('here\n');
    await both;
    expect(await ask().said).toBe('');
    one.socket.write('x'.repeat(2000));
    await one.said;
    other.socket.end();
    expect(await other.said).toBe('here\n');
  });

  it('The MCP socket ends a server whose client left, and all servers when it closes [X11]', async () => {
    const ask = open('echo up; sleep 600');
    const [one, other] = [ask(), ask()];
    await Promise.all([waitForAnswer(one.socket), waitForAnswer(other.socket)]);
    expect(living().length).toBeGreaterThan(0);
    one.socket.destroy();
    for (const socket of sockets) socket.close();
    await other.said;
    await expect.poll(living).toEqual([]);
    expect(await ask().said).toBe('');
  });
});

function open(script: string, bounds: Partial<McpSocketOptions> = {}) {
  made += 1;
  const socketFile = join(makeScratch('sockets'), `socket-${made}`);
  const env = { PATH: process.env['PATH'] ?? '' };
  sockets.push(
    openMcpSocket({
      socketFile,
      processes: createProcesses({ confine: 'auto' }),
      server: { command: script, cwd: '/', env, mark, wallMs: 600_000 },
      ...bounds,
    }),
  );
  return (): { readonly socket: Socket; readonly said: Promise<string> } => {
    const socket = connect({ path: socketFile, allowHalfOpen: true });
    let text = '';
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('end', () => socket.end());
    return { socket, said: new Promise((resolve) => socket.once('close', () => resolve(text))) };
  };
}

function waitForAnswer(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once('data', resolve));
}

function living(): number[] {
  return readProcTable()
    .map(({ pid }) => pid)
    .filter((pid) => readMark(pid)?.startsWith(`${mark}/`) === true);
}
