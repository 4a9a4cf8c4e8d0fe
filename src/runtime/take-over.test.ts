// What a driver does before it continues a run, and what is on the disk when it reports an event.
import { expect, it } from 'vitest';
import type { Event, FactType } from '#kernel/events/events.ts';
import { builderVerifier } from '#policies/presets/builder-verifier.ts';
import type { World } from '#ports/world.ts';
import { commandCriterion, personCriterion, simulatedTask } from '#test/simulated/simulated-run.ts';
import type { SimulatedWorld } from '#test/simulated/simulated-world.ts';
import { simulatedWorld } from '#test/simulated/simulated-world.ts';
import { drive } from './drive.ts';
import type { DriveEnd } from './drive-options.ts';

const checked = [simulatedTask('main', { criteria: [commandCriterion('works')] })];
/** After the session, only a person's decision is needed. */
const leftToPerson = [simulatedTask('main', { criteria: [personCriterion] })];

async function start(world: Pick<SimulatedWorld, keyof World | 'store'>): Promise<DriveEnd> {
  const signal = new AbortController().signal;
  return drive('run', world, builderVerifier.policy, { leaveWhenParked: () => true, signal });
}

/** Unsynced data is lost, and the process is killed. */
function losePower({ journal }: SimulatedWorld): void {
  journal.events.length = journal.synced;
  journal.isOpen = false;
}

it('A new driver ends the processes of an earlier driver before it starts anything, and says how many [X11]', async () => {
  const simulated = simulatedWorld({ tasks: checked });
  const notes: string[] = [];
  const sweeps: { readonly started: number; readonly last: Event | undefined }[] = [];
  await start({
    ...simulated,
    observers: [{ onNote: (text) => notes.push(text) }],
    async sweep() {
      sweeps.push({ started: simulated.started.length, last: simulated.journal.events.at(-1) });
      return 2;
    },
  });
  expect(sweeps).toMatchObject([{ started: 0, last: { type: 'driver-started', epoch: 1 } }]);
  expect(notes).toEqual(['ended 2 process(es) that an earlier driver had left behind']);
});

it('A process that drives the run it has just created searches for no leftovers, unless the run had a driver since [X11]', async () => {
  const simulated = simulatedWorld({ tasks: leftToPerson });
  let sweeps = 0;
  const world = {
    ...simulated,
    async sweep() {
      sweeps += 1;
      return 0;
    },
  };
  const started: number[] = [];
  for (const isNew of [true, true]) {
    const signal = new AbortController().signal;
    await drive('run', world, builderVerifier.policy, { leaveWhenParked: () => true, signal, isNew });
    started.push(sweeps);
  }
  expect(simulated.journal.events.filter(({ type }) => type === 'driver-started')).toHaveLength(2);
  expect(started).toEqual([0, 1]);
});

it('The driver of a reopened run ends its leftover processes again [X11]', async () => {
  const simulated = simulatedWorld({ tasks: checked, check: () => 'fail' });
  let sweeps = 0;
  const world = {
    ...simulated,
    async sweep() {
      sweeps += 1;
      return 0;
    },
  };
  await start(world);
  expect(sweeps).toBe(1);
  simulated.ask({ kind: 'retry', taskId: 'main' });
  await start(world);
  expect(simulated.journal.events.map(({ type }) => type)).toContain('run-reopened');
  expect(sweeps).toBe(2);
});

const acted: readonly FactType[] = [
  'driver-started',
  'step-started',
  'step-ended',
  'step-lost',
  'control-received',
  'acceptance-passed',
  'run-ended',
];

it('A fact that the driver acts on is on the disk before any observer receives it [D1]', async () => {
  const simulated = simulatedWorld({ tasks: checked });
  const { journal } = simulated;
  const early = new Set<FactType>();
  const told = new Set<FactType>();
  const onEvents = (_: unknown, events: readonly Event[]): void => {
    for (const { type } of events) {
      told.add(type);
      if (journal.synced < journal.events.length) early.add(type);
    }
  };
  const world = { ...simulated, observers: [{ onEvents }] };
  simulated.ask({ kind: 'tell', text: 'hurry' });
  await start(world);
  // A check that was under way at the power loss is lost, and observers receive that too.
  journal.events.length =
    journal.events.findIndex((event) => event.type === 'step-started' && event.step.deed.kind === 'check') +
    1;
  journal.synced = journal.events.length;
  await start(world);
  expect(acted.filter((type) => !told.has(type))).toEqual([]);
  expect(acted.filter((type) => early.has(type))).toEqual([]);
});

it('The end of a step survives a power loss while the run waits for a person, so that nothing is done twice [D4]', async () => {
  const simulated = simulatedWorld({ tasks: leftToPerson });
  const steps = (): number => simulated.journal.events.filter(({ type }) => type === 'step-started').length;
  expect(await start(simulated)).toMatchObject({ kind: 'parked' });
  const before = steps();
  losePower(simulated);
  expect(await start(simulated)).toMatchObject({ kind: 'parked' });
  expect([simulated.started.length, steps()]).toEqual([1, before]);
});
