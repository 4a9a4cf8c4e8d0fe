// One line of a journal: `<crc32 of the JSON, 8 hex digits> <json>`. One append is one line with 1..n events.
// This envelope never changes; `v` is the version of the events inside.
import { crc32 } from 'node:zlib';
import { parseJson } from '#base/parse-json.ts';

export interface Entry {
  /** Version of the event format. */
  readonly v: number;
  /** 1, 2, 3 … without gaps. */
  readonly seq: number;
  readonly epoch: number;
  readonly events: readonly unknown[];
}

/** `crc32 hex` and a space. */
export const jsonOffset = 9;
export const newline = 0x0a;

export function encodeLine(json: Buffer): Buffer {
  const line = Buffer.allocUnsafe(jsonOffset + json.length + 1);
  line.write(crc32(json).toString(16).padStart(8, '0'), 0, 'latin1');
  line[8] = 0x20;
  json.copy(line, jsonOffset);
  line[line.length - 1] = newline;
  return line;
}

/** The checksum if it holds for `line[start, end)`, newline excluded; -1 if not. */
export function soundCrc(bytes: Buffer, start: number, end: number): number {
  if (end - start <= jsonOffset || bytes[start + 8] !== 0x20) return -1;
  const crc = crc32(bytes.subarray(start + jsonOffset, end));
  return crc === readHex(bytes, start) ? crc : -1;
}

/** Eight lower-case hex digits, read without a string, because a replay reads 100,000; -1 for others. */
function readHex(bytes: Buffer, start: number): number {
  let value = 0;
  for (let at = start; at < start + 8; at += 1) {
    const code = bytes[at] ?? 0;
    const isDigit = code >= 0x30 && code <= 0x39;
    if (!isDigit && (code < 0x61 || code > 0x66)) return -1;
    value = value * 16 + (isDigit ? code - 0x30 : code - 0x57);
  }
  return value;
}

/** Contract: null for anything that is no entry; never throws. */
export function parseEntry(json: string): Entry | null {
  const value = parseJson(json);
  return isEntry(value) ? value : null;
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  const { v, seq, epoch, events } = value as { readonly [key in keyof Entry]?: unknown };
  return (
    isCount(v) && isCount(seq) && typeof epoch === 'number' && Array.isArray(events) && events.length > 0
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
