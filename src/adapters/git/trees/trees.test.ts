import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGit } from '#adapters/git/repo/git.ts';
import { openTrees } from './trees.ts';

let root: string;
let calls = 0;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'trees-'));
  execFileSync('git', ['init', '-q', root]);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
}

function treeOfFiles(): string {
  execFileSync('git', ['-C', root, 'add', '-A']);
  return execFileSync('git', ['-C', root, 'write-tree'], { encoding: 'utf8' }).trim();
}

function open() {
  const gitDir = join(root, '.git');
  const env = { PATH: process.env['PATH'] ?? '' };
  return openTrees({ git: createGit(gitDir, env), gitDir }, () =>
    join(root, '.git', `index-${(calls += 1)}`),
  );
}

test('A tree is made with texts replaced, added and removed, and executable files stay executable', async () => {
  write('run.sh', 'echo a\n');
  chmodSync(join(root, 'run.sh'), 0o755);
  write('keep.txt', 'keep\n');
  write('gone.txt', 'gone\n');
  const before = treeOfFiles();
  rmSync(join(root, 'gone.txt'));
  const without = treeOfFiles();
  const trees = open();
  const made = await trees.replace(before, [
    { path: 'run.sh', text: 'echo b\n' },
    { path: 'deep/new.txt', text: 'new\n' },
    { path: 'gone.txt', asIn: without },
  ]);
  const entries = await trees.list(made);
  expect([...entries.keys()]).toEqual(['deep/new.txt', 'keep.txt', 'run.sh']);
  expect(entries.get('run.sh')).toMatch(/^100755 /);
  expect([...(await trees.read(made, ['run.sh', 'deep/new.txt', 'gone.txt']))]).toEqual([
    ['run.sh', 'echo b\n'],
    ['deep/new.txt', 'new\n'],
  ]);
  expect(await trees.replace(made, [])).toBe(made);
});

test('A file replaces the folder of the same name, and a path is copied from another tree with its mode', async () => {
  write('a/b.txt', 'b\n');
  const folder = treeOfFiles();
  rmSync(join(root, 'a'), { recursive: true });
  symlinkSync('elsewhere', join(root, 'a'));
  const link = treeOfFiles();
  const trees = open();
  const made = await trees.replace(folder, [
    { path: 'a', asIn: link },
    { path: 'a/b.txt', asIn: link },
  ]);
  expect(made).toBe(link);
  expect((await trees.read(link, ['a'])).size).toBe(0);
});

test('Texts of up to 2 MiB are read, and of all together no more than 64 MiB', async () => {
  const big = 'x'.repeat(2 * 1024 * 1024);
  write('big.txt', big);
  write('bigger.txt', `${big}x`);
  write('small.txt', 'small\n');
  const tree = treeOfFiles();
  const trees = open();
  expect([...(await trees.read(tree, ['big.txt', 'bigger.txt'])).keys()]).toEqual(['big.txt']);
  const names = Array.from({ length: 33 }, (_, n) => `copy-${n}.txt`);
  for (const name of names) write(name, name.padEnd(big.length, 'x'));
  const texts = await trees.read(treeOfFiles(), [...names, 'small.txt']);
  expect(texts.size).toBe(32);
});
