// Forks on real repositories: the old run is only read, and the fork works without it.
import { execFile, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanRuns } from '#app/clean/clean-runs.ts';
import type { Bed, Life } from '#test/app/proof-bed.ts';
import { builds, keepBeds, liveThrough, passes } from '#test/app/proof-bed.ts';
import { forksOf, loadRun, openStore, pathsOf, worktreeOf } from '#app/site.ts';
import { startRun } from '#app/run/start-run.ts';
import { driveRun } from '#app/world.ts';
import type { Event } from '#kernel/events/events.ts';
import type { Run } from '#kernel/fold/run.ts';
import { builtEntry } from '#test/program.ts';
import type { ForkWish, MadeFork } from './fork-run.ts';
import { forkRun } from './fork-run.ts';

const beds = keepBeds();
/** Its first attempt is wrong, its second one right. */
let done: Life;
/** Its only attempt is wrong, and its worktree stays. */
let failed: Life;

beforeAll(async () => {
  const writes = (text: string): object => builds({ write: { path: 'done.txt', text } });
  const flags = { check: ['grep -q right done.txt'] };
  done = beds.keep(await liveThrough({ turns: [writes('wrong\n'), writes('right\n'), passes], flags }));
  const once = { ...flags, budget: ['attempts=1'] };
  failed = beds.keep(
    await liveThrough({ turns: [writes('wrong\n'), writes('right\n'), passes], flags: once }),
  );
});
afterAll(() => beds.remove());

async function fork(bed: Bed, runId: string, wish: Partial<ForkWish> = {}): Promise<MadeFork> {
  return forkRun(await bed.site(), { runId, event: null, budget: {}, ...wish });
}

/** As another process does it. */
async function forkByProgram(bed: Bed, runId: string): Promise<{ runId: string; branch: string }> {
  const args = [builtEntry('cli'), 'fork', runId, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: bed.root, env: bed.env });
  return JSON.parse(stdout) as { runId: string; branch: string };
}

async function drive(bed: Bed, runId: string): Promise<Run> {
  const site = await bed.site();
  await driveRun(site, runId, {
    observers: [],
    leaveWhenParked: () => true,
    signal: AbortSignal.timeout(1_200_000),
  });
  return (await loadRun(site, runId)).run;
}

async function eventsOf(bed: Bed, runId: string): Promise<readonly Event[]> {
  return (await openStore(await bed.site()).read(runId)).events;
}

async function afterFact(bed: Bed, runId: string, type: Event['type']): Promise<number> {
  return (await eventsOf(bed, runId)).findIndex((event) => event.type === type) + 1;
}

/** Everything of a run on the disk and in git, byte by byte. */
async function everythingOf(bed: Bed, runId: string): Promise<{ [name: string]: string }> {
  const site = await bed.site();
  const { folder, mirror, views } = pathsOf(site).run(runId);
  const found: { [name: string]: string } = {};
  const look = (path: string): void => {
    const state = lstatSync(path, { throwIfNoEntry: false });
    if (state === undefined) return;
    if (state.isSymbolicLink()) found[path] = readlinkSync(path);
    else if (state.isDirectory()) for (const name of readdirSync(path)) look(join(path, name));
    else found[path] = `${state.mtimeMs} ${readFileSync(path).toString('base64')}`;
  };
  for (const path of [folder, mirror, views.folder, worktreeOf(site, runId)]) look(path);
  for (const line of bed.git('for-each-ref', '--format=%(refname) %(objectname)').split('\n'))
    if (line.includes(runId)) found[line] = '';
  return found;
}

describe('fork [D5]', () => {
  it('A fork from before the second attempt completes by itself, and nothing of the old run changes', async () => {
    const bed = beds.keep(done.copy());
    const before = await everythingOf(bed, done.run.id);
    const event = await afterFact(bed, done.run.id, 'attempt-failed');
    const made = await fork(bed, done.run.id, { event });
    expect(made).toMatchObject({ forkedFrom: { runId: done.run.id, event }, isBeforeEnd: false });
    expect(bed.git('rev-parse', made.branch)).toBe(done.run.base?.commit);
    const run = await drive(bed, made.runId);
    expect(run).toMatchObject({ outcome: { outcome: 'completed' }, ledger: { spent: { sessions: 2 } } });
    expect(run.sessions.map(({ role, attempt }) => `${role} ${attempt}`)).toEqual([
      'builder 2',
      'verifier 2',
    ]);
    expect(bed.git('show', `${made.branch}:done.txt`)).toBe('right');
    expect(await everythingOf(bed, done.run.id)).toEqual(before);
    expect(await forksOf(await bed.site(), done.run.id)).toEqual([{ runId: made.runId, event }]);
    expect(await forksOf(await bed.site(), made.runId)).toEqual([]);
  });

  it('A fork has its own refs on the results of the copied steps, and none on later results', async () => {
    const bed = beds.keep(done.copy());
    const refsOf = (runId: string): string[] =>
      bed
        .git('for-each-ref', '--format=%(refname) %(objectname)', `refs/untildone/${runId}`)
        .split('\n')
        .map((ref) => ref.replace(`refs/untildone/${runId}/`, ''));
    const event = await afterFact(bed, done.run.id, 'attempt-failed');
    const made = await fork(bed, done.run.id, { event });
    const isEarly = (ref: string): boolean => ref.startsWith('0003-builder-main/');
    expect(refsOf(made.runId).filter((ref) => !ref.startsWith('forked/'))).toEqual(
      refsOf(done.run.id).filter(isEarly),
    );
    expect(refsOf(done.run.id).filter((ref) => !isEarly(ref))).not.toEqual([]);
    expect(refsOf(made.runId).filter(isEarly)).toHaveLength(1);
  });

  it('A fork of a finished run begins before its end and is accepted again without a session', async () => {
    const bed = beds.keep(done.copy());
    const made = await fork(bed, done.run.id);
    expect(made).toMatchObject({ isBeforeEnd: true, last: { type: 'acceptance-passed' } });
    const run = await drive(bed, made.runId);
    expect(run).toMatchObject({ outcome: { outcome: 'completed' }, ledger: { spent: { sessions: 0 } } });
    const own = (await eventsOf(bed, made.runId)).slice(made.forkedFrom.event);
    expect(own.map(({ type }) => type)).toEqual(expect.arrayContaining(['run-forked', 'acceptance-passed']));
    expect(run.tip).toEqual(done.run.tip);
  });

  it('A fork continues from uncommitted work after the old run was cleaned and git has pruned its objects', async () => {
    const bed = beds.keep(done.copy());
    const events = await eventsOf(bed, done.run.id);
    const built = events.flatMap((event, index) =>
      event.type === 'step-ended' && event.result.kind === 'session' ? [index + 1] : [],
    );
    // The ref of the old run on that tree is gone already: the fork has one all the same.
    bed.git('update-ref', '-d', `refs/untildone/${done.run.id}/0005-builder-main/end`);
    const made = await fork(bed, done.run.id, { event: built[1] ?? 0 });
    const site = await bed.site();
    const order = {
      runId: done.run.id,
      olderMs: null,
      onlyLanded: false,
      withUnlanded: true,
      isDryRun: false,
    };
    expect((await cleanRuns(site, order)).removed).toHaveLength(1);
    expect(bed.git('for-each-ref', `refs/untildone/${done.run.id}`)).toBe('');
    bed.git('reflog', 'expire', '--expire=now', '--all');
    bed.git('gc', '-q', '--prune=now');
    expect(() => bed.git('cat-file', '-e', done.run.tip?.commit ?? '')).toThrow('Command failed');
    const run = await drive(bed, made.runId);
    expect(run.outcome).toMatchObject({ outcome: 'completed' });
    expect(run.sessions.map(({ role }) => role)).toEqual(['verifier']);
  });

  it('A fork of a run that failed gets attempts of its own, and the worktree of the old run stays', async () => {
    const bed = beds.keep(failed.copy());
    expect(failed.run.outcome?.outcome).toBe('exhausted');
    const before = await everythingOf(bed, failed.run.id);
    const made = await fork(bed, failed.run.id, {
      event: await afterFact(bed, failed.run.id, 'attempt-failed'),
    });
    const run = await drive(bed, made.runId);
    expect(run.outcome?.outcome).toBe('completed');
    expect(await everythingOf(bed, failed.run.id)).toEqual(before);
  });

  it('A fork from after the failure of a task names that task, and a retry reopens it', async () => {
    const bed = beds.keep(failed.copy());
    const made = await fork(bed, failed.run.id);
    expect(made).toMatchObject({ failed: ['main'], last: { type: 'task-failed' } });
    const args = [builtEntry('cli'), 'retry', 'main', '--run', made.runId];
    await promisify(execFile)(process.execPath, args, { cwd: bed.root, env: bed.env });
    const { run } = await loadRun(await bed.site(), made.runId);
    expect(run).toMatchObject({ outcome: { outcome: 'completed' }, ledger: { spent: { sessions: 2 } } });
  });

  it('A fork of a fork is a run of its own, and each names its origin', async () => {
    const bed = beds.keep(done.copy());
    const event = await afterFact(bed, done.run.id, 'attempt-failed');
    const first = await fork(bed, done.run.id, { event });
    const second = await fork(bed, first.runId, { budget: { usd: 77 } });
    expect(second.forkedFrom).toEqual({ runId: first.runId, event: event + 1 });
    expect(second.budget).toEqual({ ...first.budget, usd: 77 });
    const run = await drive(bed, second.runId);
    expect(run).toMatchObject({ outcome: { outcome: 'completed' }, forked: { runId: first.runId } });
    expect((await loadRun(await bed.site(), first.runId)).run).toMatchObject({ outcome: null, epoch: 1 });
  });

  it('Forks that are made at the same moment all exist, each with its own branch', async () => {
    const bed = beds.keep(done.copy());
    const made = await Promise.all([1, 2, 3, 4].map(async () => forkByProgram(bed, done.run.id)));
    expect(new Set(made.map(({ runId }) => runId)).size).toBe(4);
    for (const { branch } of made) expect(bed.git('rev-parse', branch)).toBe(done.run.tip?.commit);
    expect(bed.git('for-each-ref', 'refs/untildone/*/forking')).toBe('');
  });

  it('Held-out checks, pinned files, kept lock files and frozen settings come with the fork', async () => {
    const bed = beds.keep(failed.copy());
    const paths = pathsOf(await bed.site());
    const old = paths.run(failed.run.id).folder;
    for (const name of ['held-out', 'pinned', 'setup']) {
      mkdirSync(join(old, name), { recursive: true });
      writeFileSync(join(old, name, 'kept'), name);
    }
    const made = await fork(bed, failed.run.id);
    const folder = paths.run(made.runId).folder;
    for (const name of ['held-out', 'pinned', 'setup'])
      expect(readFileSync(join(folder, name, 'kept'), 'utf8')).toBe(name);
    expect(readFileSync(join(folder, 'index.gitconfig'))).toEqual(readFileSync(join(old, 'index.gitconfig')));
    expect(readdirSync(folder)).not.toContain('snapshot');
  });
});

describe('Refusals of fork [X6]', () => {
  const refused = async (bed: Bed, runId: string, wish: Partial<ForkWish> = {}) =>
    fork(bed, runId, wish).then(
      () => ({ message: 'it was forked', hint: '' }),
      (error: unknown) => error as { readonly message: string; readonly hint: string },
    );

  it('An event at which a step was running is refused with the nearest events before and after', async () => {
    const bed = beds.keep(done.copy());
    const { id } = done.run;
    const event = await afterFact(bed, id, 'step-started');
    expect(await refused(bed, id, { event })).toMatchObject({
      message: `The run ${id} cannot be forked after event ${event}: a step was running (0001-prepare: preparing the workspace).`,
      hint: `Nearest events: ${event - 1} and ${event + 1}. For example: untildone fork ${id} --from ${event - 1}`,
    });
    const last = done.run.events;
    expect(await refused(bed, id, { event: last })).toMatchObject({
      message: expect.stringContaining('the run had ended (completed)') as string,
      hint: expect.stringContaining(`Nearest events: ${last - 1}.`) as string,
    });
    expect((await refused(bed, id, { event: last + 1 })).message).toContain(`it has the events 1 to ${last}`);
    expect((await refused(bed, id, { event: 1 })).message).toContain(
      'recorded together with the event that follows',
    );
    expect(bed.git('for-each-ref', 'refs/heads/untildone').split('\n')).toHaveLength(1);
  });

  it('A run that was cleaned is refused with a sentence', async () => {
    const bed = beds.keep(failed.copy());
    const order = {
      runId: failed.run.id,
      olderMs: null,
      onlyLanded: false,
      withUnlanded: true,
      isDryRun: false,
    };
    await cleanRuns(await bed.site(), order);
    expect((await refused(bed, failed.run.id)).message).toMatch(
      /was cleaned by .* so it cannot be forked\.$/,
    );
  });

  it('Dry runs, runs of interactive sessions and runs in place are refused with a sentence', async () => {
    const bed = beds.keep(done.copy());
    const site = await bed.site();
    const { config } = done.run;
    const foreign = { client: 'claude', sessionId: 's' };
    const store = openStore(site);
    const create = async (runId: string, changed: object): Promise<string> => {
      const created = {
        at: 1,
        type: 'run-created',
        runId,
        version: 1,
        config: { ...config, ...changed },
      } as const;
      await store.create(runId, [created]);
      return (await refused(bed, runId)).message;
    };
    expect(await create('dry', { dryRun: true })).toContain('it is a dry run');
    expect(await create('foreign', { foreign })).toContain('it belongs to an interactive session (claude)');
    const inPlace = { repo: { ...config.repo, inPlace: true } };
    expect(await create('in-place', inPlace)).toContain('it works in your own checkout (--in-place)');
  });

  it('Work that git no longer has is refused, and no run is made', async () => {
    const bed = beds.keep(failed.copy());
    const { id } = failed.run;
    for (const ref of bed.git('for-each-ref', '--format=%(refname)', `refs/untildone/${id}`).split('\n'))
      bed.git('update-ref', '-d', ref);
    bed.git('gc', '-q', '--prune=now');
    const event = await afterFact(bed, id, 'attempt-failed');
    expect((await refused(bed, id, { event })).message).toContain('is no longer in this repository');
    expect(await openStore(await bed.site()).list()).toEqual([id]);
  });
});

describe('A killed fork [D1]', () => {
  /** A git that does what it is asked, then never returns from making refs: the fork is caught between its refs and its journal. */
  function slowGit(bed: Bed): string {
    const real = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();
    const folder = join(bed.folder, 'slow');
    mkdirSync(folder);
    const text = `#!/bin/sh\ncase "$*" in *update-ref*forked*--stdin*) ${real} "$@"; touch ${bed.folder}/caught; exec sleep 600;; esac\nexec ${real} "$@"\n`;
    writeFileSync(join(folder, 'git'), text);
    chmodSync(join(folder, 'git'), 0o755);
    return folder;
  }

  it('A fork that is killed before its journal exists is no run, and the next fork removes its leftovers', async () => {
    const bed = beds.keep(done.copy());
    const env = { ...bed.env, PATH: `${slowGit(bed)}:${bed.env['PATH'] ?? ''}` };
    const child = spawn(process.execPath, [builtEntry('cli'), 'fork', done.run.id], {
      cwd: bed.root,
      env,
      stdio: 'ignore',
      detached: true,
    });
    while (!existsSync(join(bed.folder, 'caught')) && child.exitCode === null) await sleep(20);
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    const branches = (): string[] =>
      bed.git('branch', '--list', '--format=%(refname:short)', 'untildone/*').split('\n');
    expect(branches()).toHaveLength(2);
    const store = openStore(await bed.site());
    expect(await store.list()).toEqual([done.run.id]);
    const { runId } = await fork(bed, done.run.id);
    expect(await store.list()).toEqual([done.run.id, runId]);
    expect(branches().toSorted()).toEqual([`untildone/${done.run.id}`, `untildone/${runId}`].toSorted());
    expect(bed.git('for-each-ref', 'refs/untildone/*/forking')).toBe('');
  });

  it('A fork that is killed at any moment leaves a whole run or none', async () => {
    const bed = beds.keep(done.copy());
    const store = openStore(await bed.site());
    for (let ms = 60; ms < 600; ms += 60) {
      const child = spawn(process.execPath, [builtEntry('cli'), 'fork', done.run.id], {
        cwd: bed.root,
        env: bed.env,
        stdio: 'ignore',
        detached: true,
      });
      const ended = new Promise((resolve) => child.on('exit', resolve));
      await Promise.race([sleep(ms), ended]);
      if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL');
      await ended;
      for (const runId of await store.list())
        expect((await store.read(runId)).events.at(-1)?.type).toMatch(/^run-(ended|forked)$/);
    }
    // A git that was started just before the kill may still finish: what it leaves is removed by the next fork.
    await expect
      .poll(async () => (await fork(bed, done.run.id), bed.git('for-each-ref', 'refs/untildone/*/forking')))
      .toBe('');
    const { runId } = await fork(bed, done.run.id);
    expect((await drive(bed, runId)).outcome?.outcome).toBe('completed');
  });

  it('A run whose driver was killed in a session is forked from before that session', async () => {
    const bed = beds.keep(done.copy());
    const site = await bed.site();
    const { config } = done.run;
    const tasks = [...done.run.tasks.values()].map(({ spec }) => spec);
    const id = await startRun(site, { config, tasks });
    const open = await openStore(site).open(id);
    if ('heldBy' in open) throw new Error('nothing holds it');
    const events = (await eventsOf(bed, done.run.id)).filter(
      ({ type }) => !/^(run-created|task-added)$/.test(type),
    );
    const cut = events.findIndex(
      (event) => event.type === 'step-started' && event.step.deed.kind === 'session',
    );
    for (const event of events.slice(0, cut + 1)) await open.append([event], { sync: false });
    await open.close();
    const made = await fork(bed, id);
    expect(made).toMatchObject({ last: { type: 'step-ended' }, isBeforeEnd: false });
    expect((await drive(bed, made.runId)).outcome?.outcome).toBe('completed');
    expect((await loadRun(site, id)).run.running.size).toBe(1);
  });
});
