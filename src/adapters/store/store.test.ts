import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { howMany } from '#test/how-many.ts';
import type { Bed } from '#test/store/store-bed.ts';
import { createBed, dues, reached, runCreated, startChild } from '#test/store/store-bed.ts';

let bed: Bed;
beforeEach(() => {
  bed = createBed();
});
afterEach(() => bed.dispose());

it('Runs are listed oldest first, whatever their ids, and several are kept side by side [D5]', async () => {
  await bed.store.create('z', [runCreated('z', 10)]);
  await bed.store.create('a', [runCreated('a', 30)]);
  await bed.store.create('m', [runCreated('m', 20)]);
  expect(await bed.store.list()).toEqual(['z', 'm', 'a']);
  const [z, a] = [await bed.open('z'), await bed.open('a')];
  await Promise.all([z.append([reached(1)], { sync: true }), a.append([reached(2)], { sync: true })]);
  await z.close();
  await a.close();
  expect(dues((await bed.store.read('z')).events)).toEqual([1]);
  expect(dues((await bed.store.read('a')).events)).toEqual([2]);
  expect(dues((await bed.store.read('m')).events)).toEqual([]);
});

it('An existing run id is refused, also when only its mirror is left, and nothing of it is lost [D5]', async () => {
  await bed.run(1);
  const again = () => bed.store.create('r', [runCreated('r')]);
  await expect(again()).rejects.toMatchObject({ code: 'run-exists' });
  rmSync(bed.paths.run('r').folder, { recursive: true });
  await expect(again()).rejects.toMatchObject({ code: 'run-exists' });
  expect(dues((await bed.store.read('r')).events)).toEqual([1]);
  expect(readdirSync(bed.paths.root).filter((name) => name.startsWith('.creating'))).toEqual([]);
});

it('Exactly one of many creators of the same run id wins [D5]', async () => {
  const all = await Promise.allSettled(
    Array.from({ length: 8 }, (_, n) => bed.store.create('r', [runCreated('r', n)])),
  );
  expect(all.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
  for (const one of all.filter((each) => each.status === 'rejected')) {
    expect(one.reason).toMatchObject({ code: 'run-exists' });
  }
  expect((await bed.store.read('r')).events).toHaveLength(1);
});

it('A half-made run of a killed creator is not listed', async () => {
  await bed.run(0);
  mkdirSync(join(bed.paths.root, 'half-made', 'inbox'), { recursive: true });
  mkdirSync(join(bed.paths.root, '.creating-1234'));
  writeFileSync(join(bed.paths.root, '.creating-1234', 'journal.jsonl'), 'half a li');
  writeFileSync(join(bed.paths.root, 'stray-file'), '');
  expect(await bed.store.list()).toEqual(['r']);
});

it('A repository that never had a run lists nothing, and listing makes no folder', async () => {
  expect(await bed.store.list()).toEqual([]);
  expect(readdirSync(bed.folder)).toEqual([]);
});

it.each(['../r', '', '.hidden', 'a/b', 'a\0b', 'x'.repeat(101)])(
  'The run id %j is refused',
  async (runId) => {
    await expect(bed.store.read(runId)).rejects.toMatchObject({ code: 'wrong-run-id' });
  },
);

it('A missing run is reported, and none is made', async () => {
  for (const work of [() => bed.store.read('nope'), () => bed.store.open('nope')]) {
    await expect(work()).rejects.toMatchObject({ code: 'no-such-run' });
  }
  expect(await bed.store.list()).toEqual([]);
});

it('A reader beside a fast writer always sees a valid beginning of the journal', async () => {
  await bed.run(0);
  const child = startChild(
    bed.folder,
    `const journal = await bed.open();
     say('go');
     for (let n = 0; n < 1500; n += 1) {
       await journal.append([reached(n), { at: 1, type: 'driver-left', reason: 'x'.repeat(n * 7) }], { sync: false });
     }
     await journal.close();`,
  );
  expect(await child.line()).toBe('go');
  const ended = child.rest();
  let isOver = false;
  void ended.then(() => (isOver = true));
  let seen = 0;
  for (let reads = 0; !isOver || reads < 3; reads += 1) {
    const { events, notes } = await bed.store.read('r');
    const found = dues(events);
    expect(notes).toEqual([]);
    expect(found).toEqual(found.map((_, n) => n));
    expect(found.length).toBeGreaterThanOrEqual(seen);
    seen = found.length;
  }
  expect(seen).toBe(1500);
});

/** Appends and reports each append, from the start signal until it is killed. */
const appendForEver = `
  process.stdin.once('data', async () => {
    const journal = await bed.open();
    const last = journal.events.findLast((event) => event.type === 'clock-reached')?.due ?? -1;
    say('alive');
    for (let n = last + 1; ; n += 1) {
      await journal.append([reached(n)], { sync: n % 3 === 0 });
      say(String(n));
    }
  });`;

it('No acknowledged event is lost when the driver is killed at any moment, many times [Q7]', async () => {
  await bed.run(0);
  let acknowledged = -1;
  let next = startChild(bed.folder, appendForEver);
  for (let life = 0; life < howMany({ usual: 10, long: 50 }); life += 1) {
    const child = next;
    next = startChild(bed.folder, appendForEver);
    child.process.stdin?.write('go\n');
    expect(await child.line()).toBe('alive');
    for (let waits = Math.floor(Math.random() * 40); waits > 0; waits -= 1) await child.line();
    child.kill('SIGKILL');
    acknowledged = Math.max(acknowledged, ...(await child.rest()).map(Number));
    const found = dues((await bed.store.read('r')).events);
    expect(found).toEqual(found.map((_, n) => n));
    expect(found.length).toBeGreaterThan(acknowledged);
  }
  next.kill('SIGKILL');
  await next.rest();
  const journal = await bed.open();
  expect(journal.notes).toEqual([]);
  await journal.close();
});
