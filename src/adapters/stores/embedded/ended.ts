// Whether a run is over, from the end of its journal alone: a repository may have hundreds of finished ones.
import { open } from 'node:fs/promises';
import { eventVersion } from '#kernel/events.ts';
import { jsonOffset, newline, parseEntry, soundCrc } from './line.ts';

/** A run's last words, and what late requests are answered with after them. */
const tailBytes = 64 * 1024;

/** Contract: true is certain, since nothing takes a run's end back. False only says that the end of the journal does not tell. */
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

/** The first line may be cut off; then its checksum does not hold. */
function holdsEnd(tail: Buffer): boolean {
  for (let end = tail.lastIndexOf(newline); end > 0;) {
    const start = tail.lastIndexOf(newline, end - 1) + 1;
    if (isEnd(tail, start, end)) return true;
    end = start - 1;
  }
  return false;
}

function isEnd(tail: Buffer, start: number, end: number): boolean {
  if (soundCrc(tail, start, end) === -1) return false;
  const entry = parseEntry(tail.toString('utf8', start + jsonOffset, end));
  return (
    entry !== null &&
    entry.v <= eventVersion &&
    entry.events.some((event) => (event as { readonly type?: unknown } | null)?.type === 'run-ended')
  );
}
