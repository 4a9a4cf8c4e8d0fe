import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { replay } from '#kernel/fold/apply.ts';
import { eventVersion } from '#kernel/events/events.ts';
import type { Event } from '#kernel/events/events.ts';
import { encodeLine } from './line.ts';
import { scanJournal } from './scan.ts';
import type { Bed } from '#test/store/store-bed.ts';
import { createBed, dues, reached, runCreated } from '#test/store/store-bed.ts';

let bed: Bed;
beforeEach(() => {
  bed = createBed();
});
afterEach(() => bed.dispose());

const files = () => bed.paths.run('r');
const started = (epoch: number): Event => ({ at: 5, type: 'driver-started', epoch, driver: 'test' });

it('Appended events, several to a line, are returned to a second driver and to readers [D1]', async () => {
  await bed.run(0);
  const journal = await bed.open();
  await journal.append([started(1), reached(1), reached(2)], { sync: true });
  await journal.append([reached(3)], { sync: false });
  expect(dues((await bed.store.read('r')).events)).toEqual([1, 2, 3]);
  await journal.close();
  const again = await bed.open();
  expect(again.events).toEqual([runCreated('r'), started(1), reached(1), reached(2), reached(3)]);
  expect(again.notes).toEqual([]);
  await again.close();
  expect(readFileSync(files().journal, 'utf8').trimEnd().split('\n')).toHaveLength(3);
});

it('Appends that are not awaited keep their order', async () => {
  await bed.run(0);
  const journal = await bed.open();
  const all = Array.from({ length: 200 }, (_, n) => journal.append([reached(n)], { sync: n % 7 === 0 }));
  await Promise.all(all);
  await journal.close();
  expect(dues((await bed.store.read('r')).events)).toEqual(Array.from({ length: 200 }, (_, n) => n));
});

it('The mirror has every acknowledged line once it is closed', async () => {
  await bed.run(50);
  const json = (file: string, offset: number) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.slice(offset));
  expect(json(files().mirror, 65)).toEqual(json(files().journal, 9));
});

it('A journal that another driver wrote to refuses writes, and nothing is overwritten [Q4]', async () => {
  await bed.run(1);
  const journal = await bed.open();
  appendFileSync(files().journal, 'written by someone else\n');
  const before = readFileSync(files().journal);
  await expect(journal.append([reached(2)], { sync: true })).rejects.toMatchObject({
    code: 'another-driver-wrote',
  });
  await expect(journal.append([reached(3)], { sync: true })).rejects.toMatchObject({
    code: 'another-driver-wrote',
  });
  await journal.close();
  expect(readFileSync(files().journal)).toEqual(before);
});

it('A journal that was replaced or removed refuses writes [Q4]', async () => {
  await bed.run(1);
  const journal = await bed.open();
  const copy = `${files().journal}.copy`;
  copyFileSync(files().journal, copy);
  renameSync(copy, files().journal);
  await expect(journal.append([reached(2)], { sync: true })).rejects.toMatchObject({
    code: 'another-driver-wrote',
  });
  await journal.close();
});

it('An epoch that is not higher than the one on disk is refused [Q4]', async () => {
  await bed.run(0);
  const first = await bed.open();
  await first.append([started(2)], { sync: true });
  await first.close();
  const second = await bed.open();
  await expect(second.append([started(1)], { sync: true })).rejects.toThrow('higher epoch than 2');
  await expect(second.append([started(2)], { sync: true })).rejects.toThrow('higher epoch than 2');
  await second.append([started(3)], { sync: true });
  await second.close();
  expect(await scanJournal(files().journal)).toMatchObject({ epoch: 3, problem: null });
});

it('An event of a newer version is refused in one clear sentence, and nothing changes', async () => {
  await bed.run(1);
  const json = JSON.stringify({
    v: eventVersion + 1,
    seq: 3,
    epoch: 0,
    events: [{ at: 1, type: 'never-heard-of' }],
  });
  appendFileSync(files().journal, encodeLine(Buffer.from(json)));
  const before = readFileSync(files().journal);
  for (const work of [() => bed.open(), () => bed.store.read('r')]) {
    await expect(work()).rejects.toMatchObject({
      name: 'OperatorError',
      code: 'journal-too-new',
      message: expect.stringContaining('written by a newer untildone') as string,
      hint: expect.stringContaining('or a later one') as string,
    });
  }
  expect(readFileSync(files().journal)).toEqual(before);
});

it('An unknown event is refused, never skipped', async () => {
  await bed.run(1);
  const json = JSON.stringify({
    v: eventVersion,
    seq: 3,
    epoch: 0,
    events: [{ at: 1, type: 'never-heard-of' }],
  });
  appendFileSync(files().journal, encodeLine(Buffer.from(json)));
  await expect(bed.store.read('r')).rejects.toMatchObject({ code: 'journal-unreadable' });
});

it('Lines longer than a chunk, and many lines that end anywhere in one, are read', async () => {
  await bed.run(0);
  const journal = await bed.open();
  const texts = [1, 3_000_000, 5, 1_048_576, 1_048_500, 70_000].map((size, n) => `${n}-${'ü'.repeat(size)}`);
  for (const reason of texts) await journal.append([{ at: 2, type: 'driver-left', reason }], { sync: false });
  await journal.close();
  const { events } = await bed.store.read('r');
  const found = events.flatMap((event) => (event.type === 'driver-left' ? [event.reason] : []));
  expect(found.map((text) => text.length)).toEqual(texts.map((text) => text.length));
  expect(found.every((text, n) => text === texts[n])).toBe(true);
});

it('A journal of format 1 stays readable as it was written', async () => {
  const fixture = readFileSync(join(import.meta.dirname, 'fixtures', 'journal-v1.jsonl'));
  mkdirSync(files().folder, { recursive: true });
  writeFileSync(files().journal, fixture);
  const { events, notes } = await bed.store.read('r');
  expect(notes).toEqual([]);
  expect(events.map((event) => event.type)).toEqual([
    'run-created',
    'task-added',
    'driver-started',
    'step-started',
    'control-received',
    'control-applied',
    'step-lost',
    'driver-left',
    'driver-started',
    'run-ended',
  ]);
  expect(replay(events)).toMatchObject({ id: 'r', epoch: 2, outcome: { outcome: 'stopped' } });
  const journal = await bed.open();
  await journal.close();
  expect(journal.events).toEqual(events);
  expect(readFileSync(files().journal)).toEqual(fixture);
});

it('Only the owner can read the authority', async () => {
  await bed.run(1);
  const journal = await bed.open();
  for (const folder of [bed.paths.root, files().folder, files().inbox, files().receipts, files().taken]) {
    expect([folder, statSync(folder).mode & 0o777]).toEqual([folder, 0o700]);
  }
  for (const file of [files().journal, files().lock, files().holder, bed.paths.mirrorKey]) {
    expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600]);
  }
  await journal.close();
});
