// After the end, a person approves work that only a reviewer passed; in a real repository.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { driveRun } from '#app/world.ts';
import type { Run } from '#kernel/fold/run.ts';
import { dropControl } from '#app/controls/controls.ts';
import type { Bed, Life } from '#test/app/proof-bed.ts';
import { builds, keepBeds, liveThrough, passes } from '#test/app/proof-bed.ts';
import { loadRun } from '#app/site.ts';

const beds = keepBeds();
let life: Life;

beforeAll(async () => {
  life = beds.keep(
    await liveThrough({
      turns: [builds({ write: { path: 'feature.txt', text: 'new\n' } }), passes],
      flags: { check: ['test ! -e "$HOME/broken"'] },
      config: { acceptReview: false, checkEnv: ['HOME'] },
    }),
  );
}, 120_000);

afterAll(() => beds.remove());

async function drive(bed: Bed): Promise<Run> {
  const site = await bed.site();
  const options = { observers: [], leaveWhenParked: () => true, signal: AbortSignal.timeout(1_200_000) };
  await driveRun(site, life.run.id, options);
  return (await loadRun(site, life.run.id)).run;
}

async function approve(bed: Bed): Promise<void> {
  await dropControl(await bed.site(), life.run.id, { kind: 'approve-run', tree: life.run.tip?.tree ?? '' });
}

it('An approved run completes though its base branch has moved, and moves no branch of the user [X3]', async () => {
  expect(life.run.outcome).toMatchObject({ outcome: 'unverified', proof: 'review' });
  const bed = beds.keep(life.copy());
  bed.write('other.txt', 'meanwhile\n');
  const head = bed.commit('meanwhile');
  await approve(bed);
  const run = await drive(bed);
  expect(run.outcome).toMatchObject({ outcome: 'completed', proof: 'person' });
  expect(run.tip).toEqual(life.run.tip);
  expect(bed.git('rev-parse', 'main')).toBe(head);
  expect(run.sessions.length).toBe(life.run.sessions.length);
}, 120_000);

it('An approved run whose driver never started is completed by the next one [X3]', async () => {
  const bed = beds.keep(life.copy());
  await approve(bed);
  const left = (await loadRun(await bed.site(), life.run.id)).run;
  expect(left.outcome).toBeNull();
  expect(left.approval?.tree).toBe(life.run.tip?.tree);
  await approve(bed);
  expect((await drive(bed)).outcome).toMatchObject({ outcome: 'completed', proof: 'person' });
}, 120_000);

it('An approved run whose acceptance fails now stays unverified; once it passes, a person decides about the failure [X3]', async () => {
  const bed = beds.keep(life.copy());
  const broken = join(bed.folder, 'broken');
  writeFileSync(broken, '');
  await approve(bed);
  const run = await drive(bed);
  expect(run.outcome?.outcome).toBe('unverified');
  expect(run.outcome?.reason).toContain('not accepted on a clean checkout now');
  expect(run.sessions.length).toBe(life.run.sessions.length);
  rmSync(broken);
  await approve(bed);
  // It failed and passes on one and the same tree.
  expect((await drive(bed)).outcome).toBeNull();
  const [task] = run.tasks.values();
  const [criterion] = task?.spec.criteria ?? [];
  await dropControl(await bed.site(), run.id, {
    kind: 'approve',
    taskId: task?.spec.id ?? '',
    criterionId: criterion?.id ?? '',
    tree: run.tip?.tree ?? '',
  });
  expect((await drive(bed)).outcome).toMatchObject({ outcome: 'completed', proof: 'person' });
}, 120_000);
