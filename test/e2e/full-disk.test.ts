// A disk that refuses the files of a finished session: the run parks, and resume takes them without another session.
import { cpSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { canMount, mountMemory, unmount, whereMounted } from '../support/file-system.ts';
import { saysDone, seesFile, shellAgents } from './agents.ts';
import { eventsOf, sessionsOf } from './journal.ts';
import { newestRun, roles } from './looking.ts';
import type { Finished } from './package.ts';
import type { Place } from './place.ts';
import { makePlace } from './place.ts';
import { until } from './wait.ts';

const mounts: string[] = [];
const folders: string[] = [];
afterEach(() => {
  for (const folder of mounts.splice(0)) unmount(folder);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'untildone-disk-')));
  folders.push(folder);
  return folder;
}

function mount(folder: string, options: string): void {
  const verb = mounts.includes(folder) ? `remount,${options}` : options;
  mountMemory(folder, verb);
  if (!mounts.includes(folder)) mounts.push(folder);
}

/** The object store on a file system of its own. */
function mountObjects(place: Place, options: string): void {
  const objects = join(place.repo, '.git/objects');
  const kept = join(place.folder, 'objects');
  cpSync(objects, kept, { recursive: true });
  mount(objects, options);
  cpSync(kept, objects, { recursive: true });
}

/** What a builder writes at its start, once. */
const onePaid = 'builder\n';

/** The run command, with a builder that does this after its work. */
function runWith(place: Place, more: string): string[] {
  const builder = `echo builder >> '${place.folder}/paid'; echo right > done.txt; ${saysDone}; ${more}`;
  const verifier = `echo; echo "===VERIFIER_COMPLETE==="`;
  return ['run', 'do it', '--check', seesFile, ...shellAgents(place, { builder, verifier })];
}

function expectParked(place: Place, { code, stdout, stderr }: Finished, why: RegExp): void {
  expect({ code, stderr }).toEqual({ code: 6, stderr: '' });
  const parked = stdout.slice(stdout.indexOf('Parked:'));
  expect(parked).toMatch(/^Parked: The session \S+ has ended, but its files could not be stored: /);
  expect(parked).toMatch(why);
  expect(parked.trimEnd().split('\n').at(-1)).toBe(`Continue with: untildone resume ${newestRun(place)}`);
}

/** One builder was paid, and its work was taken as it had left it. */
async function expectAdopted(place: Place, given = {}): Promise<void> {
  const { code, stdout, stderr } = await place.untildone(['resume'], given);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('✅ Completed');
  expect(roles(place)).toEqual(['builder', 'verifier']);
  expect(sessionsOf(eventsOf(place))[0]?.result).toMatchObject({
    ending: { kind: 'finished' },
    signal: { kind: 'done' },
    endTree: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
  });
}

it.runIf(canMount)(
  `A run whose repository is on a full disk parks after the session, and pays for no second one, ${whereMounted} [D4] [X6]`,
  async () => {
    const place = makePlace();
    mountObjects(place, 'size=2m');
    const fill = 'head -c 4000000 /dev/urandom > large.bin';
    expectParked(place, await place.untildone(runWith(place, fill)), /No space left on device/);
    // Still full: it says so again.
    expectParked(place, await place.untildone(['resume']), /No space left on device/);
    mount(join(place.repo, '.git/objects'), 'size=64m');
    await expectAdopted(place);
    expect(place.read('paid')).toBe(onePaid);
    expect(place.git('cat-file', '-s', `untildone/${newestRun(place)}:large.bin`)).toBe('4000000');
  },
);

it.runIf(canMount)(
  `A run whose repository becomes read-only during the session parks, and pays for no second one, ${whereMounted} [D4] [X6]`,
  async () => {
    const place = makePlace();
    mountObjects(place, 'size=16m');
    const objects = join(place.repo, '.git/objects');
    const waits = `touch '${place.folder}/up'; while [ ! -e '${place.folder}/on' ]; do sleep 0.05; done`;
    const running = place.start(runWith(place, waits));
    await until('the builder has worked', () => readdirSync(place.folder).includes('up'));
    mount(objects, 'ro');
    place.write('on', '');
    expectParked(place, await running.ended, /Read-only file system/);
    mount(objects, 'rw');
    await expectAdopted(place);
    expect(place.read('paid')).toBe(onePaid);
  },
);

it.runIf(canMount)(
  `A session that fills the disk with everything on it is kept and not paid again, ${whereMounted} [D4] [X6]`,
  async () => {
    const [disk, outputDir] = [makeFolder(), makeFolder()];
    mount(disk, 'size=48m');
    const place = placeIn(disk);
    const fill = `head -c 1000000 /dev/urandom > large.bin; cat /dev/zero > '${disk}/fill' 2>/dev/null; true`;
    const full = await place.untildone(runWith(place, fill), { outputDir });
    expectParked(place, full, /no space left on device/i);
    rmSync(join(disk, 'fill'));
    await expectAdopted(place, { outputDir });
    expect(place.read('paid')).toBe(onePaid);
  },
);

it('A run whose repository takes no new objects parks after the session, and pays for no second one [D4] [X6]', async () => {
  const place = makePlace();
  const objects = join(place.repo, '.git/objects');
  const waits = `touch '${place.folder}/up'; while [ ! -e '${place.folder}/on' ]; do sleep 0.05; done`;
  const running = place.start(runWith(place, waits));
  await until('the builder has worked', () => readdirSync(place.folder).includes('up'));
  place.git('repack', '-adq');
  place.git('prune-packed', '-q');
  const blocked = blockedFolders(objects);
  for (const name of blocked) writeFileSync(join(objects, name), '');
  place.write('on', '');
  expectParked(place, await running.ended, /unable to create temporary file/);
  for (const name of blocked) rmSync(join(objects, name));
  await expectAdopted(place);
  expect(place.read('paid')).toBe(onePaid);
});

/** Where git would put a loose object. */
function blockedFolders(objects: string): string[] {
  const present = new Set(readdirSync(objects));
  return Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, '0')).filter(
    (name) => !present.has(name),
  );
}

function placeIn(folder: string): Place {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  try {
    return makePlace();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}
