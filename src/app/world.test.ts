import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { builds, keepBeds, type Life, liveThrough, passes } from '#test/app/proof-bed.ts';
import { driveRun } from './world.ts';
import { startRun } from '#app/run/start-run.ts';
import { openStore, type Site } from './site.ts';

const beds = keepBeds();
let life: Life;
let runId: string;

beforeAll(async () => {
  const write = { write: { path: 'done.txt', text: 'done' } };
  life = beds.keep(await liveThrough({ turns: [builds(write), passes], flags: { check: ['true'] } }));
});
afterAll(() => beds.remove());

// A run that no driver has had yet.
beforeEach(async () => {
  const { config, tasks } = life.run;
  runId = await startRun(await life.site(), { config, tasks: [...tasks.values()].map(({ spec }) => spec) });
});

const drive = (site: Site) =>
  driveRun(site, runId, { observers: [], leaveWhenParked: () => true, signal: AbortSignal.abort() });

/** The same site, whose repository is first needed when the ports of the driver are built. */
function whenComposing(site: Site, act: () => never): Site {
  return Object.defineProperty({ ...site }, 'repository', { get: act });
}

async function journalNow(site: Site): Promise<number> {
  return (await openStore(site).read(runId)).events.length;
}

async function expectStartable(site: Site): Promise<void> {
  const store = openStore(site);
  expect(await store.holder(runId)).toBeNull();
  expect((await drive(site)).kind).toBe('parked');
}

test('A run whose dependencies cannot be composed keeps its journal and can be driven again by the same process', async () => {
  const site = await life.site();
  const before = await journalNow(site);
  const refusing = whenComposing(site, () => {
    throw new Error('not here');
  });
  await expect(drive(refusing)).rejects.toThrow('not here');
  expect(await journalNow(site)).toBe(before);
  await expectStartable(site);
});

test('A driver that is killed while it composes its dependencies leaves a run that can be driven again', async () => {
  const site = await life.site();
  const before = await journalNow(site);
  const program = `
    const { openSite } = await import('#app/site.ts');
    const { driveRun } = await import('#app/world.ts');
    const site = { ...(await openSite(${JSON.stringify(life.root)}, process.env)) };
    Object.defineProperty(site, 'repository', { get: () => process.kill(process.pid, 'SIGKILL') });
    await driveRun(site, ${JSON.stringify(runId)}, {
      observers: [], leaveWhenParked: () => true, signal: AbortSignal.abort(),
    });`;
  const args = ['--input-type=module', '-e', program];
  const killed = spawnSync(process.execPath, args, { cwd: process.cwd(), env: life.env, encoding: 'utf8' });
  expect(killed).toMatchObject({ signal: 'SIGKILL', stderr: '' });
  expect(await journalNow(site)).toBe(before);
  await expectStartable(site);
});

test('A driver that finds the run locked builds nothing', async () => {
  const site = await life.site();
  const journal = await openStore(site).open(runId);
  if ('heldBy' in journal) throw new Error('it is free');
  try {
    const building = whenComposing(site, () => {
      throw new Error('it was built');
    });
    expect(await drive(building)).toMatchObject({ kind: 'held', by: { pid: process.pid } });
  } finally {
    await journal.close();
  }
});
