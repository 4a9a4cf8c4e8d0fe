// Server-sent events, as completions use them: each `data` line is an event of its own.
import { StringDecoder } from 'node:string_decoder';

/** A single event that is longer has nothing to do with a completion. */
const lineLengthMax = 8_000_000;

export class StreamGarbage extends Error {
  override readonly name = 'StreamGarbage';
}

/** Contract: one item per event, in order; a slow reader holds the sender back. Comments and other fields are skipped. */
export async function* readEvents(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.write(chunk)).split(/\r?\n/);
    rest = lines.pop() ?? '';
    if (rest.length > lineLengthMax) throw new StreamGarbage('an event without an end');
    for (const line of lines) {
      const event = eventOf(line);
      if (event !== null) yield event;
    }
  }
  const last = eventOf(rest + decoder.end());
  if (last !== null) yield last;
}

/** Some servers report an error as a bare object in the middle of the stream. */
function eventOf(line: string): string | null {
  if (line.startsWith('{')) return line;
  if (!line.startsWith('data:')) return null;
  const data = line.slice(5).trim();
  return data === '' ? null : data;
}
