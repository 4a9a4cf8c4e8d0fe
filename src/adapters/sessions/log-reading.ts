// Reads a session log after a crash, from its end and in blocks: logs may be larger than memory.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { unknownUsage, type Usage } from '#kernel/model/budget.ts';
import type { SessionResult } from '#kernel/model/step.ts';
import { parseSessionResult, parseUsage } from './session-result.ts';
import { orElse } from '#base/or-else.ts';
import { parseRecord } from '#base/parse-json.ts';

const blockBytes = 1024 * 1024;
/** Longer than the text by which a line is recognized. */
const overlapBytes = 256;
/** Longer than any of our lines: a report has at most 64 KB. */
const lineBytesMax = 4 * 1024 * 1024;

export interface LogFindings {
  /** The terminal message of the session, or at least of its agent. */
  readonly result: SessionResult | null;
  /** The last reported usage; null if unknown. */
  readonly usage: Usage | null;
}

export function readLog(file: string, stepId: string): LogFindings {
  const descriptor = orElse(() => openSync(file, 'r'), null);
  if (descriptor === null) return { result: null, usage: null };
  try {
    return find(descriptor, stepId);
  } finally {
    closeSync(descriptor);
  }
}

function find(descriptor: number, stepId: string): LogFindings {
  const { size } = fstatSync(descriptor);
  const result = lastOf(descriptor, size, endedLine, (line) =>
    line['stepId'] === stepId ? parseSessionResult(line['result']) : null,
  );
  if (result !== null) return { result, usage: result.usage };
  const usage = lastOf(descriptor, size, usageLine, (line) => parseUsage(line['usage']));
  return { result: null, usage: usage ?? silentUsage(descriptor) };
}

/**
 * Inside a JSON string these quotes would be escaped, so this can only start such a line. `session-ended`
 * comes after `agent-ended`: the last one is the most complete.
 */
const endedLine = /,"type":"(?:session|agent)-ended","stepId":/g;
const usageLine = /,"type":"usage","usage":/g;

type Fields = { readonly [key: string]: unknown };

/** The last line with this start that `parse` accepts; the very last line may be incomplete. */
function lastOf<T>(
  descriptor: number,
  size: number,
  begin: RegExp,
  parse: (line: Fields) => T | null,
): T | null {
  for (let end = size; end > 0; end -= blockBytes) {
    const start = Math.max(0, end - blockBytes);
    // One character per byte, so that indexes are file offsets.
    const block = readBytes(descriptor, start, end - start + overlapBytes).toString('latin1');
    for (const { index } of [...block.matchAll(begin)].reverse()) {
      const line = readLine(descriptor, start + index + 1);
      const found = line === null ? null : parse(line);
      if (found !== null) return found;
    }
  }
  return null;
}

/** Parses the rest of the line from this position as the rest of an object. */
function readLine(descriptor: number, position: number): Fields | null {
  const bytes = readBytes(descriptor, position, lineBytesMax);
  const end = bytes.indexOf('\n');
  return end === -1 ? null : parseRecord(`{${bytes.toString('utf8', 0, end)}`);
}

/** A client that reports no usage has an unknown usage, which is not the same as null. */
function silentUsage(descriptor: number): Usage | null {
  const head = readBytes(descriptor, 0, blockBytes).toString('utf8');
  const first = /^\{"at":\d+,"type":"session-started".{0,2000}?"reportsUsage":(true|false)/s.exec(head);
  return first?.[1] === 'false' ? unknownUsage : null;
}

function readBytes(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  for (;;) {
    const count = readSync(descriptor, bytes, filled, length - filled, position + filled);
    filled += count;
    if (count === 0 || filled === length) return bytes.subarray(0, filled);
  }
}
