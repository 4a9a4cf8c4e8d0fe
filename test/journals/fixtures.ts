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
export type Told = 'folded' | 'shown';

export function readTold(name: string, told: Told): unknown {
  return JSON.parse(readFileSync(fileOf(name, told), 'utf8'));
}

export function writeTold(name: string, told: Told, value: unknown): void {
  // A line for each value: a change of a view is to be read in the difference of two commits.
  writeFileSync(fileOf(name, told), `${JSON.stringify(value, null, 1)}\n`);
}

function fileOf(name: string, told: Told): string {
  return join(fixturesFolder, name, `${told}.json`);
}
