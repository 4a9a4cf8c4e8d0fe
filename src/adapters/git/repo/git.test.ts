import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commitTree } from '#adapters/git/commit.ts';
import { createGit, type Git } from './git.ts';
import { makeSample, type Sample } from '#test/git/sample-repository.ts';

let sample: Sample;
let gitDir: string;

beforeEach(() => {
  sample = makeSample();
  sample.write('a.txt', 'one\n');
  sample.commit('start');
  gitDir = join(sample.root, '.git');
});
afterEach(() => sample.remove());

test('Our git shows the real content of an object, not its replacement by `git replace` [X8]', async () => {
  const blob = sample.git('rev-parse', 'HEAD:a.txt');
  sample.write('other.txt', 'forged\n');
  sample.git('replace', blob, sample.git('hash-object', '-w', 'other.txt'));
  expect(sample.git('cat-file', 'blob', blob)).toBe('forged');
  expect(await createGit(gitDir, sample.env).tell(['cat-file', 'blob', blob])).toBe('one');
});

test('Our git works on its given repository, whatever GIT_DIR and GIT_INDEX_FILE say [C10]', async () => {
  const elsewhere = join(sample.home, 'elsewhere');
  mkdirSync(elsewhere);
  sample.gitIn(elsewhere, 'init', '-q');
  const env = { ...sample.env, GIT_DIR: join(elsewhere, '.git'), GIT_INDEX_FILE: join(elsewhere, 'index') };
  expect(await createGit(sample.root, env).tell(['ls-files'])).toBe('a.txt');
});

test('Our git starts no file system monitor that the settings name [C10]', async () => {
  sample.write('monitor.sh', '#!/bin/sh\ntouch started\n', 0o755);
  sample.git('config', 'core.fsmonitor', join(sample.root, 'monitor.sh'));
  await createGit(gitDir, sample.env).tell(['status', '--porcelain'], { cwd: sample.root });
  expect(sample.git('-c', 'core.fsmonitor=false', 'ls-files', '--others')).not.toContain('started');
});

test('A branch that moves while the proven tree is committed is not overwritten [C5]', async () => {
  const parent = sample.git('rev-parse', 'HEAD');
  sample.git('branch', 'untildone/run1');
  const tree = sample.git('rev-parse', 'HEAD^{tree}');
  const moved = sample.git('commit-tree', tree, '-p', parent, '-m', 'of somebody else');
  const real = createGit(gitDir, sample.env);
  const tell: Git['tell'] = (args, options) => {
    if (args[0] === 'commit-tree') sample.git('update-ref', 'refs/heads/untildone/run1', moved);
    return real.tell(args, options);
  };
  const ground = { git: { ...real, tell }, commonDir: gitDir, branch: 'untildone/run1', runId: 'run1' };
  const order = { stepId: '0007-commit', tree, parent, message: 'feat: two' };
  expect(await commitTree(ground, order)).toMatchObject({
    refused: expect.stringContaining(moved.slice(0, 12)) as string,
  });
  expect(sample.git('rev-parse', 'untildone/run1')).toBe(moved);
});
