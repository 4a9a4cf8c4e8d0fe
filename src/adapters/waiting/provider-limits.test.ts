import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as clients from '#agents/clients.ts';
import type { AgentConfig } from '#kernel/model/config.ts';
import type { Admission } from '#ports/admission.ts';
import { createProviderLimits } from './provider-limits.ts';

const hourMs = 3_600_000;
const claude = { name: 'claude', model: null };
let home = '';
let folder = '';
let now = 0;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'untildone-limits-'));
  folder = join(home, 'limits');
  now = 1_800_000_000_000;
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

interface Known {
  readonly runId?: string;
  readonly env?: { readonly [name: string]: string };
  readonly agent?: Partial<AgentConfig>;
}

function open({ runId = 'run-1', env = {}, agent = {} }: Known = {}): Admission {
  const payer = { kind: 'subscription', name: 'your subscription' } as const;
  return createProviderLimits({
    folder,
    runId,
    agents: { claude: { driver: 'claude', env: [], options: {}, payer, ...agent } },
    envFor: () => env,
    waitMsMax: 12 * hourMs,
    accountVariables: Object.values(clients).flatMap((client) => client.accountVariables),
    now: () => now,
  });
}

function onlyFile(): string {
  const [name, ...more] = readdirSync(folder);
  expect(more).toEqual([]);
  return join(folder, name ?? '');
}

test('A limit that one run reached applies to every run of the account until it ends, and to no other account [U5]', () => {
  const until = now + hourMs;
  open().noteLimit(claude, { until, reason: 'used up' });
  const other = open({ runId: 'run-2' });
  expect(other.limitOf(claude)).toMatchObject({ until, reason: 'used up', runId: 'run-1' });
  expect(other.limitOf({ name: 'claude', model: 'small' })).toBeNull();
  expect(open({ agent: { driver: 'codex' } }).limitOf(claude)).toBeNull();
  expect(open({ agent: { options: { baseUrl: 'http://127.0.0.1:1' } } }).limitOf(claude)).toBeNull();
  expect(open({ env: { CLAUDE_CONFIG_DIR: '/other' } }).limitOf(claude)).toBeNull();
  now = until;
  expect(other.limitOf(claude)).toBeNull();
  expect(readdirSync(folder)).toEqual([]);
});

test('The name of the file stays the same for an account, so that runs of an older program know the limit too [U5]', () => {
  const env = { CLAUDE_CONFIG_DIR: '/c', CLAUDE_CODE_OAUTH_TOKEN: 't', CODEX_HOME: '/x' };
  open({ env }).noteLimit(claude, { until: now + hourMs, reason: 'used up' });
  expect(onlyFile()).toBe(join(folder, '982c2f2622d93be9c463893a.json'));
});

test('Two keys are two accounts, and no key is written to the disk [U5] [X7]', () => {
  const payer = { kind: 'key', name: 'SOME_KEY (from .env)' } as const;
  const first = open({ agent: { payer }, env: { SOME_KEY: 'sk-one-secret' } });
  first.noteLimit(claude, { until: now + hourMs, reason: 'used up' });
  expect(first.limitOf(claude)).not.toBeNull();
  expect(open({ agent: { payer }, env: { SOME_KEY: 'sk-two-secret' } }).limitOf(claude)).toBeNull();
  const file = onlyFile();
  expect(`${file}${readFileSync(file, 'utf8')}`).not.toContain('secret');
  expect(statSync(file).mode & 0o077).toBe(0);
});

test('A limit without a known end keeps sessions from starting for 15 minutes; one in the past changes nothing [U5]', () => {
  open().noteLimit(claude, { until: now - 1, reason: 'over' });
  expect(open().limitOf(claude)).toBeNull();
  open().noteLimit(claude, { until: null, reason: 'used up' });
  expect(open().limitOf(claude)?.until).toBe(now + hourMs / 4);
  open().noteLimit(claude, { until: now + hourMs, reason: 'used up' });
  open().noteLimit(claude, { until: now + 1_000, reason: 'used up' });
  expect(open().limitOf(claude)?.until).toBe(now + hourMs);
});

test('A success clears a limit that was reached before the session began, and no later one [U5]', () => {
  const admission = open();
  admission.noteLimit(claude, { until: now + hourMs, reason: 'used up' });
  admission.noteSuccess(claude, now - 1);
  expect(admission.limitOf(claude)).not.toBeNull();
  admission.noteSuccess(claude, now + 1);
  expect(admission.limitOf(claude)).toBeNull();
});

test('Terminal control codes are removed from the reason of a limit [U5] [X7]', () => {
  open().noteLimit(claude, { until: now + hourMs, reason: 'used \u001B]0;mine\u0007up' });
  expect(open().limitOf(claude)?.reason).toBe('used  ]0;mine up');
});

test('The known limits of an agent can be cleared, as a resume by a person does [U5]', () => {
  const admission = open();
  admission.noteLimit(claude, { until: now + hourMs, reason: 'used up' });
  admission.forget([claude]);
  expect(admission.limitOf(claude)).toBeNull();
});

test.each([
  ['nothing', ''],
  ['no JSON', '{"until": 12'],
  ['another shape', '[1, 2]'],
  ['null', 'null'],
  ['a text as the end', '{"until":"later","at":1,"reason":"","runId":""}'],
  ['an end that is no number', '{"until":1e999,"at":1,"reason":"","runId":""}'],
  ['the year 9999', `{"until":${Date.UTC(9999, 0)},"at":1,"reason":"x","runId":"y"}`],
  ['13 hours ahead', `{"until":${1_800_000_000_000 + 13 * hourMs},"at":1,"reason":"x","runId":"y"}`],
  [
    'more than is ever written',
    JSON.stringify({ until: 1_800_000_001_000, at: 1, reason: 'x'.repeat(100_000), runId: '' }),
  ],
  ['an id that no run has', '{"until":1800000001000,"at":1,"reason":"","runId":"a b"}'],
  ['bytes', Buffer.from([0, 255, 254, 7]).toString('latin1')],
])(
  'A limit file with %s as its content keeps no session from starting, and the next limit replaces it [U5] [X5]',
  (_, text) => {
    const admission = open();
    admission.noteLimit(claude, { until: now + hourMs, reason: 'used up' });
    writeFileSync(onlyFile(), text);
    expect(admission.limitOf(claude)).toBeNull();
    admission.noteLimit(claude, { until: now + hourMs, reason: 'used up' });
    expect(admission.limitOf(claude)?.until).toBe(now + hourMs);
  },
);

test('A folder that cannot be made, or a folder in the place of the limit file, keeps no session from starting [U5] [X5]', () => {
  writeFileSync(folder, 'a file');
  const admission = open();
  admission.noteLimit(claude, { until: now + hourMs, reason: 'used up' });
  admission.noteSuccess(claude, now);
  admission.forget([claude]);
  expect(admission.limitOf(claude)).toBeNull();
  rmSync(folder);
  admission.noteLimit(claude, { until: now + hourMs, reason: 'used up' });
  const file = onlyFile();
  rmSync(file);
  mkdirSync(file);
  expect(admission.limitOf(claude)).toBeNull();
  admission.noteLimit(claude, { until: now + hourMs, reason: 'used up' });
  admission.noteSuccess(claude, now);
  expect(admission.limitOf(claude)).toBeNull();
});

test('A pipe without a writer does not block the driver [U5] [X5]', async () => {
  open().noteLimit(claude, { until: now + hourMs, reason: 'used up' });
  const file = onlyFile();
  rmSync(file);
  await promisify(execFile)('mkfifo', [file]);
  expect(open().limitOf(claude)).toBeNull();
});

test('Processes that write, read and remove at the same time never see half a limit and leave no draft [U5] [X5]', async () => {
  const module = fileURLToPath(new URL('provider-limits.ts', import.meta.url));
  const program = `
    const { createProviderLimits } = await import(${JSON.stringify(module)});
    const [folder, runId] = process.argv.slice(1);
    const agents = { claude: { driver: 'claude', env: [], options: {} } };
    const claude = { name: 'claude', model: null };
    const limits = createProviderLimits({ folder, runId, agents, envFor: () => ({}), accountVariables: [], waitMsMax: 1e9, now: Date.now });
    const reasons = new Set();
    for (let n = 0; n < 300; n += 1) {
      limits.noteLimit(claude, { until: Date.now() + 60_000 + n, reason: 'x'.repeat(200) });
      const seen = limits.limitOf(claude);
      if (seen !== null) reasons.add(seen.reason + seen.runId.length);
      if (n % 50 === 0) limits.noteSuccess(claude, Date.now() + 1);
    }
    console.log(JSON.stringify([...reasons]));`;
  const seen = await Promise.all(
    ['run-1', 'run-2', 'run-3', 'run-4'].map((runId) =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, folder, runId]),
    ),
  );
  for (const { stdout } of seen) expect(JSON.parse(stdout)).toEqual([`${'x'.repeat(200)}5`]);
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});
