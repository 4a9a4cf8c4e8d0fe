// JSON-RPC 2.0 over lines, in both directions: we call the agent, and it calls us.
import { errorText } from '#base/error-text.ts';
import type { Line } from './bounded-lines.ts';
import { parseRecord } from '#base/parse-json.ts';
import { isRecord } from '#base/record.ts';
import { fieldsOf, type Fields } from './json.ts';

export interface Peer {
  /** Contract: rejects with an RpcError if the agent refuses, with a PeerGone if it went away. */
  request(method: string, params: Fields): Promise<Fields>;
  notify(method: string, params: Fields): void;
  receive(line: Line): Promise<void>;
  /** No answers will come any more. */
  leave(reason: string): void;
}

export interface PeerHandlers {
  write(text: string): void;
  /** Contract: resolves with the result, or throws an RpcError to refuse. */
  onRequest(method: string, params: Fields): Promise<Fields | null>;
  onNotification(method: string, params: Fields): void | Promise<void>;
  /** A line that is not a message of the protocol. */
  onGarbage(line: Line): void | Promise<void>;
}

export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

export class PeerGone extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'PeerGone';
  }
}

export const rpcCodes = {
  invalidParams: -32602,
  methodNotFound: -32601,
  internal: -32603,
  authRequired: -32000,
};

interface Waiting {
  readonly resolve: (result: Fields) => void;
  readonly reject: (error: Error) => void;
}

export function createPeer(handlers: PeerHandlers): Peer {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let gone: string | null = null;
  const send = (message: Fields): void =>
    handlers.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

  const answer = async (id: unknown, method: string, params: Fields): Promise<void> => {
    try {
      send({ id, result: await handlers.onRequest(method, params) });
    } catch (error) {
      const code = error instanceof RpcError ? error.code : rpcCodes.internal;
      send({ id, error: { code, message: errorText(error) } });
    }
  };
  const settle = (message: Fields): void => {
    const one = waiting.get(Number(message['id']));
    waiting.delete(Number(message['id']));
    const { error } = message;
    if (isRecord(error)) one?.reject(errorOf(error));
    else one?.resolve(fieldsOf(message['result']));
  };

  return {
    request: (method, params) =>
      new Promise((resolve, reject) => {
        if (gone !== null) return reject(new PeerGone(gone));
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        send({ id: lastId, method, params });
      }),
    notify: (method, params) => {
      if (gone === null) send({ method, params });
    },
    receive: async (line) => {
      if (line.cutBytes > 0) return refuseLong(line, send, handlers);
      const message = parseRecord(line.text);
      if (message === null) return handlers.onGarbage(line);
      const { id, method } = message;
      if (typeof method !== 'string') return settle(message);
      if (id === undefined || id === null)
        return handlers.onNotification(method, fieldsOf(message['params']));
      await answer(id, method, fieldsOf(message['params']));
    },
    leave: (reason) => {
      gone ??= reason;
      for (const one of waiting.values()) one.reject(new PeerGone(reason));
      waiting.clear();
    },
  };
}

/** A request in a line that was too long still gets an answer: its sender would wait for ever. */
async function refuseLong(
  line: Line,
  send: (message: Fields) => void,
  handlers: PeerHandlers,
): Promise<void> {
  const found = /"id"\s*:\s*(\d+|"[^"\\]*")/.exec(line.text)?.[1];
  const isRequest = found !== undefined && /"method"\s*:/.test(line.text);
  if (isRequest) {
    const id: unknown = JSON.parse(found);
    send({ id, error: { code: rpcCodes.invalidParams, message: 'The message is too long.' } });
  }
  await handlers.onGarbage(line);
}

function errorOf({ code, message, data }: Fields): RpcError {
  return new RpcError(
    typeof code === 'number' ? code : rpcCodes.internal,
    typeof message === 'string' ? message : 'no reason given',
    data,
  );
}
