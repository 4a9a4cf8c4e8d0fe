// Serves JSON-RPC to the parent process over standard streams.
import { createBoundedLines } from '#agents/shared/bounded-lines.ts';
import { createPeer } from '#agents/shared/json-rpc.ts';
import type { Fields } from '#agents/shared/json.ts';

export type { Fields } from '#agents/shared/json.ts';
export { fieldsOf, textOf } from '#agents/shared/json.ts';
export { RpcError, rpcCodes } from '#agents/shared/json-rpc.ts';

export interface RpcStreams {
  readonly input: AsyncIterable<Buffer>;
  readonly write: (text: string) => void;
  /** Contract: resolves with the result, or throws an RpcError to refuse. */
  readonly onRequest: (method: string, params: Fields) => Promise<Fields | null>;
}

/** Until the input ends and everything is answered. Requests run concurrently: a slow one delays no other. */
export async function serveRpc({ input, write, onRequest }: RpcStreams): Promise<void> {
  const peer = createPeer({ write, onRequest, onNotification: () => {}, onGarbage: () => {} });
  const open = new Set<Promise<void>>();
  const lines = createBoundedLines((line) => {
    const answer = peer.receive(line).finally(() => open.delete(answer));
    open.add(answer);
  });
  for await (const chunk of input) await lines.add(chunk);
  await lines.end();
  await Promise.all(open);
  peer.leave('the input ended');
}
