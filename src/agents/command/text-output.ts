// Plain output: what a program prints is what the assistant says.
import { StringDecoder } from 'node:string_decoder';
import { unknownUsage } from '#kernel/model/budget.ts';
import { describeProcessEnding } from '#kernel/model/ending.ts';
import type { ProcessEnding } from '#kernel/model/ending.ts';
import type { AgentResult } from '#ports/agent.ts';
import type { EventQueue } from '#agents/shared/event-queue.ts';

export interface CommandVoice {
  onOutput(chunk: Buffer, stream: 'stdout' | 'stderr'): void | Promise<void>;
  /** What is left when the program has ended. */
  end(): Promise<void>;
  resultOf(ending: ProcessEnding): AgentResult;
}

const complaintMax = 500;

export function createTextOutput(queue: EventQueue, model: string | null): CommandVoice {
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  let complaint = '';
  const hand = (text: string, stream: 'stdout' | 'stderr'): void | Promise<void> => {
    if (text === '') return;
    if (stream === 'stdout') return queue.push({ type: 'text', text });
    complaint = (complaint + text).slice(-complaintMax);
    return queue.push({ type: 'notice', text });
  };
  return {
    onOutput: (chunk, stream) => hand(decoders[stream].write(chunk), stream),
    /** A character that was cut off at the very end. */
    end: async () => {
      await hand(decoders.stdout.end(), 'stdout');
      await hand(decoders.stderr.end(), 'stderr');
    },
    resultOf: (ending) => {
      const told = { usage: unknownUsage, model };
      if (ending.kind === 'exited' && ending.code === 0) return { ...told, kind: 'finished' };
      const detail = describeProcessEnding(ending);
      const said = complaint.trim();
      return { ...told, kind: 'crashed', detail: said === '' ? detail : `${detail}: ${said}` };
    },
  };
}
