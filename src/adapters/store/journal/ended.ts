// Detects whether a run is over from the end of its journal: a repository may have hundreds of finished runs.
import { open } from 'node:fs/promises';
import { eventVersion } from '#kernel/events/events.ts';
import { jsonOffset, newline, parseEntry, soundCrc } from './line.ts';

/** Enough for a run's final events and the answers to late requests after them. */
const tailBytes = 64 * 1024;

/** Contract: true is certain, no later event reverts it. False only means that the tail does not show it. */
export async function endsInTail(file: string): Promise<boolean> {
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) return false;
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - tailBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
    return holdsEnd(buffer.subarray(0, bytesRead));
  } catch {
    return false;
  } finally {
    await handle.close();
  }
}

/** Newest first: the first line about the end decides. After an unreadable line only the mirror knows. */
function holdsEnd(tail: Buffer): boolean {
  for (let end = tail.lastIndexOf(newline); end > 0;) {
    const start = tail.lastIndexOf(newline, end - 1) + 1;
    const types = typesIn(tail, start, end);
    if (types === null) return false;
    const last = types.findLast((type) => type === 'run-ended' || type === 'run-reopened');
    if (last !== undefined) return last === 'run-ended';
    end = start - 1;
  }
  return false;
}

/** Null for a line that is damaged, incomplete, or of a newer program. */
function typesIn(tail: Buffer, start: number, end: number): unknown[] | null {
  if (soundCrc(tail, start, end) === -1) return null;
  const entry = parseEntry(tail.toString('utf8', start + jsonOffset, end));
  if (entry === null || entry.v > eventVersion) return null;
  return entry.events.map((event) => (event as { readonly type?: unknown } | null)?.type);
}
