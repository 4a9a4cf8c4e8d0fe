// An endpoint for the openai driver that sends as much text as its address asks for, in small chunks.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FloodingEndpoint {
  urlFor(bytes: number): string;
  close(): Promise<void>;
}

/** The output of a thinking model before it uses a tool; most of it is envelopes. */
const turnBytes = 1 << 20;
/** One chunk in this many is text; the others are thinking. Text stays in the conversation. */
const wordsEvery = 10;
const piece = 'It was not pleased. ';

export async function openFloodingEndpoint(): Promise<FloodingEndpoint> {
  let said = 0;
  const server = createServer((request, response) => {
    response.on('error', () => {});
    const bytes = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0);
    void answer(request, response, bytes - said).then((count) => {
      said += count;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urlFor: (bytes) => {
      said = 0;
      return `http://127.0.0.1:${port}/${bytes}/v1`;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  bytesLeft: number,
): Promise<number> {
  request.resume();
  await once(request, 'end');
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let count = 0;
  const send = async (delta: object, finish: string | null): Promise<void> => {
    const event = `data: ${JSON.stringify(envelope(delta, finish))}\n\n`;
    count += event.length;
    if (!response.write(event)) await once(response, 'drain');
  };
  for (let sent = 1; count < Math.min(bytesLeft, turnBytes); sent += 1) {
    await send(sent % wordsEvery === 0 ? { content: piece } : { reasoning_content: piece }, null);
  }
  const isLast = bytesLeft <= turnBytes;
  const call = { index: 0, id: `call_${bytesLeft}`, function: { name: 'list', arguments: '{"path":"."}' } };
  await send(isLast ? { content: 'Done.' } : { tool_calls: [call] }, isLast ? 'stop' : 'tool_calls');
  response.end('data: [DONE]\n\n');
  return count;
}

function envelope(delta: object, finish: string | null): object {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
  return {
    id: 'chatcmpl-flood',
    object: 'chat.completion.chunk',
    created: 1_794_787_200,
    model: 'flood',
    choices,
  };
}
