// Runs of earlier versions, shown by the present program.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ensureRepoId } from '#adapters/store/repo-id.ts';
import { scanBytes } from '#adapters/store/journal/scan.ts';
import { replay } from '#kernel/fold/apply.ts';
import { recordedJournals } from '../journals/recorded.ts';
import { makePlace } from './place.ts';

it('Runs of earlier formats are listed, shown and counted, and their journals stay as they are [X5] [D5]', async () => {
  const place = makePlace();
  const root = join(place.stateHome, 'untildone', await ensureRepoId(join(place.repo, '.git')));
  const runs = recordedJournals().map(({ name, bytes }) => {
    const run = replay(scanBytes(bytes, name).events);
    const journal = join(root, run.id, 'journal.jsonl');
    mkdirSync(join(root, run.id), { recursive: true });
    writeFileSync(journal, bytes);
    return { run, journal, bytes };
  });
  const list = await place.untildone(['list', '--json']);
  expect([list.code, list.stderr]).toEqual([0, '']);
  const listed = JSON.parse(list.stdout) as { readonly runId: string; readonly outcome: string | null }[];
  expect(listed.map(({ runId }) => runId).toSorted()).toEqual(runs.map(({ run }) => run.id).toSorted());
  for (const { run } of runs) {
    expect(listed).toContainEqual(
      expect.objectContaining({ runId: run.id, outcome: run.outcome?.outcome ?? null }),
    );
    const show = await place.untildone(['show', run.id]);
    expect([run.id, show.code, show.stderr]).toEqual([run.id, 0, '']);
    expect(show.stdout).toContain(`${run.events}  `);
    const status = await place.untildone(['status', run.id, '--json']);
    expect([run.id, status.code, status.stderr]).toEqual([run.id, 0, '']);
    expect(JSON.parse(status.stdout)).toMatchObject({ runId: run.id, events: run.events });
  }
  expect((await place.untildone(['stats'])).code).toBe(0);
  for (const { journal, bytes } of runs) expect(readFileSync(journal).equals(bytes)).toBe(true);
});
