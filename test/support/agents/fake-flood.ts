// For tests: a program that streams so many megabytes through the driver, as text, thoughts and arguments, and counts them.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { begin, sendChunk } from './fake-endpoint.ts';
import type { Answer } from './fake-endpoint.ts';
import { openStage } from './fake-session.ts';

const megabytes = Number(process.argv[2]);
const piece = 'flood of words '.repeat(70);

const deltas = [
  { content: piece },
  { reasoning_content: piece },
  { tool_calls: [{ index: 0, id: 'c', function: { name: 'list', arguments: piece } }] },
];

const flood: Answer = async ({ count }, response) => {
  begin(response);
  if (count === 1) await sendMany(response);
  else sendChunk(response, { content: 'done' });
  sendChunk(response, {}, 'stop');
  response.end('data: [DONE]\n\n');
};

async function sendMany(response: ServerResponse): Promise<void> {
  const pieces = Math.ceil((megabytes * 1_000_000) / piece.length);
  for (const delta of deltas) {
    for (let sent = 0; sent < pieces / deltas.length; sent += 1) {
      if (!sendChunk(response, delta)) await once(response, 'drain');
    }
  }
}

const stage = await openStage();
const { session } = await stage.start(flood);
let length = 0;
for await (const event of session.events) if (event.type === 'text') length += event.text.length;
const { kind } = await session.result;
await stage.dispose();
process.stdout.write(JSON.stringify({ kind, length }));
