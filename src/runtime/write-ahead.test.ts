// Intent before effect: here the journal is slow for every append.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { FactType } from '#kernel/events/events.ts';
import { builderVerifier } from '#policies/presets/builder-verifier.ts';
import { simulatedTask } from '#test/simulated/simulated-run.ts';
import type { SimulatedWorld } from '#test/simulated/simulated-world.ts';
import { simulatedWorld } from '#test/simulated/simulated-world.ts';
import { drive } from './drive.ts';

/** `early` lists the sessions and controls that did not wait for the journal. */
function slowWorld(): { simulated: SimulatedWorld; early: string[] } {
  const early: string[] = [];
  let writing = 0;
  const simulated = simulatedWorld({
    tasks: [simulatedTask('main')],
    session: (step, files) => {
      const { events, synced } = simulated.journal;
      if (writing > 0 || synced < events.length) early.push(step.stepId);
      return { endTree: step.deed.readOnly ? files : 'work' };
    },
  });
  const open = simulated.store.open.bind(simulated.store);
  const settle = simulated.inbox.settle.bind(simulated.inbox);
  simulated.inbox.settle = async (id) => {
    const synced = simulated.journal.events.slice(0, simulated.journal.synced);
    if (!synced.some((event) => event.type === 'control-received' && event.id === id)) early.push(id);
    await settle(id);
  };
  simulated.store.open = async (runId) => {
    const journal = await open(runId);
    if ('heldBy' in journal) return journal;
    return {
      ...journal,
      append: async (events, options) => {
        writing += 1;
        for (let turns = 0; turns < 3; turns += 1) await setImmediate();
        await journal.append(events, options);
        writing -= 1;
      },
    };
  };
  return { simulated, early };
}

async function run(simulated: SimulatedWorld): Promise<void> {
  const options = { leaveWhenParked: () => true, signal: new AbortController().signal };
  await drive('run', simulated, builderVerifier.policy, options);
}

test('The driver starts a session and settles a control only after the journal is synced [B13] [Q5]', async () => {
  const { simulated, early } = slowWorld();
  simulated.ask({ kind: 'tell', text: 'hurry' });
  await run(simulated);
  expect(simulated.started).toHaveLength(1);
  expect(early).toEqual([]);
});

test('The driver shows an event only after the journal has it [B13]', async () => {
  const { simulated } = slowWorld();
  const missing: FactType[] = [];
  const onEvents = (_: unknown, events: readonly { readonly type: FactType }[]): void => {
    for (const event of events)
      if (!simulated.journal.events.some((one) => one === event)) missing.push(event.type);
  };
  await run({ ...simulated, observers: [{ onEvents }] });
  expect(missing).toEqual([]);
});
