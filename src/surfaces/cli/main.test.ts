// The real program, started as a person starts it. Whole runs on the packed package are tested elsewhere.
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtEntry } from '#test/program.ts';
import { findBubblewrap } from '#adapters/sandbox/bubblewrap/find-bubblewrap.ts';
import type { ProvenSandbox } from '#app/doctor/prove-sandbox.ts';

const main = builtEntry('cli');
const run = promisify(execFile);
let folder = '';
let repo = '';

interface Said {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function untildone(
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Said> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    ...options.env,
  };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [main, ...args],
      { cwd: options.cwd ?? repo, env, timeout: 600_000 },
      (error, out, err) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
        resolve({ code, out, err });
      },
    );
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'untildone-cli-'));
  repo = join(folder, 'a répo');
  await mkdir(join(repo, 'sub'), { recursive: true });
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-c', 'commit.gpgsign=false', ...args], {
      cwd: repo,
    });
  await git('init', '-q', '-b', 'main');
  await git('commit', '-q', '--allow-empty', '-m', 'base');
  await git('config', 'user.name', 't');
  await git('config', 'user.email', 't@localhost');
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('wrong usage: one sentence, a hint and exit 2, without a stack [X3] [X6]', () => {
  it('A key in .env beside a login is refused without a terminal, and the hint names both flags [X6]', async () => {
    const home = join(folder, 'home');
    await mkdir(join(home, '.claude'), { recursive: true });
    await writeFile(join(home, '.claude/.credentials.json'), '{"claudeAiOauth":{}}');
    await writeFile(join(repo, '.env'), 'ANTHROPIC_API_KEY=sk-ant-not-a-real-key\n');
    try {
      const { code, out, err } = await untildone(['run', 'g', '--agent', 'claude'], { env: { HOME: home } });
      expect([code, out]).toEqual([2, '']);
      expect(err).toMatch(/your Claude subscription or by the key ANTHROPIC_API_KEY in \.env/);
      expect(err).toMatch(/Hint: Use --pay login or --pay key/);
      const wrong = await untildone(['run', 'g', '--agent', 'claude', '--pay', 'me'], {
        env: { HOME: home },
      });
      expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('neither login nor key')]);
    } finally {
      await rm(join(repo, '.env'));
    }
  });

  it('A command outside a repository, or without git, is refused [X6]', async () => {
    const outside = await untildone(['status'], { cwd: folder });
    expect([outside.code, outside.err]).toEqual([2, expect.stringContaining('not in a git repository')]);
    const without = await untildone(['status'], { env: { PATH: folder } });
    expect([without.code, without.err]).toEqual([2, expect.stringContaining('git was not found')]);
  });

  it('A bad variable is refused, and a bad file with its line [B10] [X6]', async () => {
    const variable = await untildone(['run', 'g'], { env: { WIGGUM_MAX_LOOPS: 'abc' } });
    expect([variable.code, variable.err]).toEqual([2, expect.stringContaining('WIGGUM_MAX_LOOPS is "abc"')]);
    await mkdir(join(repo, 'sub/.untildone'), { recursive: true });
    await writeFile(join(repo, 'sub/.untildone/config.jsonc'), '{\n  "bugdet": {}\n}');
    const file = await untildone(['config', 'show'], { cwd: join(repo, 'sub') });
    expect([file.code, file.err]).toEqual([
      2,
      expect.stringMatching(/config\.jsonc:2:3: unknown key "bugdet"; did you mean "budget"\?/),
    ]);
  });

  it('An error is one JSON object with --json [X3]', async () => {
    const { code, out } = await untildone(['status', 'nope', '--json']);
    expect([code, JSON.parse(out)]).toEqual([
      2,
      { error: { code: 'no-run', message: 'There is no run "nope".', hint: expect.any(String) as string } },
    ]);
  });
});

describe('commands that need no run', () => {
  it('Each command prints help with examples', async () => {
    const commands = [
      'run',
      'status',
      'stats',
      'list',
      'show',
      'logs',
      'record',
      'pause',
      'resume',
      'stop',
      'tell',
      'doctor',
      'config show',
      'notify test',
      'init',
      'demo',
    ];
    for (const command of commands) {
      const { code, out } = await untildone([...command.split(' '), '--help']);
      expect([command, code, /\nExamples?:\n {2}untildone /.test(out), out.includes('--json')]).toEqual([
        command,
        0,
        true,
        true,
      ]);
    }
  });

  it('A command without its subcommand prints its help, without an error', async () => {
    for (const [group, subcommand] of [
      ['config', 'show'],
      ['notify', 'test'],
    ] as const) {
      const { code, out, err } = await untildone([group]);
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain(`Usage: untildone ${group}`);
      expect(out).toMatch(new RegExp(`^ {2}${subcommand} `, 'm'));
    }
  });

  it('Init makes the missing files and never overwrites; config show names the source of each value [B2]', async () => {
    const plan = join(repo, 'harness/project/CLAUDE.md');
    await mkdir(join(repo, 'harness/project'), { recursive: true });
    await writeFile(plan, 'mine');
    const { code, out } = await untildone(['init', '--json']);
    expect([code, JSON.parse(out)]).toEqual([
      0,
      {
        files: [
          { path: '.untildone/config.jsonc', isNew: true },
          { path: 'harness/project/CLAUDE.md', isNew: false },
        ],
      },
    ]);
    expect(await readFile(plan, 'utf8')).toBe('mine');
    const shown = await untildone(['config', 'show'], { env: { WIGGUM_COOLDOWN_SECONDS: '7' } });
    expect(shown.out).toMatch(/cooldown +7 {2}\(environment: WIGGUM_COOLDOWN_SECONDS\)/);
    expect(shown.out).toMatch(/budget\.usd +20 {2}\(default\)/);
    expect(shown.out).toMatch(/acceptReview +false {2}\(default\)/);
    const review = await untildone(['config', 'show'], { env: { UNTILDONE_ACCEPT_REVIEW: 'true' } });
    expect(review.out).toMatch(/acceptReview +true {2}\(environment: UNTILDONE_ACCEPT_REVIEW\)/);
  });

  it('Config show names the limit of attempts that is in force [X1]', async () => {
    await rm(join(repo, '.untildone'), { recursive: true, force: true });
    const shown = async (settings: object): Promise<string> => {
      await mkdir(join(repo, '.untildone'), { recursive: true });
      await writeFile(join(repo, '.untildone/config.jsonc'), JSON.stringify(settings));
      return (await untildone(['config', 'show'])).out;
    };
    expect(await shown({})).toMatch(/budget\.attempts +20 {2}\(preset: builder-verifier\)/);
    expect(await shown({})).toMatch(/stuck\.max +3 {2}\(default\)/);
    expect(await shown({ preset: 'campaign' })).toMatch(/budget\.attempts +4 {2}\(preset: campaign\)/);
    // There the failures of each criterion count.
    expect(await shown({ preset: 'criteria' })).not.toContain('budget.attempts');
    const both = await shown({ maxLoops: 7, budget: { attempts: 9 } });
    expect(both).toMatch(
      /budget\.attempts +9 {2}\(project: .*; no effect: maxLoops of .*config\.jsonc\S* overrides it\)/,
    );
    const given = await untildone(['config', 'show'], { env: { WIGGUM_MAX_LOOPS: '3' } });
    expect(given.out).toMatch(/budget\.attempts +9 .*; no effect: WIGGUM_MAX_LOOPS overrides it\)/);
    for (const name of ['maxIterations', 'maxRetries']) {
      const line = new RegExp(`loops\\.${name} .*no effect: the preset builder-verifier counts attempts`);
      expect(both).toMatch(line);
      expect(await shown({ preset: 'criteria' })).not.toMatch(line);
    }
    expect(both).toMatch(/maxLoops +7 {2}\(project: [^;]*\)/);
    expect(await shown({ maxLoops: 7 })).not.toContain('budget.attempts');
    await rm(join(repo, '.untildone'), { recursive: true });
  });

  it('Config show names a preset and a driver that no run could use [X6]', async () => {
    const settings = { preset: 'foo', agents: { mine: { driver: 'clood' } } };
    await mkdir(join(repo, '.untildone'), { recursive: true });
    await writeFile(join(repo, '.untildone/config.jsonc'), JSON.stringify(settings));
    const { code, out } = await untildone(['config', 'show']);
    expect(code).toBe(0);
    expect(out).toMatch(/⚠️ {2}\S.*config\.jsonc:1:2: there is no preset "foo"\. The presets are builder-/);
    expect(out).toMatch(
      /⚠️ {2}\S.*config\.jsonc:1:\d+: there is no agent driver "clood"\. The drivers are acp,/,
    );
    const { problems } = JSON.parse((await untildone(['config', 'show', '--json'])).out) as {
      problems: string[];
    };
    expect(problems).toHaveLength(2);
    await rm(join(repo, '.untildone'), { recursive: true });
    expect((await untildone(['config', 'show'])).out).not.toContain('⚠️');
  });

  it('A watch that wakes once says if no run is due', async () => {
    expect(await untildone(['watch', '--once'])).toMatchObject({ code: 0, out: 'No run is due.\n' });
    expect(await untildone(['watch', '--once', '--json'])).toMatchObject({ code: 0, out: '' });
  });

  it('The demonstration names no command for a repository that it has removed', async () => {
    const { code, out } = await untildone(['demo'], { env: { UNTILDONE_CHECK_RUNS: '1' } });
    expect(code).toBe(0);
    expect(out).toContain('✅ Completed: ');
    expect(out).not.toMatch(/untildone land|git diff|^Logs: |^Next: /m);
    expect(out).toContain('The demo repository is removed');
    const folder = /Demo in (\S+):/.exec(out)?.[1] ?? '';
    expect(existsSync(folder)).toBe(false);
  });

  it('The demonstration of the action loop recovers from a mistake and reaches its proof, without a person [A1] [A8]', async () => {
    const { code, out } = await untildone(['demo', '--preset', 'actions'], {
      env: { UNTILDONE_CHECK_RUNS: '1' },
    });
    expect(code).toBe(0);
    const taken = [...out.matchAll(/\[Iteration (\d+)\] Action: (\w+), Status: (\w+)/g)];
    expect(taken.map(([, iteration, action, status]) => `${iteration} ${action} ${status}`)).toEqual([
      '1 INIT success',
      '2 DEVELOP success',
      '2 VALIDATE failed',
      '3 DEBUG success',
      '3 VALIDATE success',
      '3 COMPLETE success',
    ]);
    expect(out).toContain('"status":"confirmed"');
    expect(out).toContain('Loop completed successfully');
    expect(existsSync(/Demo in (\S+):/.exec(out)?.[1] ?? '')).toBe(false);
  });

  it.each([
    [['--preset', 'campaign'], 'There is no demo of the preset "campaign".'],
    [['--mode', 'interactive'], '--mode is for the preset actions.'],
    [['--preset', 'actions', '--mode', 'interactive'], 'The menu of --mode interactive needs a terminal.'],
    [
      ['--preset', 'actions', '--mode', 'manual'],
      '--mode is "manual", which is neither auto nor interactive.',
    ],
  ])('The demonstration refuses %j in one sentence [X6]', async (flags, sentence) => {
    const { code, out, err } = await untildone(['demo', ...flags]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(sentence);
  });

  it('Notify test reports each delivery, and no command shows the address of a webhook [C11]', async () => {
    await mkdir(join(repo, '.untildone'), { recursive: true });
    const notify = ['terminal', { to: 'webhook', url: 'http://127.0.0.1:1/hook/s3cret-path' }];
    await writeFile(join(repo, '.untildone/config.jsonc'), JSON.stringify({ notify }));
    const tested = await untildone(['notify', 'test', '--json']);
    expect([tested.code, JSON.parse(tested.out)]).toEqual([
      1,
      {
        notifiers: [
          { name: 'terminal', kind: 'skipped', why: 'there is no terminal' },
          {
            name: 'webhook (json) at 127.0.0.1:1',
            kind: 'failed',
            problem: 'nothing listens there (ECONNREFUSED)',
            mayRetry: true,
          },
        ],
        problems: [],
      },
    ]);
    const shown = await untildone(['config', 'show']);
    expect(shown.out).toContain('"url":"[redacted]"');
    expect(tested.out + shown.out).not.toContain('s3cret-path');
  });

  it('Doctor reports the ready agents and a missing sandbox', async () => {
    const without = { env: { UNTILDONE_SANDBOX: 'none', OPENAI_API_KEY: 'sk-0' } };
    const { code, out } = await untildone(['doctor'], without);
    expect(code).toBe(0);
    expect(out).toMatch(/^Ready\. Agents: .*openai \(API key\)/);
    expect(out).toContain('NOT SANDBOXED');
    expect(JSON.parse((await untildone(['doctor', '--json'], without)).out)).toMatchObject({
      repository: repo,
      sandbox: { available: false },
    });
  });

  it('Doctor fails if no agent could work, and says so first [X3]', async () => {
    const env = { UNTILDONE_SANDBOX: 'none', OLLAMA_HOST: '127.0.0.1:1' };
    const [{ code, out }, json] = [
      await untildone(['doctor'], { env }),
      await untildone(['doctor', '--json'], { env }),
    ];
    const found = JSON.parse(json.out) as { verdict: string; agents: { state: string }[] };
    const hasNone = found.agents.every(({ state }) => state === 'missing');
    expect([code, json.code]).toEqual(hasNone ? [1, 1] : [0, 0]);
    expect(out.split('\n')[0]).toBe(found.verdict);
    expect(found.verdict.startsWith('Not ready: no agent was found. Install one')).toBe(hasNone);
  });

  it('Doctor exits with an error if a configuration cannot be read [X3]', async () => {
    await mkdir(join(repo, '.untildone'), { recursive: true });
    await writeFile(join(repo, '.untildone/config.jsonc'), '{ "chekcs": [] }');
    const { code, out } = await untildone(['doctor'], { env: { UNTILDONE_SANDBOX: 'none' } });
    await rm(join(repo, '.untildone'), { recursive: true });
    expect(code).toBe(2);
    expect(out).toMatch(/^Not ready: the configuration cannot be read\. .*config\.jsonc:1:3.*chekcs/);
  });

  it.runIf('path' in findBubblewrap())(
    'Doctor proves each promise of the sandbox, and the location of the work, by trying it [C10]',
    async () => {
      const { out } = await untildone(['doctor', '--json']);
      const { sandbox, work, disk } = JSON.parse(out) as {
        disk: { readonly [part: string]: number };
        sandbox: ProvenSandbox;
        work: ProvenSandbox['proofs'];
      };
      expect(disk).toEqual({
        state: expect.any(Number) as number,
        worktrees: expect.any(Number) as number,
        caches: expect.any(Number) as number,
        total: expect.any(Number) as number,
      });
      expect(work.map(({ promise, isProven }) => [promise, isProven])).toEqual([
        ['main and your checkout stay as they are', true],
        ['every change is committed, on a branch of its own', true],
      ]);
      expect(sandbox).toMatchObject({ kind: 'bubblewrap', available: true });
      expect(sandbox.proofs.length).toBeGreaterThan(7);
      expect(sandbox.proofs.filter((one) => !one.isProven)).toEqual([]);
    },
  );

  it('List is empty, and an empty document, before the first run', async () => {
    expect(JSON.parse((await untildone(['list', '--json'])).out)).toEqual([]);
    expect((await untildone(['stats'])).out).toContain('Total loops: 0');
  });
});

describe('control of a run', () => {
  it('A process of a run, and its children, may not control the run [Q5]', async () => {
    for (const args of [
      ['pause'],
      ['resume'],
      ['stop', '--now'],
      ['tell', 'x'],
      ['approve'],
      ['approve', 'r0'],
    ]) {
      const { code, err } = await untildone(args, { env: { UNTILDONE_MARK: 'r1/0003-builder' } });
      expect([code, err]).toEqual([2, expect.stringContaining('an agent may not control its own run')]);
    }
  });

  it.runIf(process.platform === 'linux')(
    'A process that drops the mark from its environment is still recognised as part of its run',
    async () => {
      const script = `env -u UNTILDONE_MARK "${process.execPath}" "${main}" stop; true`;
      const child = spawn('sh', ['-c', script], {
        cwd: repo,
        env: {
          PATH: process.env['PATH'] ?? '',
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
          HOME: folder,
          UNTILDONE_MARK: 'r1/x',
        },
      });
      let err = '';
      child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
      await new Promise((resolve) => child.on('close', resolve));
      expect(err).toContain('started by the run r1');
    },
  );
});

it('A reader that closes the pipe early causes no error', async () => {
  const script = `"${process.execPath}" "${main}" run --help | head -c 1; exit 0`;
  const { stderr } = await run('sh', ['-c', script], { cwd: repo });
  expect(stderr).toBe('');
});
