// The commands about finished work, started as a person starts them.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtEntry } from '#test/program.ts';

const limit = 600_000;
const main = builtEntry('cli');
let folder = '';
let repo = '';

interface Said {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function start(file: string, args: readonly string[], env: Record<string, string> = {}): Promise<Said> {
  const whole = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    ...env,
  };
  return new Promise((resolve) => {
    execFile(file, args, { cwd: repo, env: whole, timeout: limit }, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ code, out, err });
    });
  });
}

const untildone = (...args: string[]): Promise<Said> => start(process.execPath, [main, ...args]);
const git = async (...args: string[]): Promise<string> => (await start('git', args)).out.trimEnd();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'untildone-proof-cli-'));
  repo = join(folder, 'repo');
  await mkdir(repo);
  await writeFile(join(folder, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.invalid\n');
  await git('init', '-q', '-b', 'main');
  await git('commit', '-q', '--allow-empty', '-m', 'base');
  const flood = { run: 'i=0; while [ $i -lt 3000 ]; do echo "line $i"; i=$((i+1)); done' };
  const turns = [
    {
      role: 'builder',
      actions: [
        flood,
        { say: 'I write it.\n' },
        { write: { path: 'done.txt', text: 'right\n' } },
        { say: '\n===WIGGUM_COMPLETE===\n' },
      ],
    },
    { role: 'verifier', actions: [{ say: '\n===VERIFIER_COMPLETE===\n' }] },
  ];
  await writeFile(join(folder, 'script.json'), JSON.stringify({ turns }));
  const agent = `scripted:${join(folder, 'script.json')}`;
  const done = await untildone(
    'run',
    'do it',
    '--check',
    'grep -q right done.txt',
    '--agent',
    agent,
    '--cooldown',
    '0',
  );
  if (done.code !== 0) throw new Error(done.out + done.err);
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

describe('replay [X5]', () => {
  it('Replay shows a run as it happened, without an agent and without a terminal', async () => {
    await rm(join(folder, 'script.json'));
    const { code, out } = await untildone('replay');
    expect(code).toBe(0);
    expect(out).toMatch(
      /builder_001 starts[\s\S]*I write it\.[\s\S]*accepted on a clean checkout[\s\S]*Completed/,
    );
    const fast = await untildone('replay', '--speed', '100000');
    expect(fast.out.replaceAll(/ {4}.*\n/g, '')).toBe(out.replaceAll(/ {4}.*\n/g, ''));
  });

  it('Replay gives the exact events of the journal with --json, and refuses an invalid speed', async () => {
    const { out } = await untildone('replay', '--json');
    const lines = out.trimEnd().split('\n');
    const shown = JSON.parse((await untildone('show', '--json')).out) as { events: unknown[] };
    expect(lines.slice(0, -1).map((line) => JSON.parse(line) as unknown)).toEqual(shown.events);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ type: 'result', outcome: 'completed' });
    expect(await untildone('replay', '--speed', '-1')).toMatchObject({ code: 2 });
  });
});

describe('verify, export and report [X4]', () => {
  it('The exit code of verify says whether the run is proven again, and whether it is signed', async () => {
    const fine = await untildone('verify', '--json');
    expect(fine.code).toBe(0);
    expect(JSON.parse(fine.out)).toMatchObject({ isProven: true, exitCode: 0 });
    const unsigned = await untildone('verify', '--signature');
    expect(unsigned.code).toBe(1);
    expect(unsigned.out).toContain('There is no valid signature');
    expect(await untildone('verify', 'nowhere')).toMatchObject({ code: 2 });
    expect(JSON.parse((await untildone('export')).out)).toMatchObject({ predicate: { result: 'PASSED' } });
    expect(await untildone('export', '--format', 'other')).toMatchObject({ code: 2 });
  });

  it('Report writes a page and a text for a pull request', async () => {
    const file = join(folder, 'page.html');
    expect((await untildone('report', '--html', file)).code).toBe(0);
    expect(await readFile(file, 'utf8')).toMatch(/^<!doctype html>[\s\S]*completed/);
    expect((await untildone('report')).out).toMatch(/^## ✅ completed: do it/);
    expect(await untildone('report', '--html', join(folder, 'no', 'such', 'x.html'))).toMatchObject({
      code: 2,
    });
  });
});

describe('land [X12] [X13]', () => {
  it('Land is refused from inside a run, and nothing is touched', async () => {
    const before = await git('for-each-ref');
    const env = { UNTILDONE_MARK: 'some-run/1' };
    for (const args of [['land'], ['export', '--note'], ['export', '--sign']]) {
      const inside = await start(process.execPath, [main, ...args], env);
      expect(inside.code).toBe(2);
      expect(inside.err).toMatch(/started by the run some-run/);
    }
    expect(await git('for-each-ref')).toBe(before);
  });

  it('Land refuses a commit that names a run and has other files than the run proved [X13]', async () => {
    const [branch = ''] = (await git('branch', '--format=%(refname:short)', '--list', 'untildone/*')).split(
      '\n',
    );
    const message = await git('log', '-1', '--format=%B', branch);
    await git('switch', '-q', '--detach', branch);
    await writeFile(join(repo, 'more.txt'), 'not proven\n');
    await git('add', 'more.txt');
    await git('commit', '-q', '-m', message);
    const commit = await git('rev-parse', 'HEAD');
    await git('switch', '-q', 'main');
    const before = await git('rev-parse', 'main');
    expect(await untildone('land', commit)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/This is not the commit that run \S+ has proven/) as string,
    });
    expect(await git('rev-parse', 'main')).toBe(before);
  });

  it('Land from a detached HEAD requires a target, and lands there', async () => {
    await git('switch', '-q', '--detach');
    const lost = await untildone('land');
    expect(lost).toMatchObject({ code: 2, err: expect.stringContaining('detached HEAD') as string });
    expect(await untildone('land', '--branch', 'untildone/x')).toMatchObject({ code: 2 });
    expect(await untildone('land', '--pr', '--squash')).toMatchObject({ code: 2 });
    const landed = await untildone('land', '--branch', 'main', '--json');
    expect(JSON.parse(landed.out)).toMatchObject({ kind: 'landed', removed: ['branch'], exitCode: 0 });
    expect(await git('show', 'main:done.txt')).toBe('right');
    expect(await git('branch', '--list', 'untildone/*')).toBe('');
  });

  it('Land refuses a run that has proven nothing', async () => {
    await git('switch', '-q', 'main');
    const turns = [
      {
        role: 'builder',
        actions: [{ write: { path: 'more.txt', text: 'x\n' } }, { say: '\n===WIGGUM_COMPLETE===\n' }],
      },
      { role: 'verifier', actions: [{ say: '\n===VERIFIER_COMPLETE===\n' }] },
    ];
    await writeFile(join(folder, 'more.json'), JSON.stringify({ turns }));
    const ended = await untildone(
      'run',
      'more',
      '--preset',
      'builder-verifier',
      '--check',
      'false',
      '--max-loops',
      '1',
      '--agent',
      `scripted:${join(folder, 'more.json')}`,
      '--cooldown',
      '0',
    );
    expect(ended.code).toBe(3);
    const before = await git('rev-parse', 'main');
    expect(await untildone('land')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/exhausted/) as string,
    });
    expect(await git('rev-parse', 'main')).toBe(before);
  });

  it('Land accepts unproven work only on request, and says so everywhere', async () => {
    const actions = [{ write: { path: 'more.txt', text: 'x\n' } }, { say: '\n===WIGGUM_COMPLETE===\n' }];
    await writeFile(join(folder, 'green.json'), JSON.stringify({ turns: [{ role: 'builder', actions }] }));
    const agent = `scripted:${join(folder, 'green.json')}`;
    const ended = await untildone(
      'run',
      'green',
      '--preset',
      'criteria',
      '--check',
      'true',
      '--agent',
      agent,
    );
    expect(ended.code).toBe(7);
    const before = await git('rev-parse', 'main');
    const refused = await untildone('land');
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('is not proven') as string });
    expect(refused.err).toMatch(
      /If it is done: untildone approve \S+\. Without proof: untildone land \S+ --unproven\n/,
    );
    expect(await git('rev-parse', 'main')).toBe(before);
    expect(await untildone('land', '--pr')).toMatchObject({ code: 2, err: refused.err });
    const { code, out } = await untildone('land', '--unproven', '--squash', '--keep');
    expect(code).toBe(0);
    expect(out).toMatch(/Landed WITHOUT PROOF the run[\s\S]*It ended as unverified/);
    expect(await git('log', '-1', '--format=%b', 'main')).toContain('Landed without proof.');
    expect(await git('notes', '--ref=untildone', 'list', 'main')).toBe('');
    expect((await untildone('show')).out).toContain('landed WITHOUT PROOF on main');
    expect((await untildone('list')).out).toMatch(/unverified, on main/);
    // Brought there by hand, it is still not proven.
    const [branch = ''] = (
      await git('for-each-ref', '--sort=-creatordate', '--format=%(refname)', 'refs/heads/untildone')
    ).split('\n');
    await git('branch', 'by-hand', branch);
    const there = await untildone('land', '--unproven', '--branch', 'by-hand', '--json');
    expect(JSON.parse(there.out)).toMatchObject({ kind: 'there already', isProven: false });
  });
});
