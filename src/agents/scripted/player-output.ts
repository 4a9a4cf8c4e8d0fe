// Turns the output of the player into session events and a result.
import { StringDecoder } from 'node:string_decoder';
import type { Usage } from '#kernel/model/budget.ts';
import type { EventQueue } from '#agents/shared/event-queue.ts';
import { parsePlayerLine, type PlayerResult } from './player-lines.ts';

/** The player prints one message per line; its standard error becomes notices. */
export function createOutputReader(queue: EventQueue) {
  const resultRead = Promise.withResolvers<void>();
  let result: PlayerResult | null = null;
  let usage: Usage = { usd: 0, tokens: 0 };
  const lines = createLineSplitter((line) => {
    const message = parsePlayerLine(line);
    if (message.type === 'result') {
      result = message;
      return resultRead.resolve();
    }
    if (message.type === 'usage') usage = message.usage;
    return queue.push(message);
  });
  return {
    onOutput: (chunk: Buffer, stream: 'stdout' | 'stderr'): void | Promise<void> =>
      stream === 'stdout' ? lines.add(chunk) : queue.push({ type: 'notice', text: chunk.toString('utf8') }),
    resultRead: resultRead.promise,
    result: (): PlayerResult | null => result,
    usage: (): Usage => usage,
  };
}

/** Lines of JSON from chunks of bytes; the player keeps its lines short. */
function createLineSplitter(onLine: (line: string) => void | Promise<void>) {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return {
    add: async (chunk: Buffer): Promise<void> => {
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) await onLine(line);
    },
  };
}
