// The preflight list, in a real repository and with real programs on PATH.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite } from '#app/site.ts';
import type { AgentConfig, RunConfig } from '#kernel/model/config.ts';
import { simulatedConfig } from '#test/simulated/simulated-run.ts';
import type { PreflightItem } from '#views/preflight/preflight.ts';
import { readPreflight } from './preflight.ts';

let folder = '';
const at = (path: string): string => join(folder, path);

function put(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text, { mode });
}

function git(...args: string[]): string {
  const as = ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...as, ...args], { cwd: at('repo'), encoding: 'utf8' }).trim();
}

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'untildone-preflight-')));
  mkdirSync(at('repo'), { recursive: true });
  git('init', '-q', '-b', 'main');
  put('bin/claude', '#!/bin/sh\necho "9.8.7 (Claude Code)"\n', 0o755);
  put('bin/gemini', '#!/bin/sh\nread line; echo 1.2.3\n', 0o755);
  put('bin/codex', '#!/bin/sh\nexec sleep 60\n', 0o755);
  put('bin/my-agent', `#!/bin/sh\ntouch '${at('was-started')}'\necho 5.5.5\n`, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Of the commit that has exactly these files. */
async function seen(
  files: { readonly [path: string]: string },
  more: Partial<RunConfig> = {},
  beside: { readonly [path: string]: string } = {},
  untracked: readonly string[] = [],
): Promise<PreflightItem[]> {
  git('rm', '-rqf', '--ignore-unmatch', '.');
  git('clean', '-qfdx');
  for (const [path, text] of Object.entries(files)) put(`repo/${path}`, text);
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'files');
  for (const [path, text] of Object.entries(beside)) put(`repo/${path}`, text);
  for (const path of untracked) git('rm', '-q', '--cached', path);
  const env = {
    PATH: `${at('bin')}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    XDG_STATE_HOME: at('state'),
  };
  const site = await openSite(at('repo'), env);
  const base = simulatedConfig({ setup: { command: null, isDetected: true, copy: [] }, ...more });
  const config = { ...base, repo: { ...base.repo, baseCommit: site.head.commit, prefix: '' } };
  return readPreflight(site, { config, tasks: [], notes: [] });
}

function about(items: readonly PreflightItem[], subject: string): PreflightItem | undefined {
  return items.find((item) => item.about === subject);
}

describe('The setup of a start', () => {
  it('The preflight names the setup command and its reason, found in the commit and not in the checkout', async () => {
    const manifest = '{"name":"x","dependencies":{"left-pad":"1.0.0"}}';
    const beside = { 'package-lock.json': '{}' };
    expect(about(await seen({ 'package.json': manifest }, {}, beside), 'setup')).toEqual({
      mark: 'ok',
      about: 'setup',
      text: 'npm install (package.json declares dependencies, and no package-lock.json is committed)',
    });
    const locked = await seen({ 'package.json': manifest, 'package-lock.json': '{}' });
    expect(about(locked, 'setup')?.text).toMatch(/^npm ci.* \(package-lock\.json is committed\)$/);
  });

  it('Dependencies that no known tool installs give a warning with the next action', async () => {
    const item = about(await seen({ 'requirements.txt': 'requests\n' }), 'setup');
    expect(item).toMatchObject({ mark: 'warning', hint: expect.stringContaining('--setup') as string });
  });

  it('The preflight says when a setup command was given and when setup was refused', async () => {
    const given = { command: 'make deps', isDetected: false, copy: [] };
    expect(about(await seen({}, { setup: given }), 'setup')?.text).toBe('make deps (as configured)');
    const none = { command: null, isDetected: false, copy: [] };
    expect(about(await seen({}, { setup: none }), 'setup')?.text).toContain('nothing is installed');
    expect(about(await seen({ 'a.txt': 'a' }), 'setup')?.text).toContain('nothing to run');
  });
});

describe('The setup of a start in place', () => {
  const manifest = '{"name":"x","dependencies":{"left-pad":"1.0.0"}}';
  const inPlace = { repo: { ...simulatedConfig({}).repo, inPlace: true } };
  const setup = async (
    files: { readonly [path: string]: string },
    more: Partial<RunConfig> = {},
    beside: { readonly [path: string]: string } = {},
  ): Promise<PreflightItem | undefined> =>
    about(
      await seen({ '.gitignore': 'node_modules\n.venv\n', ...files }, { ...inPlace, ...more }, beside),
      'setup',
    );

  it('Your checkout is used as it is, and the command of clean checkouts is named', async () => {
    const installed = { 'node_modules/left-pad/index.js': '' };
    expect(await setup({ 'package.json': manifest }, {}, installed)).toEqual({
      mark: 'ok',
      about: 'setup',
      text: 'your checkout is used as it is; clean checkouts run: npm install (package.json declares dependencies, and no package-lock.json is committed)',
    });
    const given = { setup: { command: 'make deps', isDetected: false, copy: [] } };
    expect((await setup({}, given))?.text).toBe(
      'your checkout is used as it is; clean checkouts run: make deps (as configured)',
    );
    expect((await setup({ 'a.txt': 'a' }))?.text).toContain('nothing to run');
  });

  it('Dependencies that are not installed in your checkout are a warning with the command', async () => {
    expect(await setup({ 'package.json': manifest })).toMatchObject({
      mark: 'warning',
      hint: 'Install the dependencies in your checkout first: npm install',
    });
    expect(await setup({ 'package.json': manifest, 'package-lock.json': '{}' })).toMatchObject({
      mark: 'warning',
      hint: 'Install the dependencies in your checkout first: npm ci',
    });
    expect(
      await setup({ 'pyproject.toml': '[project]\ndependencies = ["httpx"]\n', 'uv.lock': '' }),
    ).toMatchObject({ mark: 'warning', hint: expect.stringContaining('uv sync') as string });
    // A lock file of nothing installs nothing.
    const empty = { 'package.json': '{"name":"x"}', 'package-lock.json': '{}' };
    expect((await setup(empty))?.mark).toBe('ok');
    // Poetry installs outside of the checkout, so its folder tells nothing.
    expect((await setup({ 'pyproject.toml': '', 'poetry.lock': '' }))?.mark).toBe('ok');
  });
});

describe('The place of a start', () => {
  it('Changed and untracked files are left out; files of a copy and our own files are not named', async () => {
    const setup = { command: null, isDetected: true, copy: ['data/**', '.env.test'] };
    const beside = {
      'a.txt': 'changed',
      'new.txt': 'x',
      'data/big': 'x',
      '.env.test': 'x',
      '.untildone/x': 'x',
    };
    const items = await seen({ 'a.txt': 'a' }, { setup }, beside);
    expect(about(items, 'left out')?.text).toBe('2 uncommitted paths, not part of the run: a.txt, new.txt');
    expect(about(await seen({ 'a.txt': 'a' }), 'left out')).toBe(undefined);
  });

  it('A file that was removed from the index and still exists is counted once', async () => {
    const items = await seen({ 'a.txt': 'a' }, {}, {}, ['a.txt']);
    expect(about(items, 'left out')?.text).toBe('1 uncommitted path, not part of the run: a.txt');
  });
});

describe('The agents of a start', () => {
  const roles = (name: string): RunConfig['roles'] => ({
    builder: {
      agent: { name, model: null },
      prompt: '',
      words: { done: '', reportTag: null },
      readOnly: false,
      limits: { wallMs: 1, idleMs: 1, graceMs: 1 },
    },
  });
  const shown = async (agent: Pick<AgentConfig, 'driver' | 'options'>): Promise<string> => {
    const agents = { mine: { env: [], ...agent } };
    return about(await seen({}, { agents, roles: roles('mine') }), 'builder')?.text ?? '';
  };

  it('A known client is asked for its version, even one that reads its input, and a hanging one is not awaited', async () => {
    expect(await shown({ driver: 'claude', options: {} })).toMatch(/^mine \(claude\) 9\.8\.7, /);
    expect(await shown({ driver: 'acp', options: { command: ['gemini', '--acp'] } })).toContain(' 1.2.3, ');
    const started = Date.now();
    expect(await shown({ driver: 'codex', options: {} })).toMatch(/^mine \(codex\), /);
    expect(Date.now() - started).toBeLessThan(30_000);
  });

  it('A program of the user is never started to ask for its version', async () => {
    expect(await shown({ driver: 'command', options: { command: 'my-agent' } })).not.toContain('5.5.5');
    expect(await shown({ driver: 'claude', options: { binary: at('bin/my-agent') } })).not.toContain('5.5.5');
    const wrapped = { command: ['my-agent', 'gemini'] };
    expect(await shown({ driver: 'acp', options: wrapped })).not.toContain('1.2.3');
    expect(existsSync(at('was-started'))).toBe(false);
  });
});
