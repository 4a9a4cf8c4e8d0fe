// A thread that looks at files one after the other, as it is told: what breaks a parser breaks only this.
import { parentPort, workerData } from 'node:worker_threads';
import type { ReadWords } from './file-record.ts';
import type { ListedFile } from './list-files.ts';
import { type Looked, looks, type Question } from './look.ts';
import { createSourceReader, type HashName } from './read-source.ts';

/** What a reader is started with. */
export interface ReaderData {
  readonly root: string;
  readonly hash: HashName;
}

export interface Told {
  readonly question: Question;
  readonly files: readonly ListedFile[];
}

/** For the module that a thread begins with. Contract: one answer for each time it is told, in that order. */
export function serveReader(readWords: ReadWords): void {
  const { root, hash } = workerData as ReaderData;
  const looking = { read: createSourceReader(root, hash), readWords };
  let last: Promise<void> = Promise.resolve();
  parentPort?.on('message', ({ question, files }: Told) => {
    last = last.then(async () => {
      const all: Looked[] = [];
      for (const file of files) all.push(await looks[question](file, looking));
      parentPort?.postMessage(all);
    });
  });
  parentPort?.postMessage('ready');
}
