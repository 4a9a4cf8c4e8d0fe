// Files that `clean` must not remove without permission: uncommitted files in a run's worktree, or work kept under
// its refs.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProof } from '#app/prove/find-proof.ts';
import { landProof } from '#app/land/land.ts';
import type { Bed, Life } from '#test/app/proof-bed.ts';
import { builds, keepBeds, liveThrough, passes } from '#test/app/proof-bed.ts';
import { loadRun, runPathsOf, worktreeOf } from '#app/site.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { CleanReport } from './clean-runs.ts';
import { cleanRuns } from './clean-runs.ts';
import { refuseCleaned } from './refuse-cleaned.ts';

const beds = keepBeds();
let idle: Life;
let partly: Life;

beforeAll(async () => {
  const once = ['attempts=1'];
  // A builder that changes nothing, and a setup that leaves files which no ignore file names.
  const flags = {
    check: ['grep -q right done.txt'],
    budget: once,
    setup: 'mkdir -p made && echo 1 > made/by-setup',
  };
  idle = beds.keep(await liveThrough({ turns: [builds(), passes], flags }));
  const check = (name: string): string => `- [ ] ${name} is there (check: grep -q ${name} ${name}.txt)`;
  const tasks = `# Task 1: alpha\n${check('alpha')}\n\n# Task 2: beta\n${check('beta')}\n`;
  partly = beds.keep(
    await liveThrough({
      files: { 'tasks.md': tasks },
      goal: 'tasks.md',
      turns: [
        builds({ write: { path: 'alpha.txt', text: 'alpha\n' } }),
        passes,
        builds({ write: { path: 'half-of-beta.txt', text: 'half\n' } }),
        passes,
      ],
      flags: { preset: 'queue', budget: once },
    }),
  );
});
afterAll(() => beds.remove());

async function clean(bed: Bed, withUnlanded = false): Promise<CleanReport> {
  const order = { runId: null, olderMs: null, onlyLanded: false, withUnlanded, isDryRun: false };
  return cleanRuns(await bed.site(), order);
}

async function landUnproven(bed: Bed, { run }: Life, isKept: boolean): Promise<void> {
  const site = await bed.site();
  const order = { branch: 'main', mode: 'ff', isUnproven: true, isKept } as const;
  const proof = await findProof(site, run.id);
  await landProof(site, { proof, ...order }, { signal: AbortSignal.timeout(600_000) });
}

describe('Files in the worktree of a run', () => {
  it('Clean keeps a run as long as its worktree has a file that is in no commit, and names the file', async () => {
    const bed = beds.keep(idle.copy());
    const worktree = worktreeOf(await bed.site(), idle.run.id);
    expect(idle.run.outcome?.outcome).toBe('exhausted');
    expect(existsSync(join(worktree, 'made', 'by-setup'))).toBe(true);
    for (const [path, text] of [
      ['hand.txt', 'by hand\n'],
      ['README.md', 'changed by hand\n'],
    ] as const) {
      writeFileSync(join(worktree, path), text);
      const { kept, removed } = await clean(bed);
      expect(removed).toEqual([]);
      expect(kept).toEqual([
        {
          runId: idle.run.id,
          why: `its worktree ${worktree} has files that are in no commit (${path})`,
          next: `untildone clean ${idle.run.id} --unlanded`,
        },
      ]);
      expect(existsSync(join(worktree, path))).toBe(true);
      rmSync(join(worktree, path));
    }
    expect((await clean(bed)).removed).toHaveLength(1);
    expect(existsSync(dirname(dirname(worktree)))).toBe(false);
  });

  it('Clean removes the files of a worktree that are in no commit when asked to', async () => {
    const bed = beds.keep(idle.copy());
    const worktree = worktreeOf(await bed.site(), idle.run.id);
    writeFileSync(join(worktree, 'hand.txt'), 'by hand\n');
    expect((await clean(bed, true)).removed).toHaveLength(1);
    expect(existsSync(worktree)).toBe(false);
  });

  it('Clean keeps a run whose worktree cannot be read, and says why', async () => {
    const bed = beds.keep(idle.copy());
    const site = await bed.site();
    writeFileSync(join(runPathsOf(site, idle.run.id).folder, 'index'), 'no index');
    const { kept, removed } = await clean(bed);
    expect(removed).toEqual([]);
    expect(kept[0]?.why).toMatch(/^its worktree \S+ cannot be read \(/);
    expect(existsSync(worktreeOf(site, idle.run.id))).toBe(true);
  });
});

describe('A partly landed run', () => {
  it('Clean keeps the files of an unfinished task in its worktree until the user asks to remove them', async () => {
    const bed = beds.keep(partly.copy());
    expect([...partly.run.tasks.values()].map(({ status }) => status.is)).toEqual(['landed', 'failed']);
    await landUnproven(bed, partly, true);
    expect(bed.git('show', 'main:alpha.txt')).toBe('alpha');
    const { kept, removed } = await clean(bed);
    expect(removed).toEqual([]);
    expect(kept).toEqual([
      {
        runId: partly.run.id,
        why: 'it left work that was never committed',
        next: `untildone clean ${partly.run.id} --unlanded`,
      },
    ]);
    expect((await clean(bed, true)).removed).toHaveLength(1);
  });

  it('Clean keeps the files of an unfinished task after land removed the worktree', async () => {
    const bed = beds.keep(partly.copy());
    const worktree = worktreeOf(await bed.site(), partly.run.id);
    await landUnproven(bed, partly, false);
    expect(existsSync(dirname(dirname(worktree)))).toBe(false);
    expect((await clean(bed)).kept[0]?.why).toBe('it left work that was never committed');
    bed.git('gc', '-q', '--prune=now');
    const tree = partly.run.tasks.get('task-2')?.workTree ?? '';
    expect(bed.git('show', `${tree}:half-of-beta.txt`)).toBe('half');
  });

  it('After a clean, the hint names verify only for a commit with a statement, and a branch only while it has the commit', async () => {
    const bed = beds.keep(partly.copy());
    await landUnproven(bed, partly, false);
    await clean(bed, true);
    const { id } = partly.run;
    const site = await bed.site();
    const commit = bed.git('rev-parse', 'main').slice(0, 12);
    const { run } = await loadRun(site, id);
    const hint = async (): Promise<string> =>
      refuseCleaned(site, run, 'its logs were removed').then(
        () => '',
        (error: unknown) => (error instanceof OperatorError ? error.hint : String(error)),
      );
    expect(await hint()).toBe(`Its work is on main at ${commit}. See what it did: untildone show ${id}`);
    bed.git('reset', '-q', '--hard', 'main~1');
    expect(await hint()).toBe(`See what it did: untildone show ${id}`);
  });

  it('Clean keeps a file that a person put into the worktree of a run before landing it', async () => {
    const bed = beds.keep(partly.copy());
    const site = await bed.site();
    writeFileSync(join(worktreeOf(site, partly.run.id), 'hand.txt'), 'by hand\n');
    await landUnproven(bed, partly, false);
    expect((await clean(bed)).removed).toEqual([]);
    expect(bed.git('show', `refs/untildone/${partly.run.id}/released:hand.txt`)).toBe('by hand');
  });
});
