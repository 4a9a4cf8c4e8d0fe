// Output in lines that a reader knows; standard error is noise, and the reason of a crash.
import type { AgentEvent } from '#ports/agent.ts';
import { createBoundedLines } from '#agents/shared/bounded-lines.ts';
import type { EventQueue } from '#agents/shared/event-queue.ts';
import type { OutputReader } from '#agents/shared/output-reader.ts';
import type { CommandVoice } from './text-output.ts';

const complaintMax = 500;
/** Enough to see what it was. */
const shownMax = 500;

export function createLineOutput(queue: EventQueue, reader: OutputReader): CommandVoice {
  let complaint = '';
  let told = reader.usage();

  const hand = async (events: readonly AgentEvent[]): Promise<void> => {
    for (const event of events) await queue.push(event);
  };
  const tellUsage = (): Promise<void> => {
    const usage = reader.usage();
    const isNews = usage.tokens !== told.tokens || usage.usd !== told.usd;
    told = usage;
    return hand(isNews ? [{ type: 'usage', usage }] : []);
  };
  const lines = createBoundedLines(async ({ text, cutBytes }) => {
    if (cutBytes > 0) {
      const size = text.length + cutBytes;
      return hand([
        { type: 'notice', text: `a line of ${size} bytes was left out: ${text.slice(0, shownMax)}…` },
      ]);
    }
    await hand(reader.onLine(text));
    await tellUsage();
  });

  return {
    onOutput: (chunk, stream) => {
      if (stream === 'stdout') return lines.add(chunk);
      const text = chunk.toString('utf8');
      complaint = (complaint + text).slice(-complaintMax);
      return queue.push({ type: 'notice', text });
    },
    end: () => lines.end(),
    resultOf: (ending) => ({
      ...reader.endOf(ending, complaint.trim()),
      usage: reader.usage(),
      model: reader.model(),
    }),
  };
}
