import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seesFile, shellAgents, writesFile } from './agents.ts';
import { readEvents, sessionsOf } from './journal.ts';
import type { Finished } from './package.ts';
import { bin, packageFolder, startProgram } from './package.ts';
import type { Place } from './place.ts';
import { makePlace, runFolders } from './place.ts';
import { until } from './wait.ts';

/** What is wrong with a refusal. It is one sentence and a hint, the right code, no stack, and nothing begun. */
function flaws(place: Place, { stdout, stderr, code }: Finished, said: RegExp, hint: RegExp): string[] {
  const hintAt = stderr.indexOf('\nHint: ');
  const found: { readonly [flaw: string]: boolean } = {
    [`does not say ${said.source}`]: !said.test(stderr.slice(0, Math.max(hintAt, 0))),
    [`does not hint at ${hint.source}`]: hintAt < 0 || !hint.test(stderr.slice(hintAt)),
    'shows a stack': /\n\s+at .*:\d+|bug in untildone/.test(stderr),
    [`exits with ${code}`]: code !== 2,
    'says more on standard output': stdout !== '',
    'began a run': runFolders(place).length > 0,
    'started an agent': existsSync(join(place.folder, 'agent-was-here')),
  };
  const wrong = Object.keys(found).filter((flaw) => found[flaw]);
  return wrong.length === 0 ? [] : [...wrong, stderr];
}

function work(place: Place): string[] {
  const builder = `touch '${place.folder}/agent-was-here'; ${writesFile}`;
  return ['run', 'do it', '--check', seesFile, ...shellAgents(place, { builder })];
}

describe('Wrong usage', () => {
  it('Wrong usage with --json prints the error as JSON [X6] [X3]', async () => {
    const place = makePlace();
    const { stdout, stderr, code } = await place.untildone(['run', 'x', '--json']);
    const { error } = JSON.parse(stdout) as { error: { code: string; message: string; hint: string } };
    expect(error.code).toBe('no-agent');
    expect(error.message).toMatch(/No agent is named/);
    expect(error.hint).toMatch(/--agent/);
    expect({ stderr, code }).toEqual({ stderr: '', code: 2 });
  });
});

describe('Unusual repositories', () => {
  it('A run works on a detached HEAD [X6]', async () => {
    const place = makePlace();
    place.git('checkout', '-q', '--detach');
    const head = place.git('rev-parse', 'HEAD');
    expect((await place.untildone(work(place))).code).toBe(0);
    expect(place.git('rev-parse', 'HEAD')).toBe(head);
    expect(place.git('branch', '--show-current')).toBe('');
  });

  it('A run works in a path with spaces and Unicode, from a package of a monorepo [X6]', async () => {
    const place = makePlace({
      repoName: 'Größe 測試 "it\'s"',
      files: { 'packages/ünï côdé/README.md': 'a package\n', 'packages/other/README.md': 'another\n' },
    });
    const cwd = join(place.repo, 'packages/ünï côdé');
    const { code, stdout } = await place.untildone(work(place), { cwd });
    expect({ code, stdout }).toMatchObject({ code: 0 });
    const [branch = ''] = place
      .git('for-each-ref', '--format=%(refname:short)', 'refs/heads/untildone')
      .split('\n');
    const changed = place.git('-c', 'core.quotePath=false', 'diff', '--name-only', 'main', branch);
    expect(changed).toBe('packages/ünï côdé/done.txt');
    expect(place.git('status', '--porcelain')).toBe('');
  });

  it('A run in place needs a clean tree, keeps edits, and never moves main [X6]', async () => {
    const place = makePlace();
    const main = place.git('rev-parse', 'main');
    writeFileSync(join(place.repo, 'README.md'), 'my own edit\n');
    const refused = await place.untildone([...work(place), '--in-place']);
    expect(flaws(place, refused, /not committed: README\.md/, /stash/)).toEqual([]);
    expect(readFileSync(join(place.repo, 'README.md'), 'utf8')).toBe('my own edit\n');
    expect(place.git('branch', '--show-current')).toBe('main');
    place.git('checkout', '-q', 'README.md');
    expect((await place.untildone([...work(place), '--in-place'])).code).toBe(0);
    expect(readFileSync(join(place.repo, 'done.txt'), 'utf8')).toBe('right\n');
    expect(place.git('branch', '--show-current')).toMatch(/^untildone\//);
    expect(place.git('rev-parse', 'main')).toBe(main);
  });
});

describe('Unsuitable machines', () => {
  it('A client that is not logged in, not installed or unable to work as root is refused before a run is created', async () => {
    const place = makePlace({ isSandboxed: false });
    const marker = join(place.folder, 'agent-was-here');
    const programs = dirname(place.write('bin/claude', `#!/bin/sh\ntouch '${marker}'\n`));
    place.makeExecutable('bin/claude');
    const settings = { agents: { claude: { driver: 'claude', via: 'cli' } } };
    place.write('repo/.untildone/config.jsonc', JSON.stringify(settings));
    const args = ['run', 'x', '--check', seesFile, '--agent', 'claude'];
    const PATH = `${programs}:${place.env['PATH'] ?? ''}`;
    const said = async (more: readonly string[], env: { readonly [name: string]: string }) =>
      place.untildone([...args, ...more], { env });
    const loggedOut = await said(['--allow-root'], { PATH });
    expect(flaws(place, loggedOut, /Claude Code is not logged in/, /Log in: start `claude`/)).toEqual([]);
    const key = { ANTHROPIC_API_KEY: 'sk-of-nobody' };
    const missing = await said(['--allow-root'], key);
    expect(flaws(place, missing, /no program "claude"/, /npm install -g/)).toEqual([]);
    if (process.getuid?.() !== 0) return;
    const asRoot = await said([], { PATH, ...key });
    expect(flaws(place, asRoot, /refuses to work unattended as root/, /--allow-root/)).toEqual([]);
    expect(asRoot.stderr.match(/unattended as root/g)).toHaveLength(1);
  });

  it('A run whose agent is missing is not resumed, the message says so first, and it resumes when the agent is back', async () => {
    const place = makePlace();
    const programs = dirname(place.write('bin/my-agent', `#!/bin/sh\n${writesFile}\n`));
    place.makeExecutable('bin/my-agent');
    const env = { PATH: `${programs}:${place.env['PATH'] ?? ''}` };
    const args = ['run', 'x', '--check', seesFile, '--agent', 'command:my-agent', '--setup', 'exit 3'];
    expect((await place.untildone(args, { env })).code).toBe(6);
    const before = readEvents(runFolders(place)[0] ?? '').length;
    const gone = await place.untildone(['resume']);
    expect(gone.stderr).toMatch(/no program "my-agent" on PATH\.\nHint: Install it/);
    expect([gone.code, gone.stdout]).toEqual([2, '']);
    expect(readEvents(runFolders(place)[0] ?? '')).toHaveLength(before);
    expect((await place.untildone(['resume'], { env })).code).toBe(6);
  });

  it('A run is created only if git knows who commits [X6]', async () => {
    const place = makePlace();
    writeFileSync(join(place.folder, 'home/.gitconfig'), '');
    const refused = await place.untildone(work(place));
    expect(flaws(place, refused, /git does not know who you are/, /git config --global user\.name/)).toEqual(
      [],
    );
    writeFileSync(join(place.folder, 'home/.gitconfig'), '[user]\nname = Ada\nemail = ada@example.invalid\n');
    expect((await place.untildone(work(place))).code).toBe(0);
  });

  it('A run needs a state folder that it can write [X6]', async () => {
    const place = makePlace();
    const file = place.write('occupied', 'a file');
    const finished = await place.untildone(work(place), { env: { XDG_STATE_HOME: file } });
    expect(flaws(place, finished, /occupied/, /\S/)).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe('a file');
  });

  it('A run parks on a full disk with one sentence, and continues when there is space [X6]', async (context) => {
    const place = makePlace();
    const small = join(place.folder, 'small');
    mkdirSync(small);
    const mounted = spawnSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=48k', 'tmpfs', small]);
    if (mounted.status !== 0) {
      return context.skip(`a small disk cannot be made here: ${String(mounted.stderr ?? mounted.error)}`);
    }
    try {
      const env = { XDG_STATE_HOME: small };
      const { code, stdout, stderr } = await place.untildone(work(place), { env });
      expect(`${stdout}${stderr}`).toMatch(/space|disk/i);
      expect(`${stdout}${stderr}`).not.toMatch(/bug in untildone|\n\s+at .*:\d+/);
      expect([2, 6]).toContain(code);
      execFileSync('/bin/mount', ['-o', 'remount,size=64m', small]);
      const again = await place.untildone(work(place), { env });
      expect(again.stdout).toMatch(/✅ Completed/);
      expect(again.code).toBe(0);
    } finally {
      execFileSync('/bin/umount', ['-l', small]);
    }
  });

  it('On a Node that is too old, the program names the version it needs [X6]', async (context) => {
    const place = makePlace();
    const old = ['/usr/bin/node', '/usr/local/bin/node'].find((file) => isTooOld(file));
    if (old === undefined) return context.skip('this machine has no Node that is too old');
    const options = { cwd: place.repo, env: place.env, outputDir: join(place.folder, 'output') };
    const finished = await startProgram(old, [join(packageFolder(), 'bin/untildone.js'), 'run'], options)
      .ended;
    expect(flaws(place, finished, /needs Node 22\.18 or newer/, /install a current Node/)).toEqual([]);
  });

  it('A run works without a terminal, with its output closed at once [X6]', async () => {
    const place = makePlace();
    const command = `'${bin()}' ${work(place)
      .map((word) => `'${word}'`)
      .join(' ')} | head -1; exit \${PIPESTATUS[0]}`;
    const options = { cwd: place.repo, env: place.env, outputDir: join(place.folder, 'output') };
    const { code } = await startProgram('/bin/bash', ['-c', command], options).ended;
    expect(code).toBe(0);
  });
});

describe('Several runs at once', () => {
  it('A command that does not say which run it means lists the runs and exits with 2 [D5]', async () => {
    const place = makePlace();
    const builder = `sleep 60`;
    const start = (goal: string) => place.start(['run', goal, ...shellAgents(place, { builder })]);
    const drivers = [start('one goal'), start('another goal')];
    await until('two runs', () => runFolders(place).filter((folder) => hasSession(folder)).length === 2);
    const ids = runFolders(place).map((folder) => basename(folder));
    for (const args of [['status'], ['pause'], ['stop', '--now'], ['tell', 'x'], ['resume']]) {
      const { code, stderr } = await place.untildone(args);
      expect({ args, code }).toEqual({ args, code: 2 });
      for (const id of ids) expect(stderr).toContain(id);
    }
    const list = JSON.parse((await place.untildone(['list', '--json'])).stdout) as { runId: string }[];
    expect(JSON.stringify(list)).toContain(ids[0]);
    expect(JSON.stringify(list)).toContain(ids[1]);
    for (const id of ids) expect((await place.untildone(['stop', '--now', id])).code).toBe(0);
    expect((await Promise.all(drivers.map((driver) => driver.ended))).map(({ code }) => code)).toEqual([
      5, 5,
    ]);
  });
});

function hasSession(runFolder: string): boolean {
  return sessionsOf(readEvents(runFolder)).length > 0;
}

function isTooOld(file: string): boolean {
  const { status, stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' });
  return status === 0 && Number(/^v(\d+)/.exec(stdout)?.[1]) < 22;
}
