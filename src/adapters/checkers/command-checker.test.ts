import { createRedactor } from '#config/redact.ts';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Finding } from '#ports/checker.ts';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import { createChecker } from './create-checker.ts';
import { judge } from './judge.ts';
import { shellCommand } from './command-checker.ts';

const processes = createProcesses({ confine: 'marker' });
const hasPytest = spawnSync('pytest', ['--version']).status === 0;
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'untildone-check-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

interface Wishes {
  readonly cwd?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly env?: { readonly [name: string]: string };
  readonly secrets?: { readonly [name: string]: string };
  readonly onOutput?: (text: string) => void;
}

function check(run: string, wishes: Wishes = {}): Promise<Finding> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, ...wishes.env };
  const checker = createChecker({
    since: 0,
    browser: { entry: '', chromePath: null, nodePath: '' },
    redactor: createRedactor(wishes.secrets ?? {}),
    processes,
    logsDir: join(home, 'logs'),
    env,
  });
  const command = {
    kind: 'command',
    run,
    cwd: wishes.cwd ?? '',
    timeoutMs: wishes.timeoutMs ?? 600_000,
  } as const;
  const criterion = {
    id: 'c',
    text: 't',
    kind: 'exit',
    required: true,
    when: 'attempt',
    check: command,
  } as const;
  const signal = wishes.signal ?? new AbortController().signal;
  const { onOutput = () => {} } = wishes;
  return checker.check({ criterion, cwd: home, mark: 'run/check', log: 'check.log', signal, onOutput });
}

/** A program that prints `begun` has printed it. */
function begun(): Promise<void> {
  return expect.poll(() => existsSync(join(home, 'logs/check.log')) && log()).toContain('begun');
}

function log(): string {
  return readFileSync(join(home, 'logs/check.log'), 'utf8');
}

it('The finding of a check has the counts of executed and skipped tests, so that a later drop is noticed [K7]', async () => {
  const said = (...lines: string[]): string => `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')}`;
  expect(await check(said('# tests 5', '# pass 4', '# fail 0', '# skipped 1'))).toMatchObject({
    verdict: 'pass',
    ranTests: true,
    tests: { executed: 4, skipped: 1 },
  });
  const plain = await check('true');
  expect([plain.ranTests, plain.tests]).toEqual([undefined, undefined]);
});

it('A secret that a command prints in two pieces is neither in the finding nor in the log', async () => {
  const secrets = { DEPLOY_TOKEN: 'first-half-second-half' };
  const run = "printf 'begun first-half-'; until [ -e go ]; do sleep 0.05; done; echo second-half; exit 1";
  const finding = check(run, { secrets });
  await begun();
  writeFileSync(join(home, 'go'), '');
  expect(await finding).toMatchObject({ verdict: 'fail', tail: 'begun [redacted DEPLOY_TOKEN]\n' });
  expect(log()).toBe('begun [redacted DEPLOY_TOKEN]\n');
});

it('A line of a report stays whole though the other stream prints in the middle of it [K7]', async () => {
  // Each piece waits until the log shows the one before it.
  const once = (text: string): string => `until grep -qF '${text}' logs/check.log; do sleep 0.01; done`;
  const texts: string[] = [];
  const { tail } = await check(
    `printf '2 filtered out'; ${once('2 filtered')}; echo 'error: test failed' >&2; ${once('error: test')}; echo '; finished'; exit 1`,
    { onOutput: (text) => void texts.push(text) },
  );
  expect(tail).toBe('error: test failed\n2 filtered out; finished\n');
  expect(texts.join('')).toBe(tail);
});

it('A secret that a command prints with a colour in its middle is not in the finding', async () => {
  const secrets = { DEPLOY_TOKEN: 'first-half-second-half' };
  const finding = await check(String.raw`printf 'first-half-\033[31msecond-half' >&2; exit 1`, { secrets });
  expect(finding.tail).toBe('[redacted DEPLOY_TOKEN]');
});

describe('the excerpt of a failed command', () => {
  const report = (name: string): string =>
    `echo 'TAP version 13'; echo 'not ok 1 - ${name}'; echo '  error: 3 is not 4'; seq 1 5000 | sed 's/^/ok /'`;

  it('The excerpt of a failed command has the failing test of a long output, even if the tail has none', async () => {
    const { excerpt, tail } = await check(`${report('adds')}; exit 1`);
    expect(tail).not.toContain('adds');
    expect(excerpt).toMatch(/not ok 1 - adds\n {2}error: 3 is not 4/);
    expect(excerpt).toContain('check.log');
  });

  it('The excerpt of a failed command has no secret in it, not even one with a colour in its middle', async () => {
    const secrets = { DEPLOY_TOKEN: 'first-half-second-half' };
    const coloured = String.raw`printf 'not ok 2 - with first-half-\033[31msecond-half\n'`;
    const run = `${coloured}; ${report('uses first-half-second-half')}; exit 1`;
    const { excerpt = '' } = await check(run, { secrets });
    expect(excerpt).toContain('not ok 1 - uses [redacted DEPLOY_TOKEN]');
    expect(excerpt).not.toContain('first-half');
    expect(excerpt).not.toContain('second-half');
  });

  it('The excerpt of a failed command stays short when a program prints 50 MB, and the output is not kept', async () => {
    const { excerpt = '', tail } = await check(
      `yes 'one more line' | head -c 50000000; echo the end; exit 1`,
    );
    expect(excerpt.length).toBeLessThan(4000);
    expect(excerpt).toMatch(/^one more line\n/);
    expect(excerpt).toContain(`characters left out; the whole output: ${join(home, 'logs/check.log')}`);
    expect(excerpt).toContain('the end');
    expect(tail.length).toBeLessThanOrEqual(4096);
  });

  it('A check that passed has no excerpt', async () => {
    expect(await check('seq 1 5000')).not.toHaveProperty('excerpt');
  });
});

describe('verdicts of a command check', () => {
  it('A command check passes on exit 0 and fails on any other code', async () => {
    expect(await check('echo fine')).toMatchObject({
      verdict: 'pass',
      tail: 'fine\n',
      ending: { kind: 'exited', code: 0 },
    });
    expect(await check('echo bad >&2; exit 3')).toMatchObject({
      verdict: 'fail',
      reason: 'exit 3',
      tail: 'bad\n',
    });
    expect(log()).toBe('bad\n');
  });

  it.each(['false | cat', 'exit 4 | tail -5', '(echo ok; exit 1) | tee out.txt | grep ok'])(
    'A pipe hides no failure: %s [K7]',
    async (run) => {
      expect((await check(run)).verdict).toBe('fail');
    },
  );

  it('A program killed by a signal fails its check', async () => {
    expect(await check('kill -9 $$')).toMatchObject({
      verdict: 'fail',
      ending: { kind: 'signalled', signal: 'SIGKILL' },
    });
  });

  it('A program that takes too long fails its check, and the reason names the limit', async () => {
    // The clock advances by itself, and jumps once the program has started.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    try {
      const finding = check('echo begun; sleep 600', { timeoutMs: 300_000 });
      await begun();
      vi.advanceTimersByTime(300_000);
      const reason = 'timed out after 5 min';
      expect(await finding).toMatchObject({ verdict: 'fail', reason, tail: 'begun\n' });
    } finally {
      vi.useRealTimers();
    }
  });

  it('A command that does not exist fails its check; a folder that does not exist makes it unknown', async () => {
    expect(await check('no-such-program-anywhere')).toMatchObject({
      verdict: 'fail',
      ending: { kind: 'exited', code: 127 },
    });
    expect(await check('true', { cwd: 'no/such/folder' })).toMatchObject({
      verdict: 'unknown',
      ending: { kind: 'not-started' },
    });
  });

  it('A cancelled check is unknown, before and while it runs', async () => {
    expect(await check('true', { signal: AbortSignal.abort() })).toMatchObject({ verdict: 'unknown' });
    const control = new AbortController();
    const finding = check('echo begun; sleep 600', { signal: control.signal });
    await begun();
    control.abort();
    expect(await finding).toMatchObject({
      verdict: 'unknown',
      ending: { kind: 'cancelled' },
    });
  });

  it('A check that runs zero tests is unknown, also behind npm test; one that runs a real test passes [K7]', async () => {
    writeFileSync(
      join(home, 'package.json'),
      JSON.stringify({ scripts: { test: "node --test 'none/*.mjs'" } }),
    );
    expect(await check('npm test')).toMatchObject({
      verdict: 'unknown',
      reason: 'exit 0, but node:test executed no test',
    });
    mkdirSync(join(home, 'none'));
    writeFileSync(join(home, 'none/a.mjs'), "import test from 'node:test'; test('a', () => {});");
    expect(await check('npm test')).toMatchObject({ verdict: 'pass' });
  });

  it.runIf(hasPytest)('A pytest check without tests is unknown [K7]', async () => {
    const finding = await check('pytest -p no:cacheprovider', { env: { HOME: process.env['HOME'] ?? '' } });
    expect(finding).toMatchObject({ verdict: 'unknown', ending: { kind: 'exited', code: 5 } });
  });
});

describe('output of a command check', () => {
  it('A command check keeps the end of a flood in whole characters without colours; memory and log stay bounded', async () => {
    const finding = await check(
      `node -e "for (let i = 0; i < 200000; i++) process.stdout.write('üé☃ '.repeat(20)); console.log('\\u001b[31mthe end\\u001b[0m')"`,
    );
    expect(finding.verdict).toBe('pass');
    expect(Buffer.byteLength(finding.tail)).toBeLessThanOrEqual(4096);
    expect(finding.tail).not.toContain('\uFFFD');
    expect(finding.tail.endsWith('the end\n')).toBe(true);
    expect(statSync(join(home, 'logs/check.log')).size).toBeLessThan(3 * 1024 * 1024);
    expect(log()).toMatch(
      /^üé☃ [^]*\n\[\d+ bytes were left out here: the log is kept short\]\n[^]*the end\S*\n$/,
    );
  });

  it('A check gets its own environment, and of ours only the mark [X12]', async () => {
    await check('env', { env: { UNTILDONE_KEY: 'secret', MINE: '1' } });
    expect(log()).toContain('MINE=1');
    expect(log()).not.toContain('UNTILDONE_KEY');
    expect(log()).toContain('UNTILDONE_MARK=run/check');
  });

  it('A check runs in the folder that the criterion names, with its input closed', async () => {
    mkdirSync(join(home, 'pkg'));
    expect((await check('pwd; cat', { cwd: 'pkg' })).tail.trim().endsWith('/pkg')).toBe(true);
  });
});

describe('repeated and piped command checks', () => {
  it('Exit 0 behind a pipe without bash is unknown [K7]', () => {
    const { isExitReliable, command } = shellCommand('a | b', {
      hasBash: false,
      platform: 'linux',
      runNumber: 1,
    });
    expect(command).toEqual(['sh', '-c', 'a | b']);
    const seen = {
      ending: { kind: 'exited', code: 0 },
      isExitReliable,
      tests: { kind: 'unrecognised' },
      timeoutMs: 1,
    } as const;
    expect(judge(seen).verdict).toBe('unknown');
    expect(shellCommand('a || b', { hasBash: false, platform: 'linux', runNumber: 1 }).isExitReliable).toBe(
      true,
    );
  });

  it('A recheck gets other process ids and the same result, so that work cannot pass by a lucky id [K7]', () => {
    const looks = [1, 2, 5].map((look) => {
      const { command } = shellCommand('exit 7', { hasBash: true, platform: 'linux', runNumber: look });
      const [file, ...args] = command as [string, ...string[]];
      return { line: args.at(-1), code: spawnSync(file, args).status };
    });
    expect(looks).toEqual([
      { line: 'exit 7', code: 7 },
      { line: '(:);\nexit 7', code: 7 },
      { line: '(:);(:);(:);(:);\nexit 7', code: 7 },
    ]);
  });
});

const hasMake = spawnSync('sh', ['-c', 'make --version']).status === 0;
const makeNote = hasMake ? '' : ' — NOT RUN: make is missing';

it.runIf(hasMake).each(['npm test', 'make check', 'sh ./check.sh'])(
  `Tests are counted behind %s, and a file that registers none counts as no test [K7]${makeNote}`,
  async (command) => {
    const run = `${process.execPath} --test --test-reporter=tap`;
    writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'x', scripts: { test: run } }));
    writeFileSync(join(home, 'Makefile'), `check:\n\t${run}\n`);
    writeFileSync(join(home, 'check.sh'), `${run}\n`);
    writeFileSync(join(home, 'lib.mjs'), 'export const two = 2;\n');
    const test = `import './lib.mjs';\nimport test from 'node:test';\ntest('one', () => {});\ntest('two', () => {});\n`;
    writeFileSync(join(home, 'a.test.mjs'), test);
    expect(await check(command)).toMatchObject({ verdict: 'pass', tests: { executed: 2 } });
    writeFileSync(join(home, 'lib.mjs'), 'process.exit(0);\n');
    expect(await check(command)).toMatchObject({ verdict: 'pass', tests: { executed: 0 } });
  },
);
