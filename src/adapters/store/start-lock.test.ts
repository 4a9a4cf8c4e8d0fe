import { hostname } from 'node:os';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withStartLock } from './start-lock.ts';
import type { Bed, Child } from '#test/store/store-bed.ts';
import { createBed, runCreated, startChild } from '#test/store/store-bed.ts';

let bed: Bed;
let children: Child[] = [];
beforeEach(() => {
  bed = createBed();
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  bed.dispose();
});

/** Searches for a run, creates it where there is none, and stays alive until its input ends. */
function starter(folder: string): Child {
  const child = startChild(
    folder,
    `
    const { withStartLock } = await import('#adapters/store/start-lock.ts');
    const { runCreated } = await import('#test/store/store-bed.ts');
    say('ready');
    await new Promise((resolve) => process.stdin.once('data', resolve));
    const said = await withStartLock(bed.paths, async () => {
      const [found] = await bed.store.list();
      if (found !== undefined) return 'found, held by ' + (await bed.store.holder(found))?.pid;
      await bed.store.create('run-' + process.pid, [runCreated('run-' + process.pid)], { isHeld: true });
      return 'created';
    }, () => {});
    say(said);
    process.stdin.resume();`,
  );
  children.push(child);
  return child;
}

it('Of six pairs of processes that start the same run together, each makes one run, and the other names the holder [B13] [Q4]', async () => {
  for (let pair = 0; pair < 6; pair += 1) {
    const own = createBed();
    try {
      const two = [starter(own.folder), starter(own.folder)];
      for (const one of two) expect(await one.line()).toBe('ready');
      for (const one of two) one.process.stdin?.write('go\n');
      const said = await Promise.all(two.map((one) => one.line()));
      const creator = two[said.indexOf('created')];
      expect(said.map(String).toSorted()).toEqual(['created', `found, held by ${creator?.process.pid}`]);
      expect(await own.store.list()).toHaveLength(1);
      for (const one of two) one.process.stdin?.end();
      await Promise.all(two.map((one) => one.rest()));
    } finally {
      own.dispose();
    }
  }
});

it('A start waits for the one before it, names that process, and gets the lock when it is killed [Q4]', async () => {
  const holder = startChild(
    bed.folder,
    `
    const { withStartLock } = await import('#adapters/store/start-lock.ts');
    await withStartLock(bed.paths, async () => {
      say('holds');
      await new Promise(() => process.stdin.resume());
    }, () => {});`,
  );
  children.push(holder);
  expect(await holder.line()).toBe('holds');
  const seen: unknown[] = [];
  const result = await withStartLock(
    bed.paths,
    async () => 'in',
    (by) => {
      seen.push(by);
      holder.kill('SIGKILL');
    },
  );
  expect(result).toBe('in');
  expect(seen).toEqual([{ pid: holder.process.pid, host: hostname(), since: expect.any(Number) as number }]);
});

it('A start that fails frees the lock for the next one [Q4]', async () => {
  const fails = withStartLock(bed.paths, () => Promise.reject(new Error('no')), noWait);
  await expect(fails).rejects.toThrow('no');
  expect(await withStartLock(bed.paths, async () => 'in', noWait)).toBe('in');
});

it('A run that its driver creates names the driver from the beginning, and others name none [Q4]', async () => {
  await bed.store.create('held', [runCreated('held')], { isHeld: true });
  await bed.store.create('free', [runCreated('free')]);
  expect(await bed.store.holder('held')).toMatchObject({ pid: process.pid });
  expect(await bed.store.holder('free')).toBeNull();
  const journal = await bed.open('held');
  await journal.close();
  expect(await bed.store.holder('held')).toBeNull();
});

const noWait = (): void => {
  throw new Error('it does not wait');
};
