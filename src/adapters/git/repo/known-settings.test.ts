import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { countStarts } from '#test/count-starts.ts';
import { makeSample, type Sample } from '#test/git/sample-repository.ts';
import { createKnownSettings } from './known-settings.ts';
import type { GitCall } from './run-git.ts';

let sample: Sample;
let worktree: string;
let gitDirs: { readonly main: string; readonly linked: string };

beforeEach(() => {
  sample = makeSample();
  sample.commit('start');
  worktree = join(sample.home, 'linked');
  sample.git('worktree', 'add', '-q', worktree);
  const main = join(sample.root, '.git');
  gitDirs = { main, linked: join(main, 'worktrees', 'linked') };
});
afterEach(() => sample.remove());

const callIn = (gitDir: string, path = sample.env['PATH']): GitCall => ({
  cwd: sample.root,
  env: { ...sample.env, PATH: path, GIT_DIR: gitDir },
  input: '',
  limitMs: 60_000,
});

test('The settings of a repository are read by one git process, for all of its worktrees and once [C10]', async () => {
  sample.git('config', 'filter.tidy.clean', 'tidy');
  sample.git('config', 'core.excludesFile', '~/ignored');
  const counter = countStarts('git', sample.home);
  const settingsOf = createKnownSettings();
  const read = (gitDir: string) => settingsOf(gitDir, callIn(gitDir, counter.path));
  const expected = {
    filters: [['filter.tidy.clean', 'tidy']],
    files: [['core.excludesfile', join(sample.home, 'ignored')]],
  };
  expect(await read(gitDirs.main)).toMatchObject(expected);
  sample.git('config', 'filter.tidy.clean', 'by-an-agent');
  expect(await read(gitDirs.linked)).toMatchObject(expected);
  expect(await read(gitDirs.main)).toMatchObject(expected);
  expect(counter.phases().flat()).toHaveLength(1);
});

test('A worktree that may have settings of its own is read apart [C10]', async () => {
  sample.git('config', 'extensions.worktreeConfig', 'true');
  sample.gitIn(worktree, 'config', '--worktree', 'filter.tidy.clean', 'other');
  const settingsOf = createKnownSettings();
  expect((await settingsOf(gitDirs.main, callIn(gitDirs.main))).filters).toEqual([]);
  expect((await settingsOf(gitDirs.linked, callIn(gitDirs.linked))).filters).toEqual([
    ['filter.tidy.clean', 'other'],
  ]);
});

test('Settings that git could not read are read again, and a git that was ended is no repository without filters [C10]', async () => {
  sample.git('config', 'filter.tidy.clean', 'tidy');
  const settingsOf = createKnownSettings();
  const folder = join(sample.home, 'killed');
  mkdirSync(folder);
  writeFileSync(join(folder, 'git'), '#!/bin/sh\nkill -9 $$\n', { mode: 0o755 });
  const killed = callIn(gitDirs.main, `${folder}:${sample.env['PATH'] ?? ''}`);
  await expect(settingsOf(gitDirs.main, killed)).rejects.toMatchObject({ code: 'git-ended' });
  const config = readFileSync(join(gitDirs.main, 'config'), 'utf8');
  writeFileSync(join(gitDirs.main, 'config'), '[damaged');
  expect((await settingsOf(gitDirs.main, callIn(gitDirs.main))).filters).toEqual([]);
  writeFileSync(join(gitDirs.main, 'config'), config);
  expect((await settingsOf(gitDirs.main, callIn(gitDirs.main))).filters).toEqual([
    ['filter.tidy.clean', 'tidy'],
  ]);
});

test('Whether commits are signed, and by whom, is left to git unless the settings say it plainly [X6]', async () => {
  const read = async (env: { readonly [name: string]: string } = {}) => {
    const call = callIn(gitDirs.main);
    return createKnownSettings()(gitDirs.main, { ...call, env: { ...call.env, ...env } });
  };
  sample.git('config', 'user.name', 'A Person');
  sample.git('config', 'user.email', 'person@example.com');
  expect(await read()).toMatchObject({ isSigning: false, hasIdentity: true });
  expect(await read({ GIT_COMMITTER_NAME: '' })).toMatchObject({ hasIdentity: false });
  for (const [text, isSigning] of [
    ['true', true],
    ['false', false],
    ['yes', null],
  ] as const) {
    sample.git('config', 'commit.gpgSign', text);
    expect(await read()).toMatchObject({ isSigning });
  }
  sample.git('config', 'author.name', '');
  expect(await read()).toMatchObject({ hasIdentity: false });
  sample.git('config', '--unset', 'author.name');
  sample.git('config', 'user.name', '.');
  expect(await read()).toMatchObject({ hasIdentity: false });
});
