// Writes the log of a session, one JSON line per event as it arrives, so that it can be followed.
import { closeSync, fdatasyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { leftOutText, type LogCap } from '#adapters/logs/log-cap.ts';
import { createTailQueue } from '#adapters/logs/tail-queue.ts';
import type { LogLine } from '#ports/session-host.ts';
import { encodeTextLine } from './text-line.ts';

/** `builder_003_2026-11-15_22-04-40.jsonl`, in UTC. */
export function logName(role: string, ordinal: number, at: number): string {
  const [day = '', time = ''] = new Date(at).toISOString().split('T');
  const stamp = `${day}_${time.slice(0, 8).replaceAll(':', '-')}`;
  return `${role.replaceAll(/[^\w.-]/g, '-')}_${String(ordinal).padStart(3, '0')}_${stamp}.jsonl`;
}

const uncapped: LogCap = { headBytes: Infinity, tailBytes: 0 };

/**
 * Writes are synchronous: that slows a flooding agent down. Contract: beyond the cap only text, tool lines
 * and notices are omitted, and their end is kept. It is written before the agent's result and at the close.
 */
export function createLogFile(
  file: string,
  cap: LogCap = uncapped,
): { write(line: LogLine): void; close(): void } {
  mkdirSync(dirname(file), { recursive: true });
  const descriptor = openSync(file, 'a', 0o600);
  const tail = createTailQueue(cap.tailBytes);
  let isOpen = true;
  let [written, isFull] = [0, false];
  const writeAll = (bytes: Buffer): void => {
    for (let from = 0; from < bytes.length;) from += writeSync(descriptor, bytes, from);
  };
  const notice = (at: number, text: string): void =>
    writeAll(Buffer.from(`${encode({ at, type: 'notice', text })}\n`));
  const add = (at: number, bytes: Buffer): void => {
    written += bytes.length;
    if (written <= cap.headBytes) return writeAll(bytes);
    if (!isFull) notice(at, `this log has reached ${written} bytes: of the rest only the end is kept`);
    isFull = true;
    tail.push(bytes);
  };
  const flush = (at: number): void => {
    const { pieces, dropped } = tail.take();
    if (dropped > 0) notice(at, leftOutText(dropped));
    for (const piece of pieces) writeAll(piece);
  };
  // A disk that is too full for text may still take the result.
  const tryFlush = (at: number): void => {
    try {
      flush(at);
    } catch {
      // The last text is lost; the result has the outcome.
    }
  };
  return {
    write: (line) => {
      if (line.type === 'text') return encodeTextLine(line.at, line.text, (bytes) => add(line.at, bytes));
      const bytes = Buffer.from(`${encode(line)}\n`);
      if (cappedTypes.has(line.type)) return add(line.at, bytes);
      if (line.type === 'agent-ended' || line.type === 'session-ended') tryFlush(line.at);
      writeAll(bytes);
      // If the host is killed before it writes a receipt, this line lets the session be adopted.
      if (line.type === 'agent-ended') fdatasyncSync(descriptor);
    },
    close: () => {
      if (isOpen) {
        tryFlush(Date.now());
        closeSync(descriptor);
      }
      isOpen = false;
    },
  };
}

/** May be omitted from a long log; results, usage and ids are always written at once. */
const cappedTypes: ReadonlySet<string> = new Set(['tool-call', 'tool-result', 'notice']);

/** `at` and `type` come first, so that a line can be recognized without parsing. */
function encode(line: LogLine): string {
  const { at, type, ...rest } = line;
  return JSON.stringify({ at, type, ...rest });
}
