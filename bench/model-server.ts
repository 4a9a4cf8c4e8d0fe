// A model on loopback that answers one sentence in any protocol, and reports when it was asked.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ModelServer {
  readonly url: string;
  /** When the next request for an answer arrives, in epoch ms. */
  nextAsked(): Promise<number>;
  close(): Promise<void>;
}

/** No client takes so long to ask; a slower one is broken, and so is the measurement. */
const askMsMax = 60_000;

export async function openModelServer(): Promise<ModelServer> {
  let onAsked: (at: number) => void = () => {};
  const server = createServer((request, response) => {
    response.on('error', () => {});
    const said = Object.entries(answers).find(([path]) => request.url?.split('?')[0]?.endsWith(path))?.[1];
    const isAsked = request.method === 'POST' && said !== undefined;
    if (isAsked) onAsked(performance.timeOrigin + performance.now());
    request.resume().on('end', () => {
      response.writeHead(isAsked ? 200 : 404, {
        'content-type': isAsked ? 'text/event-stream' : 'text/plain',
      });
      response.end(isAsked ? said : 'no such thing');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    nextAsked: () =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`nobody asked within ${askMsMax} ms`)), askMsMax);
        onAsked = (at) => {
          clearTimeout(timer);
          onAsked = () => {};
          resolve(at);
        };
      }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const text = 'There is nothing to do.';

function named(events: readonly { readonly type: string; readonly [key: string]: unknown }[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'scripted-model',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 1 },
};
const item = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
};
const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'scripted-model' };

const answers: { readonly [path: string]: string } = {
  '/v1/messages': named([
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 5 },
    },
    { type: 'message_stop' },
  ]),
  '/v1/responses': named([
    { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [item], usage } },
  ]),
  '/v1/chat/completions': [
    { ...chunk, choices: [{ index: 0, delta: { content: text }, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ]
    .map((event) => `data: ${JSON.stringify(event)}\n\n`)
    .concat('data: [DONE]\n\n')
    .join(''),
};
