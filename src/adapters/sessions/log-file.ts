// The log of a session: one JSON line an event, in the file as it arrives, so that it can be followed.
import { closeSync, fdatasyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { LogLine } from '#ports/session-host.ts';
import { encodeTextLine } from './text-line.ts';

/** `builder_003_2026-11-15_22-04-40.jsonl`, in UTC. */
export function logName(role: string, ordinal: number, at: number): string {
  const [day = '', time = ''] = new Date(at).toISOString().split('T');
  const stamp = `${day}_${time.slice(0, 8).replaceAll(':', '-')}`;
  return `${role.replaceAll(/[^\w.-]/g, '-')}_${String(ordinal).padStart(3, '0')}_${stamp}.jsonl`;
}

/** Writes block until the system has taken them: that is the back-pressure on a flooding agent. */
export function createLogFile(file: string): { write(line: LogLine): void; close(): void } {
  mkdirSync(dirname(file), { recursive: true });
  const descriptor = openSync(file, 'a', 0o600);
  let isOpen = true;
  const writeAll = (bytes: Buffer): void => {
    for (let from = 0; from < bytes.length;) from += writeSync(descriptor, bytes, from);
  };
  return {
    write: (line) => {
      if (line.type === 'text') encodeTextLine(line.at, line.text, writeAll);
      else writeAll(Buffer.from(`${encode(line)}\n`));
      // From this line a session is adopted whose host was killed before it could write a receipt.
      if (line.type === 'agent-ended') fdatasyncSync(descriptor);
    },
    close: () => {
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    },
  };
}

/** `at` and `type` come first, so that a line can be recognised without parsing it. */
function encode(line: LogLine): string {
  const { at, type, ...rest } = line;
  return JSON.stringify({ at, type, ...rest });
}
