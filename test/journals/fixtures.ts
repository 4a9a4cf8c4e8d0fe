// Every journal of the regression tests: those of earlier formats, and those that were recorded together with their views.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordedJournals } from './recorded.ts';

export const fixturesFolder = join(import.meta.dirname, 'fixtures');

export interface Guarded {
  readonly name: string;
  readonly bytes: Buffer;
}

export function guardedJournals(): Guarded[] {
  const ours = readdirSync(fixturesFolder)
    .filter((name) => existsSync(journalOf(name)))
    .map((name) => ({ name, bytes: readFileSync(journalOf(name)) }));
  return [...recordedJournals().map(({ name, bytes }) => ({ name, bytes })), ...ours];
}

export function journalOf(name: string): string {
  return join(fixturesFolder, name, 'journal.jsonl');
}

/** What the program told when the fixture was recorded: `folded` in this process, `shown` by its commands. */
export type ViewFile = 'folded' | 'shown';

export function readViews(name: string, viewFile: ViewFile): unknown {
  return JSON.parse(readFileSync(fileOf(name, viewFile), 'utf8'));
}

export function writeViews(name: string, viewFile: ViewFile, value: unknown): void {
  // A line for each value: a change of a view is to be read in the difference of two commits.
  writeFileSync(fileOf(name, viewFile), `${JSON.stringify(value, null, 1)}\n`);
}

function fileOf(name: string, viewFile: ViewFile): string {
  return join(fixturesFolder, name, `${viewFile}.json`);
}
