// What `land` removes of the run it landed, and what it leaves.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startRun } from '#app/run/start-run.ts';
import { driveRun } from '#app/world.ts';
import { resolveRun } from '#config/resolve/resolve-run.ts';
import { dropControl } from '#app/controls/controls.ts';
import { findProof } from '#app/prove/find-proof.ts';
import type { LandOrder, Landing } from '#app/land/land.ts';
import { landProof } from '#app/land/land.ts';
import type { Bed, Life } from '#test/app/proof-bed.ts';
import { builds, keepBeds, liveThrough, passes } from '#test/app/proof-bed.ts';
import { recordLanding } from '#app/land/record-landing.ts';
import { loadRun, openStore, worktreeOf } from '#app/site.ts';
import { verifyProof } from '#app/prove/verify.ts';

const beds = keepBeds();
const signal = AbortSignal.timeout(600_000);
let life: Life;

beforeAll(async () => {
  const write = builds({ write: { path: 'done.txt', text: 'right\n' } });
  life = beds.keep(
    await liveThrough({ turns: [write, passes], flags: { check: ['grep -q right done.txt'] } }),
  );
});
afterAll(() => beds.remove());

async function land(
  bed: Bed,
  order: Partial<Omit<LandOrder, 'proof'>> = {},
  runId = life.run.id,
): Promise<{ landing: Landing; notes: string[] }> {
  const site = await bed.site();
  const notes: string[] = [];
  const wish = { branch: 'main', mode: 'ff', isUnproven: false, ...order } as const;
  const proof = await findProof(site, runId);
  return {
    landing: await landProof(site, { proof, ...wish }, { signal, onNote: (text) => notes.push(text) }),
    notes,
  };
}

const branchIn = (bed: Bed, { run } = life): string =>
  bed.git('for-each-ref', '--format=%(objectname)', `refs/heads/untildone/${run.id}`);
const keptIn = (bed: Bed): string => bed.git('for-each-ref', `refs/untildone/${life.run.id}`);

it('Land removes the branch of the run and keeps its proof refs, and a second land changes nothing [X17]', async () => {
  const bed = beds.keep(life.copy());
  const kept = keptIn(bed);
  expect((await land(bed)).landing).toMatchObject({ kind: 'landed', removed: ['branch'] });
  expect([branchIn(bed), keptIn(bed)]).toEqual(['', kept]);
  expect((await land(bed)).landing).toMatchObject({ kind: 'there already', removed: [] });
  const site = await bed.site();
  const seen = await verifyProof(site, await findProof(site, life.run.id), { signal });
  expect(seen?.isProven).toBe(true);
});

it('Land leaves branch and worktree when the user asks to keep them', async () => {
  const bed = beds.keep(life.copy());
  const { landing } = await land(bed, { isKept: true });
  expect(landing).not.toHaveProperty('removed');
  expect(branchIn(bed)).toBe(life.run.tip?.commit);
});

it('A land that was killed before it removed the branch is finished by the next one', async () => {
  const bed = beds.keep(life.copy());
  const commit = life.run.tip?.commit ?? '';
  bed.git('merge', '-q', '--ff-only', commit);
  const how = { how: 'fast-forward', target: 'main', commit, by: 'ann', isProven: true };
  await recordLanding(await bed.site(), life.run.id, how);
  expect((await land(bed)).landing).toMatchObject({ kind: 'there already', removed: ['branch'] });
  expect(branchIn(bed)).toBe('');
  expect((await loadRun(await bed.site(), life.run.id)).run.landings).toHaveLength(1);
});

it('Squashed commits stay reachable for git and can be landed on a second branch', async () => {
  const bed = beds.keep(life.copy());
  bed.git('branch', 'release');
  await land(bed, { mode: 'squash' });
  expect(branchIn(bed)).toBe('');
  bed.git('reflog', 'expire', '--expire=now', '--all');
  bed.git('gc', '-q', '--prune=now');
  expect(bed.git('cat-file', '-t', life.run.tip?.commit ?? '')).toBe('commit');
  expect((await land(bed, { branch: 'release' })).landing).toMatchObject({ kind: 'landed' });
  expect(bed.git('show', 'release:done.txt')).toBe('right');
});

it('Land leaves a branch that moved, one that is checked out, and a run that another process holds, and says so', async () => {
  const moved = beds.keep(life.copy());
  moved.git('branch', '-f', `untildone/${life.run.id}`, 'main');
  const first = await land(moved);
  expect(first.landing).toMatchObject({ kind: 'landed', removed: [] });
  expect(first.notes.join()).toMatch(/The branch untildone\/\S+ stays: it has moved to /);
  const checkedOut = beds.keep(life.copy());
  checkedOut.git('switch', '-q', `untildone/${life.run.id}`);
  const second = await land(checkedOut);
  expect(second.notes.join()).toMatch(/stays: it is checked out at /);
  expect(checkedOut.git('status', '--porcelain')).toBe('');
  const held = beds.keep(life.copy());
  const journal = await openStore(await held.site()).open(life.run.id);
  const third = await land(held);
  if ('close' in journal) await journal.close();
  expect(third.landing).toMatchObject({ kind: 'landed', removed: [] });
  expect(third.notes.join()).toContain('Another process holds the run');
  expect(branchIn(held)).toBe(life.run.tip?.commit);
}, 60_000);

it('A run that was landed without proof keeps its uncommitted files and can be reopened', async () => {
  const turns = [
    builds({ write: { path: 'one.txt', text: 'one\n' } }),
    passes,
    builds({ write: { path: 'two.txt', text: 'wrong\n' } }),
    builds({ write: { path: 'two.txt', text: 'two\n' } }),
    passes,
  ];
  const bed = beds.keep(life.copy());
  const check = (name: string): string => `- [ ] ${name} is there (check: grep -q ${name} ${name}.txt)`;
  bed.write('tasks.md', `# Task 1: one\n${check('one')}\n\n# Task 2: two\n${check('two')}\n`);
  bed.commit('tasks');
  const script = join(bed.folder, 'two.json');
  writeFileSync(script, JSON.stringify({ turns }));
  const site = await bed.site();
  const flags = { preset: 'queue', agent: [`scripted:${script}`], cooldown: '0', budget: ['attempts=1'] };
  const runId = await startRun(site, await resolveRun(site, { goal: 'tasks.md', flags, sanityCheck: false }));
  const drive = () => driveRun(site, runId, { observers: [], leaveWhenParked: () => true, signal });
  await drive();
  expect((await loadRun(site, runId)).run.outcome?.outcome).toBe('exhausted');
  expect(existsSync(worktreeOf(site, runId))).toBe(true);
  writeFileSync(join(worktreeOf(site, runId), 'left.txt'), 'left\n');
  const { landing } = await land(bed, { isUnproven: true }, runId);
  expect(landing).toMatchObject({ kind: 'landed', removed: ['branch', 'worktree'] });
  expect(bed.git('show', `refs/untildone/${runId}/released:left.txt`)).toBe('left');
  expect(existsSync(worktreeOf(site, runId))).toBe(false);
  expect(bed.git('worktree', 'list').split('\n')).toHaveLength(1);
  await dropControl(site, runId, { kind: 'retry', taskId: 'task-2' });
  await drive();
  const { run } = await loadRun(site, runId);
  expect(run.outcome?.outcome).toBe('completed');
  expect(bed.git('show', `untildone/${run.id}:two.txt`)).toBe('two');
}, 120_000);
