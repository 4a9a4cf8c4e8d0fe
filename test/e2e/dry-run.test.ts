// The preflight list, and `--dry-run`, which stops after it. The agents leave a mark when they are started.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { passes, saysDone, seesFile, shellAgents } from './agents.ts';
import type { Place } from './place.ts';
import { makePlace, runFolders } from './place.ts';
import { send } from './processes.ts';
import { until } from './wait.ts';

const check = ['--check', seesFile];
const wayOn = 'Next: correct that and run the same command again. --setup "…" names a command';

function marked(place: Place): string[] {
  const mark = `touch '${join(place.folder, 'agent-was-here')}'`;
  return shellAgents(place, {
    builder: `${mark}; echo right > done.txt; ${saysDone}`,
    verifier: `${mark}; ${passes}`,
  });
}

/** Everything that a run could have left, and whether an agent was started. */
function leftBy(place: Place): object {
  return {
    runs: runFolders(place),
    refs: place.git('for-each-ref', '--format=%(refname)'),
    worktrees: place.git('worktree', 'list').split('\n').length,
    head: place.git('symbolic-ref', 'HEAD'),
    status: place.git('status', '--porcelain', '--ignored'),
    mirrors: readdirSync(join(place.repo, '.git/untildone')).filter((name) => name !== 'repo-id'),
    views: existsSync(join(place.repo, '.untildone')),
    living: place.living(),
    agent: existsSync(join(place.folder, 'agent-was-here')),
  };
}

const nothing = {
  runs: [],
  refs: 'refs/heads/main',
  worktrees: 1,
  head: 'refs/heads/main',
  status: '',
  mirrors: [],
  views: false,
  living: [],
  agent: false,
};

describe('A dry run', () => {
  it('A dry run shows the list, runs setup and base checks, starts no agent and leaves nothing', async () => {
    const place = makePlace();
    const setup = ['--setup', `touch '${join(place.folder, 'setup-ran')}'`];
    const args = ['run', 'do it', ...check, ...setup, ...marked(place), '--dry-run'];
    const { code, stdout, stderr } = await place.untildone(args);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/✓ starts from: main at [0-9a-f]{7}, on its own branch and worktree/);
    expect(stdout).toMatch(/✓ setup: +touch .* \(as configured\)/);
    expect(stdout).toMatch(/✓ checks: +grep -q right done\.txt \(run on the base first\)/);
    expect(stdout).toMatch(/✓ budget: +at most 40 sessions/);
    expect(stdout).toContain('fail on the base');
    expect(stdout).toContain('✓ Dry run: the run would start its first session now.');
    expect(existsSync(join(place.folder, 'setup-ran'))).toBe(true);
    expect(leftBy(place)).toEqual(nothing);
  });

  it('A dry run shows the full output of a check, and names no log of it', async () => {
    const place = makePlace();
    const chatty = [
      '--check',
      'for i in 1 2 3 4 5; do printf "%01000d\\n" $i; done; echo the last line; exit 1',
    ];
    const { code, stdout } = await place.untildone([
      'run',
      'do it',
      ...chatty,
      ...marked(place),
      '--dry-run',
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/> \[… \d+ characters left out …\]\n/);
    expect(stdout).toContain('> the last line\n');
    expect(stdout).not.toMatch(/the whole output|\.log/);
    expect(leftBy(place)).toEqual(nothing);
  });

  it('A dry run of a run in place, of a queue and of a campaign touches no checkout and starts no agent', async () => {
    const place = makePlace();
    const agents = marked(place);
    const inPlace = await place.untildone(['run', 'do it', ...check, ...agents, '--in-place', '--dry-run']);
    expect(inPlace.stdout).toContain('in your own checkout');
    expect(inPlace.code).toBe(0);
    const tasks = place.write('tasks.md', '# Work\n\n- [ ] one\n- [ ] two\n');
    expect((await place.untildone(['queue', tasks, ...check, ...agents, '--dry-run'])).code).toBe(0);
    // A campaign has no verifier to name.
    const architect = agents.slice(0, 2);
    const planned = await place.untildone(['plan', 'do it', ...check, ...architect, '--dry-run', '--json']);
    expect(planned.code).toBe(0);
    const lines = planned.stdout.trim().split('\n');
    const [first, last] = [lines[0], lines.at(-1)].map((line) => JSON.parse(line ?? '') as object);
    expect(first).toMatchObject({
      type: 'run',
      preflight: expect.arrayContaining([
        expect.objectContaining({ mark: 'ok', about: 'architect' }),
      ]) as unknown,
    });
    expect(last).toMatchObject({ type: 'result', outcome: 'dry-run', isReady: true, exitCode: 0 });
    expect(leftBy(place)).toEqual(nothing);
  });

  it('A dry run whose setup fails, or whose entry criterion is red, exits with 2 and leaves nothing', async () => {
    const place = makePlace();
    const agents = marked(place);
    const setup = ['--setup', 'echo no-such-package; exit 3'];
    const failed = await place.untildone(['run', 'do it', ...check, ...setup, ...agents, '--dry-run']);
    expect(failed.stdout).toMatch(
      /✗ Dry run: the run would stop before its first session: .*no-such-package/,
    );
    // Said once, and without a log or a command of a run that is gone.
    expect(failed.stdout.match(/: no-such-package/g)).toHaveLength(1);
    expect(failed.stdout).not.toMatch(/untildone resume|setup\.log/);
    expect(failed.stdout).toContain(wayOn);
    expect(failed.code).toBe(2);
    expect(leftBy(place)).toEqual(nothing);
    const task = {
      title: 'one',
      entryCriteria: [{ text: 'ready', check: 'test -f ready.txt' }],
      criteria: [seesFile],
    };
    const file = place.write('tasks.json', JSON.stringify({ tasks: [task] }));
    const shut = await place.untildone(['queue', file, ...agents, '--dry-run']);
    expect(shut.stdout).toMatch(
      /✗ Dry run: the run would stop before its first session: an entry criterion does not hold/,
    );
    expect(shut.code).toBe(2);
    expect(leftBy(place)).toEqual(nothing);
  });

  it('A dry run whose check needs a package that is not installed names the flag that installs it', async () => {
    const manifest = JSON.stringify({ dependencies: { 'no-such-package': '1.0.0' } });
    const place = makePlace({
      files: { 'web/package.json': manifest, 'web/a.cjs': "require('no-such-package');\n" },
    });
    const args = ['run', 'do it', '--check', 'node web/a.cjs', ...marked(place), '--dry-run'];
    const { stdout, code } = await place.untildone(args);
    expect(stdout).toContain(
      '! setup:       none found: only subfolders declare dependencies: web/package.json',
    );
    expect(stdout).toContain('--setup "(cd web && npm install)"');
    expect(stdout).toContain('is declared in web/package.json and not installed');
    expect(stdout).toContain(wayOn);
    expect(code).toBe(2);
  });

  it('A dry run does not start the run: the next start is a new one, and an unfinished run is not touched', async () => {
    const place = makePlace();
    const args = ['run', 'do it', ...check];
    const agents = marked(place);
    const dry = async (): Promise<number | null> =>
      (await place.untildone([...args, ...agents, '--dry-run'])).code;
    expect(await dry()).toBe(0);
    const parked = await place.untildone([...args, ...agents, '--setup', 'exit 3']);
    expect(parked.stdout).not.toContain('Resuming');
    expect(parked.code).toBe(6);
    const before = runFolders(place);
    expect(before).toHaveLength(1);
    expect(await dry()).toBe(0);
    expect(runFolders(place)).toEqual(before);
    expect(existsSync(join(place.folder, 'agent-was-here'))).toBe(false);
    const changed = await place.untildone([...args, ...agents]);
    expect(changed.stderr).toContain('was started with other inputs (setup)');
  });

  const runIds = (place: Place): string[] => runFolders(place).map((path) => basename(path));
  const killDryRun = async (place: Place): Promise<string> => {
    const mark = join(place.folder, 'setting-up');
    rmSync(mark, { force: true });
    const slow = ['--setup', `touch '${mark}'; sleep 5`];
    const driver = place.start(['run', 'do it', ...check, ...slow, ...marked(place), '--dry-run']);
    await until('the setup', () => existsSync(mark));
    send(driver.pid, 'SIGKILL');
    await driver.ended;
    await until('everything to be gone', () => place.living().length === 0);
    const [runId = '', ...others] = runIds(place);
    expect(others).toEqual([]);
    return runId;
  };
  const left = (place: Place): object => ({ ...leftBy(place), views: false, status: '' });

  it('A killed dry run is shown by no command, pays nothing when it is resumed by name, and the next dry run removes it', async () => {
    const place = makePlace();
    const runId = await killDryRun(place);
    expect((await place.untildone(['list'])).stdout).not.toContain(runId);
    expect((await place.untildone(['resume'])).stderr).toContain('There is no run in this repository.');
    const driven = await place.untildone(['resume', runId]);
    expect(driven.stdout).toContain('which a dry run does not start');
    expect(driven.code).toBe(6);
    expect(existsSync(join(place.folder, 'agent-was-here'))).toBe(false);
    const fast = await place.untildone(['run', 'do it', ...check, ...marked(place), '--dry-run']);
    expect(fast.code).toBe(0);
    expect(left(place)).toEqual(nothing);
  });

  it('A killed dry run is removed by clean and by the next run, and is not a second unfinished run', async () => {
    const place = makePlace();
    const runId = await killDryRun(place);
    expect((await place.untildone(['clean', '--dry-run'])).stdout).toContain(`run ${runId} (killed dry run)`);
    expect(runIds(place)).toEqual([runId]);
    const cleaned = await place.untildone(['clean']);
    expect([cleaned.code, cleaned.stdout]).toEqual([0, expect.stringContaining(`run ${runId}`)]);
    expect(left(place)).toEqual(nothing);
    const killed = await killDryRun(place);
    const parked = await place.untildone(['run', 'do it', ...check, ...marked(place), '--setup', 'exit 3']);
    expect(parked.code).toBe(6);
    expect(runIds(place)).toHaveLength(1);
    expect(runIds(place)).not.toContain(killed);
    expect(place.git('for-each-ref', '--format=%(refname)')).not.toContain(killed);
    expect((await place.untildone(['status'])).stderr).toBe('');
  });

  it('A dry run that is interrupted exits with 5 and leaves nothing', async () => {
    const place = makePlace();
    const slow = ['--check', `touch '${join(place.folder, 'checking')}'; sleep 30; false`];
    const driver = place.start(['run', 'do it', ...slow, ...marked(place), '--dry-run']);
    await until('the check', () => existsSync(join(place.folder, 'checking')));
    send(driver.pid, 'SIGINT');
    const { code, stdout } = await driver.ended;
    expect(stdout).toContain('interrupted');
    expect(code).toBe(5);
    expect(leftBy(place)).toEqual(nothing);
  });

  it('A dry run is refused beside --resume and --sanity-check', async () => {
    const place = makePlace();
    for (const flag of ['--resume', '--sanity-check']) {
      const { code, stderr } = await place.untildone(['run', 'do it', ...marked(place), '--dry-run', flag]);
      expect(stderr).toContain(`cannot be combined with ${flag}`);
      expect(code).toBe(2);
    }
  });
});

describe('The first lines of a run', () => {
  it('Uncommitted files that are not part of the run are named, and copied ones are not', async () => {
    const place = makePlace();
    place.write('repo/README.md', 'changed\n');
    place.write('repo/new.txt', 'new\n');
    place.write('repo/fixtures/big.bin', 'copied\n');
    const args = ['run', 'do it', ...check, ...marked(place), '--copy', 'fixtures/**', '--dry-run'];
    const { stdout } = await place.untildone(args);
    expect(stdout).toMatch(/! left out: +2 uncommitted paths, not part of the run: README\.md, new\.txt\n/);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThan(200);
  });
});
