// Measures what waiting costs: 500 suspensions in 30 days, each woken by a new driver over the real journal.
import { statSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Event } from '#kernel/events/events.ts';
import { builderVerifier } from '#policies/presets/builder-verifier.ts';
import type { Store } from '#ports/store.ts';
import { drive } from '#runtime/drive.ts';
import { commandCriterion, simulatedTask } from '#test/simulated/simulated-run.ts';
import type { SimulatedClock } from '#testing/simulated-clock.ts';
import { simulatedWorld } from '#test/simulated/simulated-world.ts';
import type { Benchmark, Line } from './measure.ts';
import { inFolder, median, sizeAt, timeMs } from './measure.ts';
import { sampleStore } from './sample-store.ts';
import { measureWatch } from './watch.ts';

const daysMs = 30 * 86_400_000;
const few = 10;
const rounds = 21;

export const waiting: Benchmark = ({ folder, scale, program }) =>
  inFolder(folder, async (place) => {
    const { store, paths } = sampleStore(place);
    const count = sizeAt(scale, 500, 2 * few);
    const [short, middle] = [
      await createRun(store, 'short', daysMs / count),
      await createRun(store, 'middle', daysMs / count),
    ];
    const long = await createRun(store, 'long', daysMs / count);
    const heapBefore = heapNow();
    for (let woken = 0; woken < count; woken += 1) await wake(long);
    const heapMb = Math.max(0, heapNow() - heapBefore) / 1e6;
    const journalKb = statSync(paths.run('long').journal).size / 1000;
    for (let woken = 0; woken < count / 2; woken += 1) await wake(middle);
    for (let woken = 0; woken < few; woken += 1) await wake(short);
    const times = { short: [] as number[], middle: [] as number[], long: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      times.short.push(await timeMs(() => wake(short)));
      times.middle.push(await timeMs(() => wake(middle)));
      times.long.push(await timeMs(() => wake(long)));
    }
    const raw = median(times.short);
    const name = '500 suspensions in 30 days:';
    const lines: Line[] = [
      { name: `${name} the journal`, measured: journalKb, raw: null, unit: 'kB', gate: 1000 },
      {
        name: `${name} a wake-up, which reads all of it`,
        measured: median(times.long),
        raw: null,
        unit: 'ms',
        gate: 50,
      },
      {
        name: `${name} a wake-up after 250, against after 10`,
        measured: median(times.middle),
        raw,
        unit: 'ms',
        aim: 2,
      },
      {
        name: `${name} a wake-up after 500, against after 10`,
        measured: median(times.long),
        raw,
        unit: 'ms',
        gate: 4,
      },
      {
        name: `${name} heap that is left behind`,
        measured: heapMb,
        raw: null,
        unit: 'MB',
        gate: 20,
      },
    ];
    return [...lines, ...(await measureWatch(place, scale, program))];
  });

interface WaitingRun {
  readonly runId: string;
  readonly store: Store;
  readonly clock: SimulatedClock;
  readonly forMs: number;
}

async function createRun(store: Store, runId: string, forMs: number): Promise<WaitingRun> {
  const tasks = [simulatedTask('main', { criteria: [commandCriterion('works')] })];
  const { journal, clock } = simulatedWorld({ tasks });
  await store.create(runId, journal.events);
  const run: WaitingRun = { runId, store, clock, forMs };
  await driveOnce(run, { isFirst: true });
  return run;
}

/** Its time comes: a new driver wakes it, suspends it again, and leaves. */
async function wake(run: WaitingRun): Promise<void> {
  run.clock.advance(run.forMs);
  await driveOnce(run, { isFirst: false });
}

/** One driver: reads the journal, sees that its time has come, is suspended again, and leaves. */
async function driveOnce(
  { runId, store, clock, forMs }: WaitingRun,
  { isFirst }: { readonly isFirst: boolean },
): Promise<void> {
  // A separate process would share nothing: a fresh inbox and a fresh lookout.
  const fresh = simulatedWorld({ tasks: [], clock });
  const suspend = (): void => {
    const since = clock.now();
    const remindAt = since + 1000 * daysMs;
    const condition = { kind: 'time', at: since + forMs } as const;
    const why = 'the nightly build is not there yet';
    const control = { kind: 'suspend', condition, why, since, remindAt } as const;
    void fresh.inbox.drop({ id: `k-${since}`, by: 'ann', control });
  };
  const isMet = (events: readonly Event[]): boolean => events.some(({ type }) => type === 'condition-met');
  if (isFirst) suspend();
  const end = await drive(
    runId,
    { ...fresh, store, observers: [{ onEvents: (_, recorded) => void (isMet(recorded) && suspend()) }] },
    builderVerifier.policy,
    { leaveWhenParked: () => true, signal: new AbortController().signal },
  );
  if (end.kind !== 'parked' || end.run.suspensions.size !== 1)
    throw new Error(
      `the run is ${end.kind}, with ${'run' in end ? end.run.suspensions.size : 0} suspensions`,
    );
}

function heapNow(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
