// Turns the program's output into events. Standard error becomes notices and the reason for a crash.
import { StringDecoder } from 'node:string_decoder';
import type { AgentEvent, AgentResult } from '#ports/agent.ts';
import { createBoundedLines } from '#agents/shared/bounded-lines.ts';
import type { EventQueue } from '#agents/shared/event-queue.ts';
import type { OutputReader } from '#agents/shared/output-reader.ts';
import { unknownUsage } from '#kernel/model/budget.ts';
import { crashOf, isGood } from '#agents/shared/client-words.ts';
import type { ProcessEnding } from '#kernel/model/ending.ts';

const complaintMax = 500;
const shownMax = 500;

export function createLineOutput(queue: EventQueue, reader: OutputReader): CommandVoice {
  let complaint = '';
  let reported = reader.usage();

  const emitAll = async (events: readonly AgentEvent[]): Promise<void> => {
    for (const event of events) await queue.push(event);
  };
  const emitUsage = (): Promise<void> => {
    const usage = reader.usage();
    const isNews = usage.tokens !== reported.tokens || usage.usd !== reported.usd;
    reported = usage;
    return emitAll(isNews ? [{ type: 'usage', usage }] : []);
  };
  const lines = createBoundedLines(async ({ text, cutBytes }) => {
    if (cutBytes > 0) {
      const size = text.length + cutBytes;
      return emitAll([
        { type: 'notice', text: `a line of ${size} bytes was left out: ${text.slice(0, shownMax)}…` },
      ]);
    }
    await emitAll(reader.onLine(text));
    await emitUsage();
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

interface CommandVoice {
  onOutput(chunk: Buffer, stream: 'stdout' | 'stderr'): void | Promise<void>;
  /** Delivers the rest when the program has ended. */
  end(): Promise<void>;
  resultOf(ending: ProcessEnding): AgentResult;
}

export function createTextOutput(queue: EventQueue, model: string | null): CommandVoice {
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  let complaint = '';
  const emitAll = (text: string, stream: 'stdout' | 'stderr'): void | Promise<void> => {
    if (text === '') return;
    if (stream === 'stdout') return queue.push({ type: 'text', text });
    complaint = (complaint + text).slice(-complaintMax);
    return queue.push({ type: 'notice', text });
  };
  return {
    onOutput: (chunk, stream) => emitAll(decoders[stream].write(chunk), stream),
    /** Delivers a character that was cut off at the very end. */
    end: async () => {
      await emitAll(decoders.stdout.end(), 'stdout');
      await emitAll(decoders.stderr.end(), 'stderr');
    },
    resultOf: (ending) => {
      const reported = { usage: unknownUsage, model };
      return isGood(ending)
        ? { ...reported, kind: 'finished' }
        : { ...reported, ...crashOf(ending, complaint.trim()) };
    },
  };
}
