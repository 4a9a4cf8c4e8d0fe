import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apply, replay } from '#kernel/fold/apply.ts';
import type { Event } from '#kernel/events/events.ts';
import type { Journal } from '#ports/store.ts';
import { commandCriterion, playRun, simulatedTask } from '#test/simulated/simulated-run.ts';
import { storePaths } from './paths.ts';
import { createSnapshots, readSnapshot } from './snapshot.ts';
import { createEmbeddedStore } from './store.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'untildone-snapshot-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function someEvents(): readonly Event[] {
  const criteria = [commandCriterion('works')];
  const played = playRun({
    tasks: [simulatedTask('a', { criteria }), simulatedTask('b', { dependsOn: ['a'] })],
  });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  played.endSession(played.beginOne(), { endTree: 'work' });
  played.beginOne();
  return played.events;
}

async function opened(events: readonly Event[]) {
  const paths = storePaths({
    stateHome: folder,
    commonDir: join(folder, 'git'),
    repoId: 'r',
    viewsRoot: folder,
  });
  const store = createEmbeddedStore(paths);
  await store.create('run', events.slice(0, 3));
  const journal = (await store.open('run')) as Journal;
  return { store, journal, file: paths.run('run').snapshot, journalFile: paths.run('run').journal };
}

describe('a snapshot', () => {
  it('A snapshot with the later events gives the same run as a whole replay', async () => {
    const events = someEvents();
    const { store, journal, file } = await opened(events);
    await journal.append(events.slice(3, 6), { sync: false });
    const snapshots = createSnapshots(file);
    snapshots.save(replay(events.slice(0, 6)), journal.position());
    await snapshots.close();
    for (const event of events.slice(6)) await journal.append([event], { sync: false });
    await journal.close();
    const snapshot = await readSnapshot(file);
    const since = snapshot === null ? null : await store.readAfter('run', snapshot.position);
    expect(since).toEqual(events.slice(6));
    for (const event of since ?? []) if (snapshot !== null) apply(snapshot.run, event);
    expect(snapshot?.run).toEqual(replay(events));
    expect([...(snapshot?.run.queue.active ?? [])][0]).toBe(snapshot?.run.tasks.get('a'));
  });

  it('A snapshot that is damaged, cut or of another format is not used', async () => {
    const events = someEvents();
    const { journal, file } = await opened(events);
    const snapshots = createSnapshots(file);
    snapshots.save(replay(events), journal.position());
    await snapshots.close();
    await journal.close();
    const bytes = readFileSync(file);
    for (const at of [0, 5, Math.floor(bytes.length / 2), bytes.length - 1]) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 0x20;
      writeFileSync(file, flipped);
      expect(await readSnapshot(file)).toBeNull();
    }
    writeFileSync(file, bytes.subarray(0, 30));
    expect(await readSnapshot(file)).toBeNull();
  });

  it('A snapshot that another version of the program wrote is not used [D1]', async () => {
    const file = join(folder, 'snapshot');
    const snapshots = createSnapshots(file);
    snapshots.save(replay(someEvents()), { bytes: 1, seq: 1 });
    await snapshots.close();
    const known = deserialize(readFileSync(file).subarray(4)) as { readonly make: string };
    const write = (make: string): void => {
      const body = serialize({ ...known, make });
      const sum = Buffer.alloc(4);
      sum.writeUInt32BE(crc32(body));
      writeFileSync(file, Buffer.concat([sum, body]));
    };
    write(known.make);
    expect(await readSnapshot(file)).not.toBeNull();
    write(`${known.make},more`);
    expect(await readSnapshot(file)).toBeNull();
  });

  it('A snapshot of a journal that is shorter or damaged since then is not used: the whole journal is read', async () => {
    const events = someEvents();
    const { store, journal, journalFile } = await opened(events);
    await journal.append(events.slice(3), { sync: false });
    const position = journal.position();
    await journal.close();
    expect(await store.readAfter('run', { ...position, bytes: position.bytes + 1 })).toBeNull();
    expect(await store.readAfter('run', position)).toEqual([]);
    writeFileSync(journalFile, 'not a line\n', { flag: 'a' });
    expect(await store.readAfter('run', position)).toBeNull();
  });
});
