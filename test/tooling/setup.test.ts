// From a fresh checkout to the repository's own Node, on a copy with a fake npm.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../tidy/repository.ts';

let copy = '';

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'untildone setup '));
  mkdirSync(join(copy, 'scripts'));
  mkdirSync(join(copy, 'stand-in'));
  for (const file of ['package.json', 'package-lock.json', 'scripts/setup.mjs']) {
    copyFileSync(join(root, file), join(copy, file));
  }
  writeFileSync(
    join(copy, 'scripts/tell.mjs'),
    'console.log(process.version, process.env.PATH.split(/[:;]/)[0], ...process.argv.slice(2)); process.exit(7);',
  );
});

afterEach(() => rmSync(copy, { recursive: true, force: true }));

test('An installed checkout runs the script at once, under its own Node, with its arguments and exit code', () => {
  install();
  standInForNpm('exit 1');
  const ended = setUp();
  expect(ended.stdout).toBe(`${process.version} ${join(copy, 'node_modules/node/bin')} a b c\n`);
  expect(ended.status).toBe(7);
  expect(npmCalls()).toBe(0);
});

test('A fresh checkout is installed first, and only once', () => {
  const installed = join(root, 'node_modules/.package-lock.json');
  standInForNpm(
    `mkdir -p node_modules/node/bin && ln -s '${process.execPath}' node_modules/node/bin/node && cp '${installed}' node_modules/`,
  );
  expect(setUp().status).toBe(7);
  expect(setUp().status).toBe(7);
  expect(npmCalls()).toBe(1);
});

test('A checkout with a changed lock is installed again', () => {
  install();
  standInForNpm('exit 0');
  writeFileSync(join(copy, 'package-lock.json'), '{"packages":{"node_modules/zod":{"integrity":"another"}}}');
  expect(setUp().status).toBe(7);
  expect(npmCalls()).toBe(1);
});

test('A failed install is retried once, then reported in one sentence', () => {
  standInForNpm('exit 1');
  const ended = setUp();
  expect(ended.stderr).toContain('`npm ci` failed twice');
  expect(ended.status).toBe(1);
  expect(npmCalls()).toBe(2);
});

test('A checkout without its own Node reports the fix in one sentence, and runs nothing', () => {
  install();
  rmSync(join(copy, 'node_modules/node'), { recursive: true });
  standInForNpm('exit 0');
  const ended = setUp();
  expect(ended.stderr).toMatch(/^The repository's own Node .* run `npm ci --ignore-scripts=false`.*\n$/);
  expect(ended.stdout).toBe('');
  expect(ended.status).toBe(1);
});

function setUp(): { status: number | null; stdout: string; stderr: string } {
  const { npm_execpath: _, ...env } = process.env;
  return spawnSync(process.execPath, [join(copy, 'scripts/setup.mjs'), 'scripts/tell.mjs', 'a', 'b c'], {
    encoding: 'utf8',
    env: { ...env, PATH: [join(copy, 'stand-in'), process.env['PATH']].join(delimiter) },
  });
}

function install(): void {
  const own = join(copy, 'node_modules/node/bin/node');
  mkdirSync(dirname(own), { recursive: true });
  symlinkSync(process.execPath, own);
  copyFileSync(join(root, 'node_modules/.package-lock.json'), join(copy, 'node_modules/.package-lock.json'));
}

function standInForNpm(does: string): void {
  const file = join(copy, 'stand-in/npm');
  writeFileSync(file, `#!/bin/sh\necho called >> '${join(copy, 'calls')}'\ncd '${copy}'\n${does}\n`);
  chmodSync(file, 0o755);
}

function npmCalls(): number {
  const calls = join(copy, 'calls');
  return existsSync(calls) ? readFileSync(calls, 'utf8').split('\n').length - 1 : 0;
}
