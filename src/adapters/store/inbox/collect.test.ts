import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { newAddress } from './address.ts';
import { startCollecting } from './collect.ts';
import { hasProcTable } from '#adapters/processes/proc-table.ts';

let servers: Server[] = [];
afterEach(() => {
  for (const server of servers) server.close();
  servers = [];
});

function serve(says: string): Server {
  const server = createServer((socket) => socket.on('error', () => {}).write(says));
  servers.push(server);
  return server;
}

it.runIf(hasProcTable())(
  'A process that takes over the address of a trusted one is not trusted [X12]',
  async () => {
    const address = newAddress();
    const honest = serve('approved\n').listen({ path: address });
    await once(honest, 'listening');
    const thief = serve('forged\n');
    let looks = 0;
    // Between the check of the listener and the call, the listener is replaced by another process.
    const collect = startCollecting(() => {
      looks += 1;
      if (looks === 1) honest.close();
      if (looks === 1) thief.listen({ path: address });
      return null;
    });
    expect(await collect(address)).toEqual({
      doubt: expect.stringContaining('ended before the request was handled') as string,
    });
    expect(await startCollecting(() => null)(address)).toMatchObject({ text: 'forged' });
  },
);

it('A refused address is examined once for any number of requests, and a silent one does not block [X12]', async () => {
  const silent = newAddress();
  await once(serve('').listen({ path: silent }), 'listening');
  expect(await startCollecting(() => null)(silent)).toMatchObject({ doubt: expect.any(String) as string });
  let looks = 0;
  const collect = startCollecting(() => {
    looks += 1;
    return 'no person';
  });
  for (let n = 0; n < 1000; n += 1) await collect(silent);
  expect(looks).toBe(1);
});
