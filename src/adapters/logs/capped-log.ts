// A log file that keeps its beginning as it comes, and its end when it is closed.
import type { FileHandle } from 'node:fs/promises';
import { leftOutText, type LogCap } from './log-cap.ts';
import { createTailQueue } from './tail-queue.ts';

export interface CappedLog {
  /** Resolves when it is written; a full disk costs the log, not the verdict. */
  write(chunk: Buffer): Promise<void>;
  /** May be called again. */
  close(): Promise<void>;
}

export function openCappedLog(file: FileHandle, cap: LogCap): CappedLog {
  const tail = createTailQueue(cap.tailBytes);
  let written = 0;
  let last: Promise<void> = Promise.resolve();
  let closing: Promise<void> | null = null;
  const append = (bytes: Buffer): Promise<void> => {
    last = last
      .then(() => file.write(bytes))
      .then(
        () => undefined,
        () => undefined,
      );
    return last;
  };
  const finish = async (): Promise<void> => {
    const { pieces, dropped } = tail.take();
    if (dropped > 0) await append(Buffer.from(`\n[${leftOutText(dropped)}]\n`));
    for (const piece of pieces) await append(piece);
    await last;
    await file.close().catch(() => undefined);
  };
  return {
    write(chunk) {
      const head = chunk.subarray(0, Math.max(0, cap.headBytes - written));
      if (head.length < chunk.length) tail.push(chunk.subarray(head.length));
      written += chunk.length;
      return head.length === 0 ? Promise.resolve() : append(head);
    },
    close: () => (closing ??= finish()),
  };
}
