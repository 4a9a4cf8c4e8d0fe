import type { Key } from './decode-keys.ts';
import { createKeyDecoder } from './decode-keys.ts';

/** How long an ESC waits for the rest of its sequence. It chooses nothing, and a sequence that comes later is still read. */
const escapeMs = 100;

export interface KeyReader {
  push(bytes: Uint8Array): void;
  dispose(): void;
}

export function readKeys(onKeys: (keys: readonly Key[]) => void): KeyReader {
  const decoder = createKeyDecoder();
  let timer: NodeJS.Timeout | undefined;
  return {
    push(bytes) {
      clearTimeout(timer);
      onKeys(decoder.push(bytes));
      if (decoder.isUndecided()) timer = setTimeout(() => onKeys(decoder.settle()), escapeMs);
    },
    dispose: () => clearTimeout(timer),
  };
}
