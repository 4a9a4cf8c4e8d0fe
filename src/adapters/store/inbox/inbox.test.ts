import { mkdirSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Control, ControlRequest } from '#kernel/events/control.ts';
import type { Inbox } from '#ports/inbox.ts';
import { createInbox } from './inbox.ts';
import type { Bed } from '#test/store/store-bed.ts';
import { createBed, runCreated, startChild } from '#test/store/store-bed.ts';

let bed: Bed;
let notes: string[] = [];
beforeEach(async () => {
  bed = createBed();
  notes = [];
  await bed.run(0);
});
afterEach(() => bed.dispose());

const files = () => bed.paths.run('r');
const tell = (id: string): ControlRequest => ({ id, by: 'me', control: { kind: 'tell', text: id } });
const ids = (requests: readonly ControlRequest[]) => requests.map((request) => request.id);

function inboxOf(runId = 'r', since = 0): Inbox {
  const { control } = bed.paths;
  const onNote = (text: string) => notes.push(text);
  return createInbox({ run: bed.paths.run(runId), control, since, onNote, judge: () => null });
}

/** What a driver does with its inbox; the same lines run in the children below. */
const takeAll = `
  const { createInbox } = await import('#adapters/store/inbox/inbox.ts');
  const inbox = createInbox({ run: bed.paths.run('r'), control: bed.paths.control, since: 0 });
  const die = (place) => place === dieAt && process.kill(process.pid, 'SIGKILL');
  die('before');
  const journal = await bed.open();
  const known = new Set(journal.events.flatMap((event) => (event.type === 'control-received' ? [event.id] : [])));
  for (const { id, by, control } of await inbox.take()) {
    die('taken');
    if (!known.has(id)) await journal.append([{ at: 1, type: 'control-received', id, by, control }], { sync: true });
    die('recorded');
    await inbox.settle(id);
    die('settled');
  }
  await journal.close();`;

async function driverThatDies(dieAt: string): Promise<void> {
  await startChild(bed.folder, `const dieAt = ${JSON.stringify(dieAt)};${takeAll}`).rest();
}

it('The inbox delivers controls once, oldest first, and drops them when they are settled [Q5]', async () => {
  const [sender, driver] = [inboxOf(), inboxOf()];
  for (const id of ['b', 'c', 'a']) await sender.drop(tell(id));
  expect(await driver.take()).toEqual([tell('b'), tell('c'), tell('a')]);
  expect(await driver.take()).toEqual([]);
  await driver.settle('b');
  await driver.settle('c');
  await driver.settle('never taken');
  expect(ids(await inboxOf().take())).toEqual(['a']);
  expect(readdirSync(files().inbox)).toEqual([]);
  expect(readdirSync(files().taken)).toHaveLength(1);
});

it.each(['before', 'taken', 'recorded', 'settled'])(
  'A control is delivered exactly once when the driver is killed at "%s" [Q5]',
  async (place) => {
    for (const id of ['one', 'two']) await inboxOf().drop(tell(id));
    await driverThatDies(place);
    await driverThatDies(place);
    await driverThatDies('nowhere');
    const { events } = await bed.store.read('r');
    const received = events.flatMap((event) => (event.type === 'control-received' ? [event.id] : []));
    expect(received).toEqual(['one', 'two']);
    expect([readdirSync(files().inbox), readdirSync(files().taken)]).toEqual([[], []]);
  },
);

it('A control that was dropped twice under one id is delivered once [Q5]', async () => {
  const driver = inboxOf();
  await driver.drop(tell('same'));
  await driver.drop(tell('same'));
  expect(ids(await driver.take())).toEqual(['same']);
  await driver.drop(tell('same'));
  expect(ids(await driver.take())).toEqual([]);
  await driver.settle('same');
  expect(readdirSync(files().taken)).toEqual([]);
});

it('No control is lost when many processes drop controls while a driver reads [Q5]', async () => {
  const senders = Array.from({ length: 3 }, (_, sender) =>
    startChild(
      bed.folder,
      `const { createInbox } = await import('#adapters/store/inbox/inbox.ts');
       const inbox = createInbox({ run: bed.paths.run('r'), control: bed.paths.control, since: 0 });
       for (let n = 0; n < 30; n += 1) {
         await inbox.drop({ id: '${sender}-' + n, by: 'me', control: { kind: 'pause', why: '' } });
       }`,
    ).rest(),
  );
  const driver = inboxOf();
  const taken: string[] = [];
  let isOver = false;
  const over = Promise.all(senders).then(() => (isOver = true));
  for (let rounds = 0; !isOver || rounds === 0; rounds += 1) {
    for (const { id } of await driver.take()) {
      taken.push(id);
      await driver.settle(id);
    }
  }
  await over;
  taken.push(...ids(await driver.take()));
  expect(new Set(taken).size).toBe(90);
  expect(taken).toHaveLength(90);
  for (const sender of ['0', '1', '2']) {
    const own = taken.filter((id) => id.startsWith(`${sender}-`));
    expect(own).toEqual(own.map((_, n) => `${sender}-${n}`));
  }
});

it('The inbox sets garbage aside with a note, ignores unfinished files, and continues [Q5]', async () => {
  const garbage: readonly (readonly [string, string])[] = [
    ['1-empty.json', ''],
    ['2-half.json', '{"id":"x","by":"me","contr'],
    ['3-array.json', '[]'],
    ['4-no-control.json', '{"id":"x","by":"me"}'],
    ['5-unknown.json', '{"id":"x","by":"me","control":{"kind":"__proto__"}}'],
    ['6-field.json', '{"id":"x","by":"me","control":{"kind":"stop","now":"yes","why":""}}'],
    ['7-huge.json', JSON.stringify(tell('x'.repeat(2_000_000)))],
    ['8-name', 'no suffix'],
  ];
  for (const [name, text] of garbage) writeFileSync(join(files().inbox, name), text);
  mkdirSync(join(files().inbox, '9-folder.json'));
  writeFileSync(join(bed.folder, 'elsewhere'), JSON.stringify(tell('linked')));
  symlinkSync(join(bed.folder, 'elsewhere'), join(files().inbox, '91-link.json'));
  writeFileSync(join(files().inbox, '.unfinished.json'), '{"id":');
  const driver = inboxOf();
  await driver.drop(tell('good'));
  expect(ids(await driver.take())).toEqual(['good']);
  expect(notes).toHaveLength(garbage.length + 2);
  expect(readdirSync(files().aside)).toHaveLength(garbage.length + 2);
  expect(readdirSync(files().inbox)).toEqual(['.unfinished.json']);
  expect(ids(await inboxOf().take())).toEqual(['good']);
});

it('The inbox accepts every kind of control', async () => {
  const controls: readonly Control[] = [
    { kind: 'pause', why: '' },
    { kind: 'resume' },
    { kind: 'resume', budget: {} },
    { kind: 'resume', setup: 'npm install' },
    { kind: 'resume', setup: false },
    { kind: 'stop', now: true, why: '' },
    { kind: 'tell', text: '' },
    { kind: 'skip', taskId: 't', why: '' },
    { kind: 'retry', taskId: 't' },
    { kind: 'answer', questionId: 'q', text: '' },
    { kind: 'approve', taskId: 't', criterionId: 'c', tree: '' },
    { kind: 'reject', taskId: 't', criterionId: 'c', tree: '', why: '' },
    { kind: 'add-task', task: { id: 't' } as never },
  ];
  const driver = inboxOf();
  for (const [n, control] of controls.entries()) await driver.drop({ id: String(n), by: 'me', control });
  expect((await driver.take()).map((request) => request.control)).toEqual(controls);
});

it('A control for a run that does not exist is refused, and no folder is made for it', async () => {
  await expect(inboxOf('nope').drop(tell('a'))).rejects.toMatchObject({ code: 'no-such-run' });
  expect(await bed.store.list()).toEqual(['r']);
});

it('The inbox calls back when a control arrives, and no more once it is stopped', async () => {
  const inbox = inboxOf();
  let calls = 0;
  let ring: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => (ring = resolve));
  const stop = inbox.watch(() => {
    calls += 1;
    ring();
  });
  await inbox.drop(tell('a'));
  await arrived;
  stop();
  const before = calls;
  await inbox.drop(tell('b'));
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(calls).toBe(before);
});

it('The inbox notices controls by polling if watching does not work', async () => {
  mkdirSync(join(bed.folder, 'checkout'), { recursive: true });
  let ring: (text: string) => void = () => undefined;
  const arrived = new Promise<string>((resolve) => (ring = resolve));
  const stop = inboxOf().watch(() => ring('noticed'));
  // The folder did not exist when the watching began, so only the second look can find it.
  mkdirSync(bed.paths.control, { recursive: true });
  writeFileSync(join(bed.paths.control, 'pause'), '');
  expect(await arrived).toBe('noticed');
  stop();
});

describe('touching .untildone/control', () => {
  const touch = (name: string, atMs: number) => {
    mkdirSync(bed.paths.control, { recursive: true });
    writeFileSync(join(bed.paths.control, name), '');
    utimesSync(join(bed.paths.control, name), atMs / 1000, atMs / 1000);
  };

  it('A touch reaches every run of the repository once, and the file stays [Q5]', async () => {
    await bed.store.create('other', [runCreated('other')]);
    const drivers = [inboxOf('r', 5000), inboxOf('other', 5000)];
    touch('pause', 6000);
    for (const driver of drivers) {
      const [request, ...more] = await driver.take();
      expect(request?.control).toEqual({ kind: 'pause', why: 'control/pause was touched' });
      expect(more).toEqual([]);
      await driver.settle(request?.id ?? '');
      expect(await driver.take()).toEqual([]);
    }
    expect(statSync(join(bed.paths.control, 'pause')).isFile()).toBe(true);
    touch('pause', 7000);
    for (const driver of drivers) expect(await driver.take()).toHaveLength(1);
  });

  it('A touch does not reach a driver that started later [Q5]', async () => {
    touch('stop', 6000);
    expect(await inboxOf('r', 6000).take()).toEqual([]);
    expect(await inboxOf('r', 7000).take()).toEqual([]);
  });

  it('The same touch has the same id, so that a journal recognises it [Q5]', async () => {
    touch('stop', 6000);
    const [first, second] = [await inboxOf().take(), await inboxOf().take()];
    expect(ids(first)).toEqual(ids(second));
    expect(first[0]?.control).toMatchObject({ kind: 'stop', now: false });
  });

  it('A touch gives no other controls: it cannot approve [X12]', async () => {
    for (const name of ['approve', 'skip', 'resume', 'retry']) touch(name, 6000);
    expect(await inboxOf().take()).toEqual([]);
  });
});
