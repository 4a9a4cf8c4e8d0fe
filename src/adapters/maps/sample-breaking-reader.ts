// For tests: a thread that one file ends, as a parser does that breaks.
import { parentPort } from 'node:worker_threads';
import type { Told } from './reader.ts';
import { serveReader } from './reader.ts';
import { readWords } from './sample-words.ts';

parentPort?.on('message', ({ files }: Told) => {
  if (files.some(({ path }) => path === 'f77.ts')) process.exit(1);
});
serveReader(readWords);
