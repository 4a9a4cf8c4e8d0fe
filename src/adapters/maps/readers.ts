// Looks at many files: here, and where they are many also in threads, so that each core has something to do.
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
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
  /** So many files are worth one. */
  readonly filesPerThread?: number;
  readonly signal: AbortSignal;
}

/**
 * Fewer are looked at sooner by one: a thread has to be started, and its code to be compiled anew. Measured with two
 * cores; with more of them it is time that is saved, and never much that is lost.
 */
const filesPerThreadDefault: { readonly [Q in Question]: number } = { skim: 2_000, outline: 150 };
// More gain little, because one takes what all of them find.
const threadsMax = 4;
/** Told at once: enough that no thread waits, little enough that they end together. */
const batchSize = 16;
const batchesAhead = 2;

/** The optimizing compiler takes hundreds of megabytes for large grammars, and hardly pays that back. */
const flags = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];

export function createReaders(reading: Reading): Readers {
  const { root, hash, readWords, filesPerThread, signal } = reading;
  const threads: Thread[] = [];
  const here = { read: createSourceReader(root, hash), readWords };
  return {
    async ask(question, files, onFile) {
      if (files.length === 0) return;
      // Loading what is not needed takes long, and most maps look at nothing.
      const { setFlagsFromString } = await import('node:v8');
      for (const flag of flags) setFlagsFromString(flag);
      const wanted = Math.floor(files.length / (filesPerThread ?? filesPerThreadDefault[question]));
      const most = Math.min(Math.max(1, availableParallelism() - 1), threadsMax, wanted);
      while (threads.length < most) threads.push({ worker: null, isReady: false, enough: null });
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
      // A thread that is not up by now is not waited for.
      for (const { enough } of used) enough?.();
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
  isReady: boolean;
  /** While it is asked: nothing is left to tell. */
  enough: (() => void) | null;
}

interface Work<Q extends Question> {
  readonly question: Q;
  /** Shared by all; the next is the last. */
  readonly batches: ListedFile[][];
  readonly onFile: (one: Looked<Q>) => void;
}

/** The same for one thread, which may have some of its own. */
interface OwnWork<Q extends Question> extends Work<Q> {
  readonly left: () => number;
  readonly next: () => ListedFile[] | undefined;
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
  const left = (): number => suspects.length + work.batches.length;
  const own = { ...work, left, next: () => suspects.pop() ?? work.batches.pop() };
  while (left() > 0 && !reading.signal.aborted) {
    const worker = thread.worker ?? (await startThread(thread, reading));
    if (left() === 0) break;
    const [first = [], ...others] = await askThread({ thread, worker }, own, reading.signal);
    // Not to be had, or not in time.
    if (!thread.isReady && first.length === 0) break;
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

const resourceLimits = { maxOldGenerationSizeMb: 512 };

async function startThread(thread: Thread, { root, hash, reader }: Reading): Promise<Worker> {
  const threads = await import('node:worker_threads');
  const worker = new threads.Worker(reader, { workerData: { root, hash }, resourceLimits, execArgv: [] });
  worker.on('exit', () => {
    thread.worker = null;
    thread.isReady = false;
  });
  // What went wrong is told by what was not answered.
  worker.on('error', () => {});
  thread.worker = worker;
  return worker;
}

/** Resolves when nothing is left to tell, or the thread is gone, with what it had been told and did not answer. */
function askThread<Q extends Question>(
  { thread, worker }: { readonly thread: Thread; readonly worker: Worker },
  { question, left, next, onFile }: OwnWork<Q>,
  signal: AbortSignal,
): Promise<readonly ListedFile[][]> {
  return new Promise((resolve) => {
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
      thread.isReady = true;
      if (said !== 'ready') {
        told.shift();
        for (const one of said) onFile(one);
      }
      tell();
    };
    const stop = (): void => void worker.terminate();
    const end = (): void => {
      thread.enough = null;
      worker.off('message', hear).off('exit', end);
      signal.removeEventListener('abort', stop);
      resolve(told);
    };
    thread.enough = () => {
      if (!thread.isReady && left() === 0) end();
    };
    worker.on('message', hear).on('exit', end);
    signal.addEventListener('abort', stop);
    if (thread.isReady) tell();
  });
}
