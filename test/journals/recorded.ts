// Journals as programs of earlier days wrote them. The date in a name is the date of the program, not of the recording; paths,
// hosts, users and the pinned programs of the machine are replaced.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from '#kernel/fold/run.ts';

export const recordedFolder = join(import.meta.dirname, '../../src/adapters/store/journal/fixtures/journals');

export interface Recorded {
  readonly name: string;
  readonly bytes: Buffer;
  readonly expected: Summary | undefined;
}

export interface Summary {
  readonly events: number;
  readonly outcome: string | null;
  readonly tasks: { readonly [id: string]: string };
  readonly sessions: number;
  readonly spent: { readonly sessions: number; readonly usd: number; readonly tokens: number };
  readonly reserved: number;
  readonly drivers: number;
}

export function recordedJournals(): Recorded[] {
  const expected = JSON.parse(readFileSync(join(recordedFolder, 'expected.json'), 'utf8')) as {
    readonly [name: string]: Summary | undefined;
  };
  return readdirSync(recordedFolder)
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => {
      const name = file.replace('.jsonl', '');
      return { name, bytes: readFileSync(join(recordedFolder, file)), expected: expected[name] };
    });
}

export function summaryOf(run: Run): Summary {
  return {
    events: run.events,
    outcome: run.outcome?.outcome ?? null,
    tasks: Object.fromEntries([...run.tasks].map(([id, { status }]) => [id, status.is])),
    sessions: run.sessions.length,
    spent: run.ledger.spent,
    reserved: run.ledger.reserved.sessions,
    drivers: run.epoch,
  };
}
