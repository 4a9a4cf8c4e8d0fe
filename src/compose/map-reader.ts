// What a thread begins with that looks at files for a map.
import { serveReader } from '#adapters/maps/reader.ts';
import { readWords } from '#policies/planning/words.ts';

serveReader(readWords);
