// For tests: what a thread begins with that looks at files.
import { readWords } from './sample-words.ts';
import { serveReader } from './reader.ts';

serveReader(readWords);
