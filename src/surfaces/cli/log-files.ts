// Reads growing session logs: whole lines in the order of the sessions, in bounded chunks.
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { parseRecord } from '#base/parse-json.ts';
import { isRecord } from '#base/record.ts';
import type { AgentEvent } from '#ports/agent.ts';
import { chatterLine } from '#surfaces/cli/render/chatter.ts';

export interface LogLine {
  readonly file: string;
  readonly text: string;
}

export interface LogReader {
  /** Passes on every new whole line; returns their number. */
  readNew(show: (line: LogLine) => void): Promise<number>;
}

const pieceBytes = 256 * 1024;
/** A longer line is cut: the file has all of it. */
const lineMax = 1024 * 1024;

export function createLogReader(folder: string, prefix: string): LogReader {
  const tails = new Map<string, Tail>();
  return {
    async readNew(show) {
      let count = 0;
      for (const file of await logFiles(folder, prefix)) {
        const tail = tails.get(file) ?? { position: 0, rest: '', decoder: new StringDecoder('utf8') };
        tails.set(file, tail);
        await readTail(join(folder, file), tail, (text) => {
          count += 1;
          show({ file, text });
        });
      }
      return count;
    },
  };
}

interface Tail {
  position: number;
  rest: string;
  readonly decoder: StringDecoder;
}

async function logFiles(folder: string, prefix: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const isWanted = (name: string): boolean => name.endsWith('.jsonl') && name.startsWith(prefix);
  return names.filter(isWanted).toSorted((one, other) => (startOf(one) < startOf(other) ? -1 : 1));
}

/** `builder_001_2026-11-15_20-05-00.jsonl`: the time, then the rest. */
function startOf(name: string): string {
  const [role = '', ordinal = '', ...time] = name.split('_');
  return [...time, ordinal, role].join('_');
}

async function readTail(path: string, tail: Tail, onLine: (text: string) => void): Promise<void> {
  const handle = await open(path).catch(() => null);
  if (handle === null) return;
  try {
    const buffer = Buffer.alloc(pieceBytes);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, pieceBytes, tail.position);
      if (bytesRead === 0) return;
      tail.position += bytesRead;
      const lines = (tail.rest + tail.decoder.write(buffer.subarray(0, bytesRead))).split('\n');
      tail.rest = (lines.pop() ?? '').slice(0, lineMax);
      for (const line of lines) if (line !== '') onLine(line);
    }
  } finally {
    await handle.close();
  }
}

/** The messages of a finished session with their times; empty if the log is gone. */
export async function* messagesIn(
  file: string,
): AsyncGenerator<{ readonly at: number; readonly event: AgentEvent }> {
  const handle = await open(file).catch(() => null);
  if (handle === null) return;
  try {
    for await (const line of handle.readLines({ encoding: 'utf8' })) {
      const event = parseRecord(line);
      if (event !== null)
        yield { at: typeof event['at'] === 'number' ? event['at'] : 0, event: asAgentEvent(event) };
    }
  } finally {
    await handle.close();
  }
}

/** The part of a log line that a person wants to see; null for the rest. */
export function readableLine(text: string): string | null {
  try {
    const parsed: unknown = JSON.parse(text);
    const event = isRecord(parsed) && isRecord(parsed['event']) ? parsed['event'] : parsed;
    if (!isRecord(event) || typeof event['type'] !== 'string') return null;
    return chatterLine(asAgentEvent(event))?.replace(/\n$/, '') ?? null;
  } catch {
    return text;
  }
}

/** Logs of another version may lack fields: they become empty. */
function asAgentEvent(event: Record<string, unknown>): AgentEvent {
  const field = (name: string): string => (typeof event[name] === 'string' ? event[name] : '');
  switch (event['type']) {
    case 'text':
      return { type: 'text', text: field('text') };
    case 'tool-call':
      return { type: 'tool-call', id: field('id'), name: field('name'), summary: field('summary') };
    case 'tool-result':
      return {
        type: 'tool-result',
        id: field('id'),
        isError: event['isError'] === true,
        summary: field('summary'),
      };
    case 'notice':
      return { type: 'notice', text: field('text') };
    default:
      return { type: 'session-id', id: '' };
  }
}
