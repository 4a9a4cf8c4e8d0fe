// Looks at many files: here, and where they are many also in threads, so that each core has something to do.
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { noteOnly, type ReadWords } from './file-record.ts';
import type { ListedFile } from './list-files.ts';
import { type Found, type Looked, looks, type Question } from './look.ts';
import { createSourceReader, type HashName } from './read-source.ts';
import type { Told } from './reader.ts';

export interface Readers {
  /** Contract: `onFile` is called once for each file; rejects only when it is told to stop. */
  ask<Q extends Question>(
    question: Q,
    files: readonly ListedFile[],
    onFile: (one: Looked<Q>) => void,
  ): Promise<void>;
  close(): Promise<void>;
}

export interface Reading {
  readonly root: string;
  readonly hash: HashName;
  readonly readWords: ReadWords;
  /** What a thread begins with: a module that calls `serveReader`. */
  readonly reader: URL;
  readonly signal: AbortSignal;
}

/** Starting a thread takes as long as so many files. */
const filesPerThread: { readonly [Q in Question]: number } = { skim: 200, outline: 150 };
// More gain little, because one takes what all of them find.
const threadsMax = 4;
/** Told at once: enough that no thread waits, little enough that they end together. */
const batchSize = 16;
const batchesAhead = 2;

/**
 * The optimizing compiler takes hundreds of megabytes for large grammars, and hardly pays that back. What is not
 * WebAssembly is worth it here, whatever was said of a brief life.
 */
const flags = ['--opt', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];

export function createReaders(reading: Reading): Readers {
  const { root, hash, readWords, signal } = reading;
  const threads: Thread[] = [];
  const here = { read: createSourceReader(root, hash), readWords };
  return {
    async ask(question, files, onFile) {
      if (files.length === 0) return;
      for (const flag of flags) setFlagsFromString(flag);
      const wanted = Math.floor(files.length / filesPerThread[question]);
      const most = Math.min(Math.max(1, availableParallelism() - 1), threadsMax, wanted);
      while (threads.length < most) threads.push({ worker: null });
      const work: Work<typeof question> = { question, batches: batchesOf(files), onFile };
      const look = async (batch: readonly ListedFile[]): Promise<void> => {
        for (const file of batch) {
          signal.throwIfAborted();
          onFile(await looks[question](file, here));
        }
      };
      const used = threads.slice(0, most);
      const others = used.map((thread) => keepAsking(thread, work, reading));
      for (let batch = work.batches.pop(); batch !== undefined; batch = work.batches.pop()) {
        await look(batch);
        // What the threads have found meanwhile.
        await setImmediate();
      }
      await look((await Promise.all(others)).flat(2));
      signal.throwIfAborted();
    },
    async close() {
      await Promise.all(threads.map(async ({ worker }) => worker?.terminate()));
    },
  };
}

interface Thread {
  /** Null before it is needed, and once it is gone. */
  worker: Worker | null;
}

interface Work<Q extends Question> {
  readonly question: Q;
  /** Shared by all; the next is the last. */
  readonly batches: ListedFile[][];
  readonly onFile: (one: Looked<Q>) => void;
}

function batchesOf(files: readonly ListedFile[]): ListedFile[][] {
  const batches: ListedFile[][] = [];
  for (let at = 0; at < files.length; at += batchSize) batches.push(files.slice(at, at + batchSize));
  return batches.reverse();
}

/** A thread that a file has ended is followed by another, without that file. What no thread could look at comes back. */
async function keepAsking<Q extends Question>(
  thread: Thread,
  work: Work<Q>,
  reading: Reading,
): Promise<readonly ListedFile[][]> {
  /** One of these has ended a thread; which one is found one by one, and by nobody else. */
  const suspects: ListedFile[][] = [];
  const own = { ...work, next: () => suspects.pop() ?? work.batches.pop() };
  while (suspects.length + work.batches.length > 0 && !reading.signal.aborted) {
    const { isStarted, lost } = await askThread(thread, own, reading);
    if (!isStarted) break;
    const [first = [], ...others] = lost;
    const [culprit] = first;
    suspects.push(...others.toReversed());
    if (first.length > 1) suspects.push(...first.toReversed().map((one) => [one]));
    else if (culprit !== undefined)
      work.onFile({ path: culprit.path, found: broken[work.question], listed: null, blobs: [] });
  }
  return suspects;
}

const broken: Found = {
  skim: { record: noteOnly(0, 'cannot be read'), shortKey: '' },
  outline: { signatures: '', note: 'breaks the parser', isShort: false },
};

/** `lost` is what it had been told and did not answer. */
interface Ended {
  readonly isStarted: boolean;
  readonly lost: readonly ListedFile[][];
}

/** Resolves when nothing is left to tell, or the thread is gone. */
function askThread<Q extends Question>(
  thread: Thread,
  { question, next, onFile }: Work<Q> & { readonly next: () => ListedFile[] | undefined },
  { root, hash, reader, signal }: Reading,
): Promise<Ended> {
  return new Promise((resolve) => {
    let isStarted = thread.worker !== null;
    const worker =
      thread.worker ?? new Worker(reader, { workerData: { root, hash }, resourceLimits, execArgv: [] });
    thread.worker = worker;
    const told: ListedFile[][] = [];
    const tell = (): void => {
      while (told.length < batchesAhead) {
        const files = next();
        if (files === undefined) break;
        told.push(files);
        worker.postMessage({ question, files } satisfies Told);
      }
      if (told.length === 0) end();
    };
    const hear = (said: 'ready' | readonly Looked<Q>[]): void => {
      isStarted = true;
      if (said !== 'ready') {
        told.shift();
        for (const one of said) onFile(one);
      }
      tell();
    };
    const stop = (): void => void worker.terminate();
    const gone = (): void => {
      thread.worker = null;
      end();
    };
    const end = (): void => {
      worker.off('message', hear).off('exit', gone);
      signal.removeEventListener('abort', stop);
      resolve({ isStarted, lost: told });
    };
    worker.on('message', hear).on('exit', gone).on('error', ignore);
    signal.addEventListener('abort', stop);
    if (isStarted) tell();
  });
}

/** What went wrong is told by what was not answered. */
function ignore(): void {}

const resourceLimits = { maxOldGenerationSizeMb: 512 };
