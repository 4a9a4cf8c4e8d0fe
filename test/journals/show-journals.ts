// The output of the built program for journals that were copied into a repository made for them.
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ensureRepoId } from '#adapters/store/repo-id.ts';
import { builtEntry } from '#test/program.ts';
import type { Place } from '../e2e/place.ts';
import { makePlace } from '../e2e/place.ts';
import type { Guarded } from './fixtures.ts';
import { readViews } from './fixtures.ts';
import { eventsIn } from './fold-journal.ts';

interface Answer {
  readonly code: number | null;
  readonly stderr: string;
  readonly said: { readonly [field: string]: unknown };
}

const commands = {
  status: (runId: string) => ['status', runId, '--json'],
  show: (runId: string) => ['show', runId, '--json'],
  plan: (runId: string) => ['plan', '--run', runId, '--json'],
  criteria: (runId: string) => ['criteria', runId, '--json'],
} as const;

/** By the name of the journal. Fails where a command has changed a journal or left something beside it. */
export async function showJournals(journals: readonly Guarded[]): Promise<Map<string, unknown>> {
  const place = makePlace();
  const root = join(place.stateHome, 'untildone', await ensureRepoId(join(place.repo, '.git')));
  const shown = new Map<string, unknown>();
  const waiting = journals.map((journal) => async () => {
    const runId = idOf(journal);
    // Alone in its folder: there is no snapshot, so each command folds the whole of it.
    mkdirSync(join(root, runId), { recursive: true });
    writeFileSync(join(root, runId, 'journal.jsonl'), journal.bytes);
    shown.set(journal.name, await showJournal(place, journal, runId));
    const isAsItWas = readFileSync(join(root, runId, 'journal.jsonl')).equals(journal.bytes);
    if (!isAsItWas || readdirSync(join(root, runId)).length !== 1)
      throw new Error(`the folder of ${journal.name} was changed by commands that only read`);
  });
  // Each is a start of a process that mostly takes a core for itself.
  await Promise.all(Array.from({ length: 3 }, () => workOff(waiting)));
  return shown;
}

async function workOff(waiting: (() => Promise<void>)[]): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next();
}

async function showJournal(place: Place, journal: Guarded, runId: string): Promise<unknown> {
  const ask = (command: keyof typeof commands): Promise<Answer> => answer(place, commands[command](runId));
  const status = await ask('status');
  const show = await ask('show');
  const plan = await ask('plan');
  const criteria = await ask('criteria');
  const { state, events } = show.said;
  const isWhole = isDeepStrictEqual(events, rawEvents(journal));
  // What stands in the journal or in `folded.json` is not kept a second time, only what differs from it.
  const known = readViews(journal.name, 'folded') as Folded;
  return {
    status: { ...status, said: changed(known['state.json'], status.said) },
    show: {
      ...show,
      said: {
        ...show.said,
        state: changed(known['state.json'], state),
        events: isWhole ? 'those of the journal' : events,
      },
    },
    plan: { ...plan, said: changed(known['plan.json'], plan.said) },
    criteria: { ...criteria, said: changed(known.criteria, criteria.said) },
  };
}

interface Folded {
  readonly 'state.json': object;
  readonly 'plan.json': object;
  readonly criteria: object;
}

/** Nothing is lost by it: the fields that differ, and `missing` for one that is not there. A refusal is kept as it is. */
function changed(from: object, to: unknown): unknown {
  if (typeof to !== 'object' || to === null || 'error' in to) return to;
  const before: { readonly [field: string]: unknown } = { ...from };
  const after: { readonly [field: string]: unknown } = { ...to };
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    fields
      .filter((field) => !isDeepStrictEqual(before[field], after[field]))
      .map((field) => [field, field in after ? after[field] : 'missing']),
  );
}

/** The lines themselves, without the program. */
function rawEvents({ bytes }: Guarded): unknown[] {
  return bytes
    .toString()
    .trimEnd()
    .split('\n')
    .flatMap((line) => (JSON.parse(line.slice(line.indexOf('{'))) as { events: unknown[] }).events);
}

function idOf(journal: Guarded): string {
  const [first] = eventsIn(journal);
  if (first?.type !== 'run-created') throw new Error(`the journal ${journal.name} has no beginning`);
  return first.runId;
}

function answer({ repo, env }: Place, args: readonly string[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { cwd: repo, env, maxBuffer: 1 << 26 };
    const child = execFile(
      process.execPath,
      [builtEntry('cli'), ...args],
      options,
      (_error, stdout, stderr) => {
        try {
          resolve({ code: child.exitCode, stderr, said: JSON.parse(stdout) as Answer['said'] });
        } catch (problem) {
          reject(
            new Error(`\`${args.join(' ')}\` printed no JSON:\n${stdout}\n${stderr}`, { cause: problem }),
          );
        }
      },
    );
  });
}
