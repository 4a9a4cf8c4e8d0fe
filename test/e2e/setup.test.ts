// How a run installs its dependencies: a setup that fails, and how the user can continue.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { saysDone, seesFile, shellAgents, writesFile } from './agents.ts';
import { eventsOf } from './journal.ts';
import { newestRun, roles } from './looking.ts';
import { makePlace, type Place } from './place.ts';
import { isAlive, send } from './processes.ts';
import { until } from './wait.ts';

const run = (place: Place, builder: string, ...more: string[]): string[] => [
  'run',
  'do it',
  '--check',
  seesFile,
  ...shellAgents(place, { builder }),
  ...more,
];
const needsDependency = `test -f dep.txt && ${writesFile}; ${saysDone}`;

/** The real npm, with a line for each time that it is started. */
function countedNpm(place: Place): { env: { PATH: string }; runs(): string[] } {
  const path = place.env['PATH'] ?? '';
  const file = place.write(
    'bin/npm',
    `#!/bin/sh\necho "$*" >> '${place.folder}/npm-runs'\nPATH='${path}' exec npm "$@"\n`,
  );
  chmodSync(file, 0o755);
  return {
    env: { PATH: `${place.folder}/bin:${path}` },
    runs: () => place.read('npm-runs').trim().split('\n'),
  };
}

describe('A package.json without a lock file', () => {
  const files = {
    'package.json': '{ "name": "toy", "version": "1.0.0", "dependencies": { "dep": "file:./dep" } }\n',
    'dep/package.json': '{ "name": "dep", "version": "1.0.0", "main": "index.js" }\n',
    'dep/index.js': 'module.exports = 1;\n',
    '.gitignore': 'node_modules/\n',
  };
  const check = `node -e "require('dep')" && ${seesFile}`;

  it('A run installs with npm once, no commit holds a lock file, and verify uses the lock of the run [X4] [X10]', async () => {
    const place = makePlace({ files });
    const npm = countedNpm(place);
    const quiet = {
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
    };
    const options = { env: { ...npm.env, ...quiet } };
    const again = `PATH='${place.env['PATH'] ?? ''}' npm install >/dev/null 2>&1; ${writesFile}`;
    const args = ['run', 'do it', '--check', check, ...shellAgents(place, { builder: again })];
    const first = await place.untildone(args, options);
    expect(first.stdout).toContain('Completed');
    expect(first.code).toBe(0);
    expect(npm.runs()).toEqual(['install']);
    const branch = `untildone/${newestRun(place)}`;
    expect(place.git('log', '--all', '--name-only', '--format=', branch)).not.toContain('lock');
    expect(place.git('ls-tree', '-r', '--name-only', branch)).toContain('done.txt');
    for (const repoId of readdirSync(`${place.stateHome}/untildone/cache`))
      rmSync(`${place.stateHome}/untildone/cache/${repoId}/setup`, { recursive: true });
    expect((await place.untildone(['verify', newestRun(place)], options)).code).toBe(0);
    expect(npm.runs()).toEqual(['install', 'ci']);
  });

  it('A dependency that the agent adds works at the acceptance, and no commit contains the changed lock file [X10]', async () => {
    const other = { 'other/package.json': '{ "name": "other", "version": "1.0.0", "main": "index.js" }\n' };
    const place = makePlace({ files: { ...files, ...other, 'other/index.js': 'module.exports = 2;\n' } });
    const adds = `npm install ./other >/dev/null 2>&1; grep -q '"other"' package-lock.json && ${writesFile}`;
    const check = `node -e "require('dep'); require('other')" && ${seesFile}`;
    const args = ['run', 'do it', '--check', check, ...shellAgents(place, { builder: adds })];
    const { stdout, code } = await place.untildone(args);
    expect({ stdout, code }).toMatchObject({ code: 0 });
    const changed = place.git('diff', '--name-only', 'main', `untildone/${newestRun(place)}`).split('\n');
    expect(changed).toEqual(['done.txt', 'package.json']);
  });
});

/** The programs themselves: those of rustup need the home of the user. */
const rust = `${spawnSync('rustc', ['--print', 'sysroot'], { encoding: 'utf8' }).stdout ?? ''}`.trim();

describe('A Cargo.toml without a lock file', () => {
  it('A git dependency that moves during a run stays at one commit in every checkout [X10]', async (context) => {
    if (!existsSync(`${rust}/bin/cargo`)) return context.skip('NOT RUN: cargo is not on this machine');
    const place = makePlace({
      files: {
        'Cargo.toml': `[package]\nname = "toy"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\ndep = { git = "DEP" }\n`,
        'src/lib.rs': 'pub use dep::one;\n',
        '.gitignore': 'target/\n',
      },
    });
    const dep = makePlace({
      files: {
        'Cargo.toml': '[package]\nname = "dep"\nversion = "0.1.0"\nedition = "2021"\n',
        'src/lib.rs': 'pub fn one() {}\n',
      },
    });
    place.write('repo/Cargo.toml', place.read('repo/Cargo.toml').replace('DEP', `file://${dep.repo}`));
    place.git('commit', '-qam', 'where it is');
    const moves = `cd '${dep.repo}' && echo 'pub fn two() {}' > src/lib.rs && git -c user.name=t -c user.email=t@localhost commit -qam two`;
    const builder = `(${moves}); ${writesFile}`;
    const check = `cargo check --quiet && ${seesFile}`;
    const env = { PATH: `${rust}/bin:${place.env['PATH'] ?? ''}`, CARGO_HOME: `${place.folder}/cargo` };
    const args = ['run', 'do it', '--check', check, ...shellAgents(place, { builder })];
    const { stdout, stderr, code } = await place.untildone(args, { env });
    expect([code, stderr, stdout]).toEqual([0, '', expect.stringContaining('Completed')]);
    expect(stdout).toContain(
      'cargo fetch (Cargo.toml declares dependencies, and no Cargo.lock is committed)',
    );
    expect(dep.git('log', '--format=%s')).toContain('two');
    expect(place.git('diff', '--name-only', 'main', `untildone/${newestRun(place)}`)).toBe('done.txt');
  });
});

describe('A setup that fails', () => {
  it('A setup that fails parks the run before its first session, with its reason, its log and the command to change it [X6] [Q5]', async () => {
    const place = makePlace();
    const failing = 'echo "npm error code E404" >&2; exit 1';
    const first = await place.untildone(run(place, needsDependency, '--setup', failing));
    const runId = newestRun(place);
    expect(first.code).toBe(6);
    expect(first.stdout).toContain('npm error code E404');
    expect(first.stdout).toContain(
      `untildone resume ${runId} --setup "…" (or --no-setup to install nothing)`,
    );
    expect(first.stdout).not.toContain('Continue with:');
    const log = /Its whole output is in (.*setup\.log)\./.exec(first.stdout)?.[1] ?? '';
    expect(readFileSync(log, 'utf8')).toBe('npm error code E404\n');
    expect(roles(place)).toEqual([]);
    const status = await place.untildone(['status', runId]);
    expect(status.stdout).toContain(
      `Driver: none. Give another command: untildone resume ${runId} --setup "…"`,
    );

    expect((await place.untildone(['resume', runId])).code).toBe(6);
    expect((await place.untildone(['resume', runId, '--setup', ' '])).code).toBe(2);
    const both = await place.untildone(['resume', runId, '--setup', 'touch dep.txt', '--no-setup']);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('they cannot be combined')]);
    const other = await place.untildone(run(place, needsDependency, '--setup', 'touch dep.txt'));
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining(`untildone resume ${runId} --setup "…"`),
    ]);
    const resumed = await place.untildone(['resume', runId, '--setup', 'touch dep.txt']);
    expect(resumed.stdout).toMatch(/✓ setup: +touch dep\.txt \(as configured\)/);
    expect(resumed.code).toBe(0);
    expect(roles(place)).toEqual(['builder', 'verifier']);
    expect(place.git('ls-tree', '--name-only', `untildone/${runId}`)).not.toContain('dep.txt');
  });

  it('The lines that a failed setup printed are shown once [Q5]', async () => {
    const place = makePlace();
    const failing = "printf 'npm error %s\\n' one two three >&2; exit 1";
    const { stdout, code } = await place.untildone(run(place, writesFile, '--setup', failing));
    expect(stdout.match(/npm error two/g)).toEqual(['npm error two']);
    expect(stdout.match(/The setup command .* failed/g)).toHaveLength(1);
    expect(stdout).not.toMatch(/driver left|could not be done/);
    expect(code).toBe(6);
  });

  it('A run whose setup fails continues without one after resume --no-setup [Q5]', async () => {
    const place = makePlace();
    expect((await place.untildone(run(place, writesFile, '--setup', 'exit 1'))).code).toBe(6);
    const both = await place.untildone(run(place, writesFile, '--no-setup', '--setup', 'exit 0'));
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('they cannot be combined')]);
    const resumed = await place.untildone(['resume', '--no-setup']);
    expect(resumed.stdout).toMatch(/✓ setup: +nothing is installed/);
    expect(resumed.code).toBe(0);
  });

  it('A run whose driver was killed during its setup continues with another setup command [D1] [Q5]', async () => {
    const place = makePlace();
    const hanging = `touch '${place.folder}/begun'; sleep 600`;
    const driver = place.start(run(place, needsDependency, '--setup', hanging));
    await until('the setup', () => existsSync(`${place.folder}/begun`));
    send(driver.pid, 'SIGKILL');
    await driver.ended;
    expect(isAlive(driver.pid)).toBe(false);
    const resumed = await place.untildone(['resume', '--setup', 'touch dep.txt']);
    expect(resumed.code).toBe(0);
    expect(eventsOf(place).some(({ type }) => type === 'control-applied')).toBe(true);
  });

  it('Another setup command for a run that is parked later is used from then on [Q5]', async () => {
    const place = makePlace();
    const asks = `if [ $n = 1 ]; then echo "Which?"; echo "===NEEDS_INPUT==="; exit 0; fi; ${writesFile}`;
    expect((await place.untildone(run(place, asks, '--setup', 'touch first'))).code).toBe(6);
    expect((await place.untildone(['answer', 'this one'])).code).toBe(0);
    const resumed = await place.untildone(['resume', '--setup', `echo ran >> '${place.folder}/ran'`]);
    expect(resumed.code).toBe(0);
    expect(existsSync(`${place.folder}/ran`)).toBe(true);
  });
});
