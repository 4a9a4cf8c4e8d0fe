// What `clean` removes and what it always keeps, on real repositories and with real processes that are killed.
import { execFile, spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dropControl } from '#app/controls/controls.ts';
import { findProof } from '#app/prove/find-proof.ts';
import { exportProof } from '#app/prove/keep-proof.ts';
import { landProof } from '#app/land/land.ts';
import type { Bed, Life } from '#test/app/proof-bed.ts';
import { builds, keepBeds, liveThrough, passes } from '#test/app/proof-bed.ts';
import { loadRun, openStore, pathsOf, worktreeOf } from '#app/site.ts';
import { forkRun } from '#app/fork/fork-run.ts';
import { startRun } from '#app/run/start-run.ts';
import { driveRun } from '#app/world.ts';
import { verifyProof } from '#app/prove/verify.ts';
import { builtEntry } from '#test/program.ts';
import { listText } from '#views/status/list.ts';
import { statsOf } from '#views/status/stats.ts';
import type { CleanOrder, CleanReport } from './clean-runs.ts';
import { cleanRuns } from './clean-runs.ts';
import { diskUsage } from './disk-usage.ts';

const beds = keepBeds();
let done: Life;
let failed: Life;
const day = 86_400_000;

beforeAll(async () => {
  const write = { write: { path: 'done.txt', text: 'right\n' } };
  const flags = { check: ['grep -q right done.txt'] };
  done = beds.keep(await liveThrough({ turns: [builds(write), passes], flags }));
  const wrong = builds({ write: { path: 'done.txt', text: 'wrong\n' } });
  const once = { ...flags, budget: ['attempts=1'] };
  failed = beds.keep(await liveThrough({ turns: [wrong, passes], flags: once }));
});
afterAll(() => beds.remove());

async function clean(bed: Bed, order: Partial<CleanOrder> = {}): Promise<CleanReport> {
  const usual = { runId: null, olderMs: null, onlyLanded: false, withUnlanded: false, isDryRun: false };
  return cleanRuns(await bed.site(), { ...usual, ...order });
}

async function landed(life: Life, mode: 'ff' | 'squash' = 'ff', isKept = true): Promise<Bed> {
  const bed = beds.keep(life.copy());
  const site = await bed.site();
  const proof = await findProof(site, life.run.id);
  const order = { proof, branch: 'main', mode, isUnproven: false, isKept } as const;
  await landProof(site, order, { signal: AbortSignal.timeout(600_000) });
  return bed;
}

const refsOf = (bed: Bed, life: Life): string[] =>
  bed
    .git('for-each-ref', '--format=%(refname)')
    .split('\n')
    .filter((ref) => ref.includes(life.run.id));

function said(bed: Bed, ...args: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [builtEntry('cli'), ...args], {
    cwd: bed.root,
    env: bed.env,
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

describe('clean [X17]', () => {
  it('Clean removes the leftovers of a landed run and keeps its journal, its statement and the statistics', async () => {
    const bed = await landed(done);
    const site = await bed.site();
    const { folder, journal, mirror, views } = pathsOf(site).run(done.run.id);
    const before = statsOf([(await loadRun(site, done.run.id)).run]);
    expect(refsOf(bed, done).length).toBeGreaterThan(1);
    const dry = await clean(bed, { isDryRun: true });
    expect(dry.removed[0]?.parts.map(({ what }) => what)).toEqual(['branch', 'refs', 'logs', 'state']);
    expect(existsSync(views.folder)).toBe(true);
    const report = await clean(bed);
    expect(report).toEqual(dry);
    expect(report.bytes).toBeGreaterThan(10_000);
    expect(refsOf(bed, done)).toEqual([]);
    expect(bed.git('for-each-ref', 'refs/notes/untildone')).not.toBe('');
    expect(existsSync(views.folder)).toBe(false);
    expect(readdirSync(folder).filter((name) => !name.startsWith('lock'))).toEqual(['journal.jsonl']);
    expect([existsSync(journal), existsSync(mirror)]).toEqual([true, true]);
    const { run, notes } = await loadRun(site, done.run.id);
    expect(notes).toEqual([]);
    expect(run.cleaned).toMatchObject({ removedBytes: report.removed[0]?.bytes });
    expect(statsOf([run])).toEqual(before);
    expect(listText([{ run, holder: null }])).toContain('completed, on main, cleaned');
    const proof = await findProof(site, done.run.id);
    expect((await exportProof(site, proof, false)).line).toContain('"PASSED"');
    expect(await clean(bed)).toEqual({ removed: [], kept: [], caches: [], bytes: 0 });
  });

  it('Clean removes nothing of a run whose commits are on no branch of the user, unless the user asks for it', async () => {
    const bed = beds.keep(done.copy());
    const before = bed.git('for-each-ref');
    const report = await clean(bed);
    expect(report.removed).toEqual([]);
    expect(report.kept).toEqual([
      {
        runId: done.run.id,
        why: 'its commits are on no branch of yours',
        next: `untildone land ${done.run.id}, or untildone clean ${done.run.id} --unlanded`,
      },
    ]);
    expect(bed.git('for-each-ref')).toBe(before);
    expect((await clean(bed, { withUnlanded: true })).removed).toHaveLength(1);
    expect(refsOf(bed, done)).toEqual([]);
  });

  it('Clean does not count a reverted landing or a pushed branch of the run as landed', async () => {
    const bed = await landed(done, 'squash');
    bed.git('reset', '-q', '--hard', 'HEAD~1');
    bed.git('update-ref', `refs/remotes/origin/untildone/${done.run.id}`, done.run.tip?.commit ?? '');
    expect((await clean(bed)).kept[0]?.why).toBe('its commits are on no branch of yours');
    bed.git('merge', '-q', '--squash', `untildone/${done.run.id}`);
    bed.git('commit', '-q', '-m', 'by hand');
    // Squashed by a person: merging it once more would change nothing.
    expect((await clean(bed)).removed).toHaveLength(1);
  });

  it('Clean keeps a landed run whose branch got commits of the user afterwards', async () => {
    const bed = await landed(done);
    bed.git('switch', '-q', `untildone/${done.run.id}`);
    bed.write('mine.txt', 'mine\n');
    bed.commit('mine');
    bed.git('switch', '-q', 'main');
    expect((await clean(bed)).kept[0]?.why).toContain('has commits that are on no other branch');
    bed.git('branch', 'saved', `untildone/${done.run.id}`);
    expect((await clean(bed)).removed).toHaveLength(1);
  });

  it('Clean leaves the branch of a run that the user has checked out, and says so', async () => {
    const bed = await landed(done);
    bed.git('switch', '-q', `untildone/${done.run.id}`);
    const { removed } = await clean(bed, { withUnlanded: true });
    expect(removed[0]?.notes[0]).toMatch(/^its branch untildone\/\S+ stays because it is checked out at /);
    expect((await clean(bed)).kept[0]?.why).toMatch(/stays because it is checked out at /);
    expect(bed.git('status', '--porcelain')).toBe('');
    expect(bed.git('rev-parse', 'HEAD')).toBe(done.run.tip?.commit);
  });

  it('Clean keeps the uncommitted files of a failed run, and removes worktree and registration only on request', async () => {
    const bed = beds.keep(failed.copy());
    const site = await bed.site();
    // A copied worktree is registered at its old place.
    const worktree = worktreeOf(site, failed.run.id);
    const admin = join(site.commonDir, 'worktrees', `untildone-${failed.run.id}`);
    writeFileSync(join(admin, 'gitdir'), `${join(worktree, '.git')}\n`);
    expect(failed.run.outcome?.outcome).toBe('exhausted');
    expect((await clean(bed)).kept[0]?.why).toBe('it left work that was never committed');
    expect((await clean(bed, { onlyLanded: true, withUnlanded: false })).removed).toEqual([]);
    expect(existsSync(join(worktree, 'done.txt'))).toBe(true);
    const { removed } = await clean(bed, { withUnlanded: true });
    expect(removed[0]?.parts.map(({ what }) => what)).toContain('worktree');
    expect([existsSync(worktree), existsSync(admin)]).toEqual([false, false]);
    expect((await loadRun(site, failed.run.id)).run.cleaned?.kept).toEqual(['journal']);
    expect(said(bed, 'status', failed.run.id).out).toMatch(/^Branch: .* \(the branch was removed\)$/m);
    await expect(dropControl(site, failed.run.id, { kind: 'retry', taskId: 'main' })).rejects.toThrow(
      /the run was cleaned by .*; its branch and files were removed/,
    );
  });

  it('Clean skips unfinished, locked and too recent runs', async () => {
    const bed = await landed(done);
    const site = await bed.site();
    expect((await clean(bed, { olderMs: 14 * day })).removed).toEqual([]);
    const unfinished = await startRun(site, {
      config: { ...done.run.config, key: 'another' },
      tasks: [...done.run.tasks.values()].map(({ spec }) => spec),
    });
    const held = await openStore(site).open(done.run.id);
    const report = await clean(bed, { withUnlanded: true });
    expect(report.removed).toEqual([]);
    expect(report.kept.map(({ why }) => why)).toEqual(['another process holds it', 'it has not ended']);
    if ('close' in held) await held.close();
    const living = await openStore(site).open(unfinished);
    const running = (await clean(bed, { runId: unfinished })).kept;
    expect(running).toEqual([
      {
        runId: unfinished,
        why: 'it is running',
        next: `wait until it ends, or untildone stop ${unfinished}`,
      },
    ]);
    if ('close' in living) await living.close();
    const cache = join(bed.env['XDG_STATE_HOME'] ?? '', 'untildone', 'cache', site.repoId, 'setup', 'one');
    mkdirSync(cache, { recursive: true });
    writeFileSync(join(cache, 'file'), 'x'.repeat(5000));
    const { kept, removed, caches } = await clean(bed, { withUnlanded: true });
    expect(removed.map(({ runId }) => runId)).toEqual([done.run.id]);
    expect(kept.map(({ runId }) => runId)).toEqual([unfinished]);
    // The unfinished run may still need it.
    expect([caches, existsSync(cache)]).toEqual([[], true]);
  });

  it('Of several cleans at the same time, only one reports the removal of a run', async () => {
    const bed = await landed(done);
    const args = [builtEntry('cli'), 'clean', '--json'];
    const cleans = Array.from({ length: 8 }, () =>
      promisify(execFile)(process.execPath, args, { cwd: bed.root, env: bed.env }),
    );
    const removed = (await Promise.all(cleans)).flatMap(
      ({ stdout }) => (JSON.parse(stdout) as CleanReport).removed,
    );
    expect(removed.map(({ runId }) => runId)).toEqual([done.run.id]);
  });

  it('Clean removes cached dependencies when every run is over, and the disk use that doctor measures shrinks', async () => {
    const bed = await landed(done);
    const site = await bed.site();
    const cache = join(bed.env['XDG_STATE_HOME'] ?? '', 'untildone', 'cache', site.repoId, 'setup', 'one');
    mkdirSync(cache, { recursive: true });
    writeFileSync(join(cache, 'file'), 'x'.repeat(500_000));
    const before = await diskUsage(site);
    const { caches, bytes } = await clean(bed);
    expect(caches).toEqual([{ what: 'cached dependencies', bytes: expect.any(Number) as number }]);
    expect(existsSync(cache)).toBe(false);
    const after = await diskUsage(site);
    expect(before.caches).toBeGreaterThanOrEqual(500_000);
    expect(after.caches).toBe(0);
    expect(before.total - after.total).toBeGreaterThan(bytes * 0.9);
  });

  it('A run that cannot be read is kept and named, and does not keep other runs from being cleaned', async () => {
    const bed = await landed(done);
    const site = await bed.site();
    const broken = pathsOf(site).run('20200101-0000-dead');
    mkdirSync(broken.folder, { recursive: true });
    writeFileSync(broken.journal, 'no journal\n');
    const { removed, kept } = await clean(bed);
    expect(removed.map(({ runId }) => runId)).toEqual([done.run.id]);
    expect(kept.map(({ runId }) => runId)).toEqual(['20200101-0000-dead']);
    expect(readFileSync(broken.journal, 'utf8')).toBe('no journal\n');
  });
});

describe('after a clean [X17]', () => {
  it('Every command that needs removed data says so in one sentence, and the other commands still answer', async () => {
    const bed = await landed(done);
    await clean(bed);
    const { id } = done.run;
    for (const args of [
      ['verify', id],
      ['probe', id],
      ['land', id],
      ['logs', id],
      ['record', id],
      ['resume', id],
    ]) {
      const { code, err } = said(bed, ...args);
      expect([args[0], code]).toEqual([args[0], 2]);
      expect(err).toMatch(new RegExp(`The run ${id} was cleaned by .* on .* UTC: [^.]* removed[^.]*\\.`));
    }
    expect(said(bed, 'retry', 'main', '--run', id).err).toContain('was cleaned by');
    const commit = bed.git('rev-parse', 'main').slice(0, 12);
    expect(said(bed, 'logs', id).err).toContain(`with its statement beside it: untildone verify ${commit}`);
    const shown = said(bed, 'show', id);
    expect(shown.code).toBe(0);
    expect(shown.out).toMatch(/🧹 cleaned by .* removed, kept: journal/);
    expect(shown.out).toContain('Logs: removed by `untildone clean`');
    expect(shown.out).toMatch(/^Branch: .* \(the branch was removed\)$/m);
    expect(said(bed, 'status', id).out).toMatch(/^Branch: \S+ at [0-9a-f]{10} \(the branch was removed\)$/m);
    const named = /^Next: nothing: the run was cleaned; its statement: untildone export (\S+)$/m.exec(
      shown.out,
    );
    expect(said(bed, 'export', named?.[1] ?? '').code).toBe(0);
    for (const args of [['list'], ['stats'], ['status', id], ['export', id], ['report', id], ['replay', id]])
      expect([args[0], said(bed, ...args).code]).toEqual([args[0], 0]);
    // As on a machine that never had the run.
    const site = await bed.site();
    const proof = await findProof(site, 'main');
    expect(proof.source).toBe('note');
    const seen = await verifyProof(site, proof, { signal: AbortSignal.timeout(600_000) });
    expect(seen?.isProven).toBe(true);
  });

  it('Land lists what it removed in readable sentences', () => {
    const bed = beds.keep(done.copy());
    expect(said(bed, 'land', done.run.id).out).toContain(
      "\nRemoved the run's branch (use --keep to keep it).\n",
    );
  });

  it('The statement of a run is the same before its landing, after it, and after a clean', async () => {
    const before = said(done, 'export', done.run.id);
    expect(before.code).toBe(0);
    const bed = await landed(done, 'squash');
    expect(said(bed, 'export', done.run.id).out).toBe(before.out);
    expect((await clean(bed)).removed).toHaveLength(1);
    expect(said(bed, 'export', done.run.id).out).toBe(before.out);
  });

  it('A cleaned run and its cleaned fork each name the command that exports their own statement, though both proved one commit [X4] [X17]', async () => {
    const bed = await landed(done);
    const site = await bed.site();
    const { id } = done.run;
    const bare = { runId: id, event: null, budget: {} };
    const { runId: forkId } = await forkRun(site, bare);
    const options = { observers: [], leaveWhenParked: () => true, signal: AbortSignal.timeout(600_000) };
    await driveRun(site, forkId, options);
    expect(said(bed, 'land', forkId).code).toBe(0);
    expect((await clean(bed)).removed).toHaveLength(2);
    for (const runId of [id, forkId]) {
      const named = /its statement: untildone export (\S+)$/m.exec(said(bed, 'show', runId).out);
      const statement = said(bed, 'export', named?.[1] ?? '').out;
      expect(statement).toContain(`"run":{"id":"${runId}"`);
    }
  });

  it('Clean of one run by name is refused with the reason and the next command when that run must stay', () => {
    const bed = beds.keep(done.copy());
    const { code, err } = said(bed, 'clean', done.run.id);
    expect(code).toBe(2);
    expect(err).toMatch(
      /The run \S+ was not cleaned: its commits are on no branch of yours\.\nHint: Instead: untildone land \S+, or untildone clean \S+ --unlanded/,
    );
    expect(said(bed, 'clean', done.run.id, '--unlanded').code).toBe(0);
    const bare = said(bed, 'clean', '--older', '14', '--unlanded');
    expect([bare.code, bare.err]).toEqual([
      2,
      '--older needs a unit: "14" has none.\nHint: For example: --older 14d\n',
    ]);
    expect(said(bed, 'clean', '--older', 'soon').err).toContain('--older takes an age, not "soon".');
  });

  it('An agent of a run may not clean', () => {
    const { status, stderr } = spawnSync(process.execPath, [builtEntry('cli'), 'clean', '--unlanded'], {
      cwd: done.root,
      env: { ...done.env, UNTILDONE_MARK: 'some-run/1' },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([2, expect.stringContaining('started by the run some-run')]);
  });
});

describe('a killed clean [X17]', () => {
  it('A clean that is killed in the middle is finished by the next one, and no command misreads the remains', async () => {
    const bed = await landed(done);
    const site = await bed.site();
    const { journal, views, folder } = pathsOf(site).run(done.run.id);
    for (let n = 0; n < 4000; n += 1) appendFileSync(join(views.logs, `filler-${n}.log`), 'x');
    const child = spawn(process.execPath, [builtEntry('cli'), 'clean'], { cwd: bed.root, env: bed.env });
    const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
    while (!readFileSync(journal, 'utf8').includes('run-cleaned') && child.exitCode === null) await sleep(1);
    child.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');
    expect((await loadRun(site, done.run.id)).run.cleaned).not.toBeNull();
    expect(existsSync(views.folder) || readdirSync(folder).length > 2).toBe(true);
    for (const args of [['verify'], ['land'], ['logs'], ['probe']])
      expect([args[0], said(bed, ...args).err]).toEqual([args[0], expect.stringContaining('was cleaned by')]);
    expect(said(bed, 'list').out).toContain('cleaned');
    const again = said(bed, 'clean', '--older', '14d');
    expect([again.code, again.err]).toEqual([0, '']);
    expect(again.out).toMatch(/^Removed:\n +\S+ \S+ {2}run \S+ \(completed\): /);
    expect(existsSync(views.folder)).toBe(false);
    expect(refsOf(bed, done)).toEqual([]);
    expect(said(bed, 'clean').out).toBe('There is nothing to remove.\n');
    const { events } = await openStore(site).read(done.run.id);
    expect(events.filter(({ type }) => type === 'run-cleaned')).toHaveLength(1);
  });

  it('Whatever part was removed before the kill, the next clean removes the rest', async () => {
    const bed = await landed(done);
    const site = await bed.site();
    const paths = pathsOf(site).run(done.run.id);
    const held = await openStore(site).open(done.run.id);
    if (!('append' in held)) throw new Error('no other process holds it');
    const fact = { type: 'run-cleaned', by: 'ann', kept: ['journal'], removedBytes: 1 } as const;
    await held.append([{ at: Date.now(), ...fact }], { sync: true });
    await held.close();
    bed.git('update-ref', '-d', `refs/heads/untildone/${done.run.id}`);
    rmSync(paths.snapshot, { force: true });
    const admin = join(site.commonDir, 'worktrees', `untildone-${done.run.id}`);
    mkdirSync(admin, { recursive: true });
    writeFileSync(join(admin, 'HEAD'), 'ref: refs/heads/main\n');
    const { removed } = await clean(bed);
    expect(removed[0]?.parts.map(({ what }) => what)).toEqual(['worktree', 'refs', 'logs', 'state']);
    expect(existsSync(admin)).toBe(false);
    expect((await clean(bed)).removed).toEqual([]);
  });
});
