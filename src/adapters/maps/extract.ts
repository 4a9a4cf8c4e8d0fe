// Reads and parses many files: here when they are few, else in a process for each core.
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { grammarOf } from '#adapters/syntax/grammars.ts';
import { type Extracted, extractOne } from './extract-one.ts';
import { unreadRecord } from './file-record.ts';
import type { ListedFile } from './list-files.ts';
import { createSourceReader, type HashName } from './read-source.ts';

export interface Extraction {
  readonly root: string;
  readonly hash: HashName;
  readonly wanted: readonly ListedFile[];
  readonly signal: AbortSignal;
}

type OnFile = (one: Extracted) => void;

/** Starting a process and its parser takes as long as parsing so many. */
const filesPerReader = 40;
// Each holds a parser with its grammars, some 100 MB; more gain little, because one takes what all of them find.
const readersMax = 4;
/** Told at once: enough that no reader waits, little enough that they end together. */
const batchSize = 16;

/** The optimizing compiler takes hundreds of megabytes for large grammars, and hardly pays that back. */
const quickWasm = '--liftoff-only';

/** Contract: `onFile` is called once for each file; rejects only when it is told to stop. */
export async function extract({ root, hash, wanted, signal }: Extraction, onFile: OnFile): Promise<void> {
  const queue = [...wanted].reverse();
  const least = wanted.some(({ path }) => isHeavy(path)) ? 1 : 0;
  const readers = Math.max(least, Math.floor(wanted.length / filesPerReader));
  const length = Math.min(availableParallelism(), readersMax, readers);
  await Promise.all(Array.from({ length }, () => keepReading({ root, hash, queue, signal }, onFile)));
  // What is few, and what is left where no process can be started.
  if (queue.length > 0) setFlagsFromString(quickWasm);
  const read = createSourceReader(root, hash);
  for (const file of queue.reverse()) {
    signal.throwIfAborted();
    onFile(await extractOne(file, read));
  }
  signal.throwIfAborted();
}

/** Grammars so large that compiling them for one file takes a reader, which does it quickly. */
function isHeavy(path: string): boolean {
  const grammar = grammarOf(path);
  return grammar === 'cpp' || grammar === 'c-sharp';
}

interface Work {
  readonly root: string;
  readonly hash: HashName;
  /** Shared by all readers; the next file is the last. */
  readonly queue: ListedFile[];
  readonly signal: AbortSignal;
}

/** A reader that a file has killed is followed by another, without that file. */
async function keepReading(work: Work, onFile: OnFile): Promise<void> {
  while (work.queue.length > 0 && !work.signal.aborted) {
    const { isStarted, lost } = await runReader(work, onFile);
    const [culprit, ...others] = lost;
    if (!isStarted || culprit === undefined) {
      work.queue.push(...lost.toReversed());
      if (!isStarted) return;
      continue;
    }
    work.queue.push(...others.toReversed());
    const record = unreadRecord(0, 'breaks the parser');
    if (!work.signal.aborted) onFile({ path: culprit.path, record, listed: null, blobs: [] });
  }
}

/** `lost` is what it had been told and did not answer. */
interface Ended {
  readonly isStarted: boolean;
  readonly lost: readonly ListedFile[];
}

/** Resolves when the queue is empty or the reader is gone. */
function runReader({ root, hash, queue, signal }: Work, onFile: OnFile): Promise<Ended> {
  return new Promise((resolve) => {
    const reader = startReader(root, hash);
    const stop = (): void => void reader.kill('SIGKILL');
    let isStarted = false;
    let told: ListedFile[] = [];
    const tell = (): void => {
      const batch = queue.splice(-batchSize).reverse();
      told = [...told, ...batch];
      if (batch.length > 0) reader.send(batch);
      else if (told.length === 0) stop();
    };
    reader.on('message', (said: Extracted | 'ready') => {
      isStarted = true;
      if (said !== 'ready') {
        told.shift();
        onFile(said);
      }
      if (told.length <= batchSize / 2) tell();
    });
    const end = (): void => {
      signal.removeEventListener('abort', stop);
      resolve({ isStarted, lost: told });
    };
    // A send that fails and a process that cannot be started: both are told by what was not answered.
    reader.on('error', () => (reader.pid === undefined ? end() : stop()));
    reader.on('exit', end);
    signal.addEventListener('abort', stop);
  });
}

function startReader(root: string, hash: HashName) {
  return fork(readerFile(), [root, hash], {
    execArgv: [quickWasm, '--max-old-space-size=512'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** Beside us when built, in our folder when run from source. */
function readerFile(): string {
  const name = import.meta.url.endsWith('.ts') ? './reader.ts' : './map-reader.js';
  return fileURLToPath(new URL(name, import.meta.url));
}
