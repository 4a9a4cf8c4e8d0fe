// Everything that the store acknowledges survives a power loss. The disk is simulated: it forgets what was not
// synced.
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Disk } from '#test/power-loss.ts';
import { watchDisk } from '#test/power-loss.ts';
import { makeFolder } from '#adapters/files/files.ts';
import { createInbox } from '#adapters/store/inbox/inbox.ts';
import type { Bed } from '#test/store/store-bed.ts';
import { createBed, dues, reached, runCreated } from '#test/store/store-bed.ts';

let bed: Bed;
let disk: Disk;
beforeEach(async () => {
  bed = createBed();
  await makeFolder(bed.paths.root);
});
afterEach(() => {
  disk.release();
  bed.dispose();
});

/** A run `r` that is on the disk whole. */
async function withRun(): Promise<void> {
  await bed.run(0);
  disk = await watchDisk(bed.paths.root);
}

it('A created run survives a power loss [D1]', async () => {
  disk = await watchDisk(bed.paths.root);
  await bed.store.create('r', [runCreated('r'), reached(1)]);
  disk.losePower();
  expect(await bed.store.list()).toEqual(['r']);
  expect((await bed.store.read('r')).events).toEqual([runCreated('r'), reached(1)]);
});

it('The very first run of a repository survives a power loss, with the folders made for it [D1]', async () => {
  await rm(bed.paths.root, { recursive: true });
  disk = await watchDisk(bed.folder);
  await bed.store.create('r', [runCreated('r'), reached(1)]);
  disk.losePower();
  expect((await bed.store.read('r')).events).toEqual([runCreated('r'), reached(1)]);
});

it('Events that were appended with a sync survive a power loss, those before them too; later ones may be lost [D1]', async () => {
  await withRun();
  const journal = await bed.open();
  await journal.append([reached(1)], { sync: false });
  await journal.append([reached(2)], { sync: true });
  await journal.append([reached(3)], { sync: false });
  await journal.close();
  disk.losePower();
  const again = await bed.open();
  expect(dues(again.events).slice(0, 2)).toEqual([1, 2]);
  await again.append([reached(4)], { sync: true });
  await again.close();
  disk.losePower();
  expect(dues((await bed.store.read('r')).events)).toContain(4);
});

it('A journal that was healed from its mirror stays healed after a power loss [D1]', async () => {
  await bed.run(3);
  const { journal } = bed.paths.run('r');
  const [first = '', second = '', ...rest] = readFileSync(journal, 'utf8').split('\n');
  writeFileSync(journal, [first, second.replace('clock', 'knock'), ...rest].join('\n'));
  disk = await watchDisk(bed.paths.root);
  await (await bed.open()).close();
  disk.losePower();
  expect(readFileSync(journal, 'utf8')).not.toContain('knock');
  expect(dues((await bed.store.read('r')).events)).toEqual([1, 2, 3]);
});

it('A control that was dropped survives a power loss, whole [Q5]', async () => {
  await withRun();
  const options = { run: bed.paths.run('r'), control: bed.paths.control, since: 0, judge: () => null };
  const request = { id: 'a', by: 'me', control: { kind: 'pause', why: 'lunch' } } as const;
  await createInbox(options).drop(request);
  disk.losePower();
  expect(await createInbox(options).take()).toEqual([request]);
});
