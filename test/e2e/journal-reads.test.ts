// How often a command reads the journal of a run from disk. Each read is a fold of all its events, and a run may have many.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { plainAgent, seesFile, writesFile } from './agents.ts';
import { parkRun, past } from './parked.ts';
import type { Place } from './place.ts';
import { makePlace } from './place.ts';
import { send } from './processes.ts';
import { until } from './wait.ts';

it('A new run reads its journal once, when its driver takes the lock', async () => {
  const place = makePlace();
  place.write('go', '');
  expect(await readsOf(place, work(place))).toBe(1);
});

it.each([
  ['resumed', () => ['resume']],
  ['found by its goal', work],
] as const)(
  'The journal of a run that is %s is read once to find the run and once by its driver',
  async (_, args) => {
    const place = makePlace();
    const killed = place.start(work(place));
    await until('the session', () => existsSync(join(place.folder, 'started')));
    send(killed.pid, 'SIGKILL');
    await killed.ended;
    place.write('go', '');
    expect(await readsOf(place, args(place))).toBe(2);
  },
);

it('The journal of a woken run is read once to see whether the run is due and once by its driver', async () => {
  const place = makePlace();
  const { runId } = await parkRun(place, { condition: past() });
  expect(await readsOf(place, ['wake', runId])).toBe(2);
});

/** The agent waits until a file lets it continue. */
function work(place: Place): string[] {
  const wait = `: > '${place.folder}/started'; while [ ! -f '${place.folder}/go' ]; do sleep 0.05; done`;
  const agent = plainAgent(place, `cat > /dev/null\n${wait}\n${writesFile}\n`);
  return ['run', 'do it', ...agent, '--check', seesFile, '--verifier', 'none'];
}

/** As V8 counts the calls of the one function through which every process of the command reads a journal. */
async function readsOf(place: Place, args: readonly string[]): Promise<number> {
  const folder = join(place.folder, `coverage-${args[0] ?? ''}`);
  const ended = await place.untildone(args, { env: { NODE_V8_COVERAGE: folder } });
  expect(ended).toMatchObject({ code: 0 });
  return readdirSync(folder)
    .flatMap((name) => callsIn(readFileSync(join(folder, name), 'utf8')))
    .reduce((sum, count) => sum + count, 0);
}

interface Coverage {
  readonly result: readonly {
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

function callsIn(text: string): number[] {
  const { result } = JSON.parse(text) as Coverage;
  return result
    .flatMap(({ functions }) => functions)
    .filter(({ functionName }) => functionName === 'scanJournal')
    .map(({ ranges }) => ranges[0]?.count ?? 0);
}
