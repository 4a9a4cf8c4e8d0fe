// Wake files are hints: any content is read without harm, and a failed write loses nothing but the hint.
import { execFileSync } from 'node:child_process';
import { truncateSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createWakeEntry,
  noteWakeProblem,
  readWakeRecord,
  readWakeRecords,
  wakeFileOf,
  wakeFolder,
  type WakeRecord,
} from './wake-file.ts';
import type { AwaitedCondition } from '#kernel/waiting/condition.ts';

const known = { runId: 'run', repoId: 'repo', root: '/r', needs: ['KEY'], mayWake: true };
const awaited: AwaitedCondition[] = [
  {
    kind: 'suspension',
    suspensionId: 's',
    condition: { kind: 'all', of: [{ kind: 'time', at: 5 }, { kind: 'manual' }] },
    isApproved: false,
    since: 1,
  },
  { kind: 'reminder', suspensionId: 's', at: 9 },
  { kind: 'limit', at: 7 },
];
let home = '';

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'untildone-wake-'));
});

afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

async function save(over: Partial<typeof known> = {}): Promise<WakeRecord> {
  const entry = createWakeEntry(home, { ...known, ...over });
  entry.save({ awaited, waitingFor: 'later' });
  await entry.close();
  return { ...known, ...over, awaited, waitingFor: 'later' };
}

describe('wake records', () => {
  it('A wake record names the condition of a run, until the run waits for nothing [U2]', async () => {
    const record = await save();
    expect(await readWakeRecords(home)).toEqual([expect.objectContaining(record)]);
    const entry = createWakeEntry(home, known);
    entry.remove();
    await entry.close();
    expect(await readWakeRecords(home)).toEqual([]);
  });

  it('Of many wake records of a run the last one is kept, whole, in one file [U2]', async () => {
    const entry = createWakeEntry(home, known);
    for (let at = 1; at <= 50; at += 1) {
      if (at % 7 === 0) entry.remove();
      entry.save({ awaited: [{ kind: 'limit', at }], waitingFor: `until ${at}` });
    }
    await entry.close();
    expect(await readWakeRecords(home)).toMatchObject([{ waitingFor: 'until 50' }]);
    expect(await readdir(wakeFolder(home))).toHaveLength(1);
  });

  it('A wake record is found by its repository, and those of others are left out [U2]', async () => {
    await save();
    await save({ repoId: 'other' });
    expect((await readWakeRecords(home, 'other')).map(({ repoId }) => repoId)).toEqual(['other']);
    expect(await readWakeRecords(home)).toHaveLength(2);
  });

  it('A wake record that is garbage, cut, huge, of another version, a folder or a broken link is ignored [U2]', async () => {
    const good = await save();
    const text = await readFile(wakeFileOf(home, known), 'utf8');
    const value = JSON.parse(text) as { readonly [name: string]: unknown };
    const bad: { readonly [name: string]: string } = {
      garbage: '\0\xff{{{',
      empty: '',
      cut: text.slice(0, -20),
      list: '[]',
      nothing: 'null',
      huge: JSON.stringify({ ...value, waitingFor: 'x'.repeat(2 << 20) }),
      newer: JSON.stringify({ ...value, version: 2 }),
      unversioned: JSON.stringify({ ...value, version: undefined }),
      texts: JSON.stringify({ ...value, runId: 5 }),
      needs: JSON.stringify({ ...value, needs: 'KEY' }),
      unasked: JSON.stringify({ ...value, mayWake: 'yes' }),
      strange: JSON.stringify({ ...value, awaited: [{ kind: 'moon' }] }),
      timeless: JSON.stringify({ ...value, awaited: [{ kind: 'limit', at: 'soon' }] }),
      deep: JSON.stringify({
        ...value,
        awaited: [{ kind: 'suspension', suspensionId: 's', condition: { kind: 'any', of: [] } }],
      }),
    };
    for (const [name, content] of Object.entries(bad))
      await writeFile(join(wakeFolder(home), `repo.${name}.json`), content);
    await mkdir(join(wakeFolder(home), 'repo.folder.json'));
    await symlink('/nowhere', join(wakeFolder(home), 'repo.link.json'));
    await writeFile(join(wakeFolder(home), '.repo.half.json'), text);
    expect(await readWakeRecords(home)).toEqual([expect.objectContaining(good)]);
  });

  it('A wake record that is a pipe or takes gigabytes is ignored, and does not keep the reader waiting [U2]', async () => {
    const good = await save();
    execFileSync('mkfifo', [join(wakeFolder(home), 'repo.pipe.json')]);
    const large = join(wakeFolder(home), 'repo.large.json');
    await writeFile(large, '');
    // A sparse file: read whole, it would take that much memory.
    truncateSync(large, 2 ** 30);
    const before = process.memoryUsage().rss;
    expect(await readWakeRecords(home)).toEqual([expect.objectContaining(good)]);
    expect(process.memoryUsage().rss - before).toBeLessThan(2 ** 28);
  });

  it('A wake record says why its run was not woken, until the run waits again; a run without a record gets none [U2]', async () => {
    const record = await save();
    await noteWakeProblem(home, record, 'the key is missing');
    expect(await readWakeRecord(wakeFileOf(home, known))).toMatchObject({ problem: 'the key is missing' });
    await save();
    expect(await readWakeRecord(wakeFileOf(home, known))).not.toHaveProperty('problem');
    await rm(wakeFileOf(home, known));
    await noteWakeProblem(home, record, 'gone');
    expect(await readWakeRecords(home)).toEqual([]);
  });

  it('A wake record that cannot be written throws nothing, and reading finds none [U2]', async () => {
    await writeFile(join(home, 'untildone'), 'not a folder');
    await save();
    expect(await readWakeRecords(home)).toEqual([]);
  });
});
