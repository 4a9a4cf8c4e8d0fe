import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeCheck } from '#kernel/model/check.ts';
import { createInfer, inferChecks } from './infer-checks.ts';
import { openSite } from '#app/site.ts';

let root = '';

const files = {
  'package.json': '{"scripts":{"test":"vitest run"},"config":{"port":1}}',
  'src/log.ts': 'export const logger = { info() {} };\n// function ghost() {}\n',
  'src/app.ts': 'export function start() {}\n',
  'src/LoginPage.tsx': 'export function LoginPage() { return <p/>; }\n',
  'pkg/go.mod': 'module x\n',
  'pkg/main.go': 'package main\nfunc main() {}\n',
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'untildone-infer-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'start');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function git(...args: string[]): void {
  execFileSync('git', args, { cwd: root });
}

async function understood(texts: readonly string[], folder = root): Promise<string[]> {
  const site = await openSite(folder, { ...process.env, HOME: root, XDG_STATE_HOME: join(root, '.state') });
  const found = await inferChecks(site, texts, 1000);
  return found.map((one) => (one.kind === 'ask' ? 'ask' : one.checks.map(describeCheck).join(' + ')));
}

test('Sentences are interpreted from the content of the commit [K6]', async () => {
  const texts = [
    'All tests pass',
    'logger is used in src/app.ts',
    'ghost is used in src/app.ts',
    'LoginPage renders `logger`',
    '`config.port` is set to 2 in package.json',
    'app.ts exports `stop`',
    'it handles errors',
  ];
  expect(await understood(texts)).toEqual([
    'npm test',
    'use of logger in src/app.ts',
    'ask',
    'use of logger in src/LoginPage.tsx',
    'package.json has config.port = 2',
    'export stop in src/app.ts',
    'ask',
  ]);
});

test('Inference ignores files of the checkout that are in no commit [K6]', async () => {
  writeFileSync(join(root, 'package.json'), '{"scripts":{"test":"true"}}');
  writeFileSync(join(root, 'src/ghost.ts'), 'export const ghost = 1;');
  rmSync(join(root, 'src/log.ts'));
  expect(await understood(['ghost is used in src/app.ts', 'logger is used in src/app.ts'])).toEqual([
    'ask',
    'use of logger in src/app.ts',
  ]);
});

test('A run that is started in a folder sees that folder [K6]', async () => {
  expect(await understood(['All tests pass', 'main.go exists'], join(root, 'pkg'))).toEqual([
    'go test ./...',
    'main.go exists',
  ]);
});

test('A guessed check is offered to a person and decides nothing [K6]', async () => {
  writeFileSync(join(root, 'package.json'), '{"scripts":{"start":"node ."},"dependencies":{"react":"19"}}');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qam', 'a page');
  const site = await openSite(root, { ...process.env, HOME: root, XDG_STATE_HOME: join(root, '.state') });
  const infer = createInfer(site, 1000);
  const [seen, answered] = [
    await infer('The login page shows "Sign in"'),
    await infer('GET /health returns 200'),
  ];
  expect([seen.checks, answered.checks]).toEqual([null, null]);
  expect(JSON.stringify(seen)).toContain('Sign in');
  expect(JSON.stringify(answered)).toContain('/health answers 200');
});
