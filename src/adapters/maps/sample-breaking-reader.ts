// For tests: a thread that some files end, as a parser does that breaks.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { type ReaderData, serveReader, type Told } from './reader.ts';
import { readWords } from './sample-words.ts';

const { root } = workerData as ReaderData;

parentPort?.on('message', ({ files }: Told) => {
  writeFileSync(join(root, 'told'), '');
  if (files.some(({ path }) => path.startsWith('bad'))) process.exit(1);
});
serveReader(readWords);
