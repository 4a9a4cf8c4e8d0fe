// Looks at the files that a map needs, one after the other.
import { setImmediate } from 'node:timers/promises';
import type { ReadWords } from '#analysis/repo-map/file-record.ts';
import type { ListedFile } from './list-files.ts';
import { type Looked, looks, type Question } from './look.ts';
import { createSourceReader, type HashName } from './read-source.ts';

export interface Readers {
  /** Contract: `onFile` is called once for each file; rejects only when it is told to stop. */
  ask<Q extends Question>(
    question: Q,
    files: readonly ListedFile[],
    onFile: (one: Looked<Q>) => void,
  ): Promise<void>;
}

export interface Reading {
  readonly root: string;
  readonly hash: HashName;
  readonly readWords: ReadWords;
  readonly signal: AbortSignal;
}

/** Between these a signal can arrive. */
const batchSize = 16;

/** The optimizing compiler takes hundreds of megabytes for large grammars, and hardly pays that back. */
const flags = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];

export function createReaders({ root, hash, readWords, signal }: Reading): Readers {
  const looking = { read: createSourceReader(root, hash), readWords };
  return {
    async ask(question, files, onFile) {
      if (files.length === 0) return;
      // Loading what is not needed takes long, and most maps look at nothing.
      const { setFlagsFromString } = await import('node:v8');
      for (const flag of flags) setFlagsFromString(flag);
      for (const [at, file] of files.entries()) {
        if (at % batchSize === 0) await setImmediate();
        signal.throwIfAborted();
        onFile(await looks[question](file, looking));
      }
    },
  };
}
