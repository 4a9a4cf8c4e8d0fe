// The store on a faulty disk: the calls to the file system are made to lie or fail.
import fs from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Bed } from '#test/store/store-bed.ts';
import { createBed, dues, reached } from '#test/store/store-bed.ts';

let bed: Bed;
let handles: FileHandle;
beforeEach(async () => {
  bed = createBed();
  await bed.run(1);
  const handle = await open(bed.paths.run('r').journal);
  handles = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  bed.dispose();
});

/** The next write to any file does this instead. */
function nextWrite(act: (descriptor: number, line: Buffer) => number): void {
  vi.spyOn(fs, 'writeSync').mockImplementationOnce(act as typeof fs.writeSync);
  syncBuiltinESMExports();
}

const failure = (code: string) => Object.assign(new Error(`${code}: made to fail`), { code });

it('The store syncs before it acknowledges only if asked', async () => {
  const journal = await bed.open();
  const sync = vi.spyOn(handles, 'datasync');
  await journal.append([reached(2)], { sync: false });
  expect(sync).toHaveBeenCalledTimes(0);
  await journal.append([reached(3)], { sync: true });
  expect(sync).toHaveBeenCalledTimes(1);
  await journal.close();
});

it('A failed sync rejects the append and all later ones, because the content of the disk is unknown', async () => {
  const journal = await bed.open();
  vi.spyOn(handles, 'datasync').mockRejectedValueOnce(failure('EIO'));
  await expect(journal.append([reached(2)], { sync: true })).rejects.toMatchObject({ code: 'write-failed' });
  await expect(journal.append([reached(3)], { sync: true })).rejects.toMatchObject({ code: 'write-failed' });
  await journal.close();
  const found = dues((await bed.store.read('r')).events);
  expect(found.slice(0, 1)).toEqual([1]);
  expect(found).not.toContain(3);
});

it('A short write is rejected with all later ones, and the next driver cuts its remains', async () => {
  const journal = await bed.open();
  nextWrite((descriptor, line) => {
    fs.appendFileSync(descriptor, line.subarray(0, 20));
    return 20;
  });
  await expect(journal.append([reached(2)], { sync: false })).rejects.toMatchObject({ code: 'disk-full' });
  await expect(journal.append([reached(3)], { sync: false })).rejects.toMatchObject({ code: 'disk-full' });
  await journal.close();
  expect(dues((await bed.store.read('r')).events)).toEqual([1]);
  const next = await bed.open();
  expect([dues(next.events), next.notes.length]).toEqual([[1], 1]);
  await next.append([reached(2)], { sync: true });
  await next.close();
  expect(dues((await bed.store.read('r')).events)).toEqual([1, 2]);
});

it('Appends that were never acknowledged are not in the mirror', async () => {
  const journal = await bed.open();
  nextWrite(() => {
    throw failure('ENOSPC');
  });
  await expect(journal.append([reached(2)], { sync: true })).rejects.toMatchObject({ code: 'disk-full' });
  await journal.close();
  const next = await bed.open();
  expect(dues(next.events)).toEqual([1]);
  await next.close();
});
