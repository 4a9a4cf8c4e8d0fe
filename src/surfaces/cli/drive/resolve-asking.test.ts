// The question who pays, on a real terminal that `script` provides.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtEntry } from '#test/program.ts';

const main = builtEntry('cli');
/** Of util-linux; that of BSD takes its command otherwise. */
const terminal = '/usr/bin/script';
const isThere = process.platform === 'linux' && spawnSync(terminal, ['--version']).status === 0;
let folder = '';
let env: { [name: string]: string } = {};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'untildone-asking-'));
  for (const name of ['bin', 'home/.gemini', 'repo']) mkdirSync(join(folder, name), { recursive: true });
  // A client that tells whether it was given the key, and ends.
  const seen = join(folder, 'seen');
  writeFileSync(join(folder, 'bin/gemini'), `#!/bin/sh\necho "key=$GEMINI_API_KEY" >> '${seen}'\nexit 1\n`);
  chmodSync(join(folder, 'bin/gemini'), 0o755);
  writeFileSync(join(folder, 'home/.gemini/oauth_creds.json'), '{}');
  writeFileSync(join(folder, 'home/.gitconfig'), '[user]\nname = t\nemail = t@localhost\n');
  const cwd = join(folder, 'repo');
  env = {
    PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    HOME: join(folder, 'home'),
    XDG_STATE_HOME: join(folder, 'state'),
    TERM: 'dumb',
    // The client writes what it saw beside the repository.
    UNTILDONE_SANDBOX: 'none',
  };
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd, env });
  execFileSync('git', ['commit', '-q', '--allow-empty', '-m', 'base'], { cwd, env });
  writeFileSync(join(cwd, '.env'), 'GEMINI_API_KEY=only-in-the-file\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** Types the answer once the question stands there. */
function onTerminal(answer: string): Promise<{ code: number | null; out: string }> {
  const command = `'${process.execPath}' '${main}' run 'goal ${answer}' --agent gemini --max-loops 1`;
  const child = spawn(terminal, ['-qec', command, '/dev/null'], { cwd: join(folder, 'repo'), env });
  const timer = setTimeout(() => child.kill('SIGKILL'), 600_000);
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const isAsked = out.includes('[l/k/q]');
    out += chunk.toString();
    if (!isAsked && out.includes('[l/k/q]')) child.stdin.write(`${answer}\n`);
  });
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer);
      // Long lines are wrapped at the width of the terminal.
      resolve({ code, out: out.replaceAll(/\s+/g, ' ') });
    });
  });
}

function sawKeys(): string[] {
  return execFileSync('sort', ['-u', join(folder, 'seen')], { encoding: 'utf8' })
    .trim()
    .split('\n');
}

describe.skipIf(!isThere)('a key in .env beside a login, on a terminal', () => {
  it('A key beside a login leads to a question; without an answer nothing starts [X6]', async () => {
    const { code, out } = await onTerminal('q');
    expect(out).toContain('can be paid by your Google login or by the key GEMINI_API_KEY in .env');
    expect(out).toContain('--pay login or --pay key');
    expect(code).toBe(2);
  });

  it('The agent sees the key only if the key pays, not if the login does [B11]', async () => {
    const login = await onTerminal('l');
    expect(login.out).toContain('paid by your Google login; USD shown are list prices');
    expect(sawKeys()).toEqual(['key=']);
    rmSync(join(folder, 'seen'));
    const key = await onTerminal('k');
    expect(key.out).toContain('paid by the key in GEMINI_API_KEY (from .env)');
    expect(sawKeys()).toEqual(['key=only-in-the-file']);
  });
});
