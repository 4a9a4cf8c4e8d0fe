import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { canMount, whereMounted } from '#test/file-system.ts';
import { createInbox } from '#adapters/store/inbox/inbox.ts';
import type { Bed } from '#test/store/store-bed.ts';
import { createBed, dues, reached, runCreated, startChild, succeeds } from '#test/store/store-bed.ts';

let bed: Bed;
let state: string;
let isMounted = false;
beforeEach(() => {
  bed = createBed();
  state = join(bed.folder, 'state');
});
afterEach(() => {
  if (isMounted) succeeds('umount', '--lazy', state);
  isMounted = false;
  bed.dispose();
});

function mount(options: string): void {
  mkdirSync(state, { recursive: true });
  const verb = isMounted ? `remount,${options}` : options;
  expect(succeeds('mount', '-t', 'tmpfs', '-o', verb, 'tmpfs', state)).toBe(true);
  isMounted = true;
}

const bulk = (n: number) => [reached(n), { at: 1, type: 'driver-left', reason: 'x'.repeat(700) } as const];

it.runIf(canMount)(
  `A full disk refuses writes and loses nothing, and writing continues when there is space again, ${whereMounted} [X6]`,
  async () => {
    mount('size=100k');
    await bed.run(0);
    const journal = await bed.open();
    let acknowledged = 0;
    const fill = async () => {
      for (;;) {
        await journal.append(bulk(acknowledged + 1), { sync: true });
        acknowledged += 1;
      }
    };
    await expect(fill()).rejects.toMatchObject({
      name: 'OperatorError',
      code: 'disk-full',
      hint: expect.stringContaining('Free some space') as string,
    });
    await expect(journal.append(bulk(0), { sync: true })).rejects.toMatchObject({ code: 'disk-full' });
    await journal.close();
    expect(() => writeFileSync(join(state, 'rest'), 'x'.repeat(100_000))).toThrow('ENOSPC');
    const all = Array.from({ length: acknowledged }, (_, n) => n + 1);
    expect(all.length).toBeGreaterThan(10);
    expect(dues((await bed.store.read('r')).events)).toEqual(all);
    await expect(bed.store.create('another', [runCreated('another'), ...bulk(1)])).rejects.toMatchObject({
      code: 'disk-full',
    });
    const inbox = createInbox({
      run: bed.paths.run('r'),
      control: bed.paths.control,
      since: 0,
      judge: () => null,
    });
    const dropped = inbox.drop({ id: 'a', by: 'me', control: { kind: 'tell', text: 'x' } });
    await expect(dropped).rejects.toMatchObject({ code: 'disk-full' });
    expect(await inbox.take()).toEqual([]);
    expect(await bed.store.list()).toEqual(['r']);

    mount('size=2m');
    const again = await bed.open();
    expect(dues(again.events)).toEqual(all);
    await again.append(bulk(acknowledged + 1), { sync: true });
    await again.close();
    expect(dues((await bed.store.read('r')).events)).toEqual([...all, acknowledged + 1]);
  },
);

it('Writes past a limit on file sizes are refused, and acknowledged events are kept [X6]', async () => {
  await bed.run(0);
  const child = startChild(
    bed.folder,
    `const journal = await bed.open();
     for (let n = 1; n < 500; n += 1) {
       try {
         await journal.append([reached(n), { at: 1, type: 'driver-left', reason: 'x'.repeat(300) }], { sync: true });
       } catch (error) {
         say(error.name + ' ' + error.code);
         break;
       }
       say(String(n));
     }
     await journal.close();
     say(bed.notes.join());`,
    ['sh', '-c', 'ulimit -f 64; exec "$@"', 'sh'],
  );
  const said = await child.rest();
  const note = said.pop() ?? '';
  expect(said.pop()).toBe('OperatorError disk-full');
  expect(note).toContain('continues without it');
  const acknowledged = said.map(Number);
  expect(acknowledged.length).toBeGreaterThan(10);
  expect(dues((await bed.store.read('r')).events)).toEqual(acknowledged);
  const journal = await bed.open();
  expect(dues(journal.events)).toEqual(acknowledged);
  await journal.append([reached(0)], { sync: true });
  await journal.close();
});

it.runIf(canMount)(
  `A read-only disk can be read and listed, and refuses the rest in one sentence, ${whereMounted} [X6]`,
  async () => {
    mount('size=1m');
    await bed.run(2);
    mount('ro');
    expect(await bed.store.list()).toEqual(['r']);
    expect(dues((await bed.store.read('r')).events)).toEqual([1, 2]);
    const inbox = createInbox({
      run: bed.paths.run('r'),
      control: bed.paths.control,
      since: 0,
      judge: () => null,
    });
    // Another state folder helps a run that is not there yet; with it, one that is could not be found.
    const works: [() => Promise<unknown>, string][] = [
      [() => bed.store.create('another', [runCreated('another')]), 'set XDG_STATE_HOME'],
      [() => bed.store.open('r'), 'then continue with `untildone resume`'],
      [
        () => inbox.drop({ id: 'a', by: 'me', control: { kind: 'tell', text: 'x' } }),
        'then continue with `untildone resume`',
      ],
    ];
    for (const [work, hint] of works) {
      await expect(work()).rejects.toMatchObject({
        name: 'OperatorError',
        code: 'not-writable',
        message: expect.stringContaining('read-only') as string,
        hint: expect.stringContaining(hint) as string,
      });
    }
  },
);

it('A file in the place of the state folder is refused in one sentence [X6]', async () => {
  writeFileSync(state, '');
  await expect(bed.store.create('r', [runCreated('r')])).rejects.toMatchObject({
    name: 'OperatorError',
    code: 'write-failed',
  });
});
