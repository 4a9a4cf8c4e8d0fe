import { expect, it } from 'vitest';
import { createBoundedLines } from './bounded-lines.ts';
import { createPeer } from './json-rpc.ts';
import type { PeerHandlers } from './json-rpc.ts';

function peerWith(handlers: Partial<PeerHandlers>) {
  const written: unknown[] = [];
  const peer = createPeer({
    write: (text) => written.push(JSON.parse(text)),
    onRequest: async () => ({}),
    onNotification: () => {},
    onGarbage: () => {},
    ...handlers,
  });
  return { peer, written };
}

const lineOf = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

it.each([
  ['notification', { method: 'session/update' }],
  ['request', { id: 7, method: 'session/request_permission' }],
])('A %s that is still being handled holds its sender back [B9]', async (_, message) => {
  const handled = Promise.withResolvers<void>();
  let begun = 0;
  const handle = (): Promise<void> => {
    begun += 1;
    return handled.promise;
  };
  const { peer } = peerWith({ onNotification: handle, onRequest: async () => (await handle(), null) });
  const lines = createBoundedLines((line) => peer.receive(line));
  let isTaken = false;
  const taking = lines.add(Buffer.from(lineOf(message).repeat(1_000))).then(() => {
    isTaken = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect([begun, isTaken]).toEqual([1, false]);
  handled.resolve();
  await taking;
  expect(begun).toBe(1_000);
});

it('A request that is too long to read is refused by its id, and the next message is read [B9]', async () => {
  const heard: string[] = [];
  const { peer, written } = peerWith({ onNotification: (method) => void heard.push(method) });
  const lines = createBoundedLines((line) => peer.receive(line), 10_000);
  const long = { id: 'big', method: 'fs/write_text_file', params: { content: 'x'.repeat(100_000) } };
  await lines.add(Buffer.from(lineOf(long) + lineOf({ method: 'session/update' })));
  expect(written).toEqual([
    { jsonrpc: '2.0', id: 'big', error: { code: -32602, message: 'The message is too long.' } },
  ]);
  expect(heard).toEqual(['session/update']);
});
