// What a session log tells after a crash, read from its end and in blocks: logs may be larger than memory.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { unknownUsage } from '#kernel/budget.ts';
import type { Usage } from '#kernel/budget.ts';
import type { SessionResult } from '#kernel/step.ts';
import { isFields, parseSessionResult, parseUsage } from './session-result.ts';

const blockBytes = 1024 * 1024;
/** No usage line is longer. */
const overlapBytes = 1024;

export interface LogFindings {
  /** The terminal message, of the session or at least of its agent. */
  readonly result: SessionResult | null;
  /** What it had used when last heard; null when nothing is known. */
  readonly usage: Usage | null;
}

export function readLog(file: string, stepId: string): LogFindings {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return { result: null, usage: null };
  }
  try {
    return find(descriptor, stepId);
  } finally {
    closeSync(descriptor);
  }
}

function find(descriptor: number, stepId: string): LogFindings {
  const { size } = fstatSync(descriptor);
  const tail = readBlock(descriptor, Math.max(0, size - 2 * blockBytes), 2 * blockBytes);
  const result = lastResult(tail, stepId);
  if (result !== null) return { result, usage: result.usage };
  return { result: null, usage: lastUsage(descriptor, size) ?? silentUsage(descriptor) };
}

/** `session-ended` is written after `agent-ended`: the last of them knows most. */
function lastResult(tail: string, stepId: string): SessionResult | null {
  const lines = tail.split('\n');
  // What follows the last line end was cut off in the middle of a write.
  lines.pop();
  for (const line of lines.reverse()) {
    if (!/^\{"at":\d+,"type":"(?:session|agent)-ended"/.test(line)) continue;
    const fields = parseLine(line);
    if (fields?.['stepId'] !== stepId) continue;
    const result = parseSessionResult(fields['result']);
    if (result !== null) return result;
  }
  return null;
}

/** Inside a JSON string the quotes would be escaped, so this can only be the begin of a usage line. */
const usageLine = ',"type":"usage","usage":';

function lastUsage(descriptor: number, size: number): Usage | null {
  for (let end = size; end > 0; end -= blockBytes) {
    const start = Math.max(0, end - blockBytes);
    const usage = lastUsageIn(readBlock(descriptor, start, end - start + overlapBytes));
    if (usage !== null) return usage;
  }
  return null;
}

/** The very last may be cut off in the middle of its write. */
function lastUsageIn(block: string): Usage | null {
  for (let at = block.lastIndexOf(usageLine); at !== -1; at = block.lastIndexOf(usageLine, at - 1)) {
    const end = block.indexOf('\n', at);
    const usage = end === -1 ? null : parseUsage(parseLine(`{${block.slice(at + 1, end)}`)?.['usage']);
    if (usage !== null || at === 0) return usage;
  }
  return null;
}

/** A client that never tells has an unknown usage, which is not the same as none known. */
function silentUsage(descriptor: number): Usage | null {
  const head = readBlock(descriptor, 0, blockBytes);
  const first = /^\{"at":\d+,"type":"session-started".{0,2000}?"reportsUsage":(true|false)/s.exec(head);
  return first?.[1] === 'false' ? unknownUsage : null;
}

function parseLine(line: string): { readonly [key: string]: unknown } | null {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

function readBlock(descriptor: number, position: number, length: number): string {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  for (;;) {
    const count = readSync(descriptor, bytes, filled, length - filled, position + filled);
    filled += count;
    if (count === 0 || filled === length) return bytes.toString('utf8', 0, filled);
  }
}
