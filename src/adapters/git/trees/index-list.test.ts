import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createGit } from '#adapters/git/repo/git.ts';
import { countStarts } from '#test/count-starts.ts';
import { makeSample, type Sample } from '#test/git/sample-repository.ts';
import { listIndex, treeOf } from './index-list.ts';
import { listFiles } from './pin-tree.ts';

let sample: Sample;
afterEach(() => sample.remove());

const indexOf = (): string => join(sample.root, '.git', 'index');

function open(...initArgs: string[]): void {
  sample = makeSample('repo', initArgs);
  sample.write('a.txt', 'one\n');
  sample.write('folder/run.sh', '#!/bin/sh\n', 0o755);
  sample.write('folder.txt', 'sorted before or after the folder\n');
  sample.write('wide é', '');
  symlinkSync('a.txt', join(sample.root, 'link'));
  const commit = sample.commit('start');
  sample.git('update-index', '--add', '--cacheinfo', `160000,${commit},module`);
}

describe('an index as a list', () => {
  test.each(['sha1', 'sha256'])('An index lists its tree as git does (%s) [C5]', async (format) => {
    open(`--object-format=${format}`);
    for (const version of ['2', '4']) {
      sample.git('update-index', '--index-version', version);
      const listed = sample.git('ls-tree', '-r', '-z', '--full-tree', sample.git('write-tree'));
      expect((await listIndex(indexOf()))?.text).toBe(listed);
    }
  });

  test('An index that only git can read as a tree is left to git [C5]', async () => {
    open();
    const whole = readFileSync(indexOf());
    const later = async (change: () => void) => {
      writeFileSync(indexOf(), whole);
      change();
      return listIndex(indexOf());
    };
    sample.write('later.txt', 'later');
    expect(await later(() => sample.git('add', '--intent-to-add', 'later.txt'))).toBe(null);
    expect(await later(() => sample.git('update-index', '--split-index'))).toBe(null);
    const blob = sample.git('rev-parse', 'HEAD:a.txt');
    const conflict = `100644 ${blob} 1\tconflict\n`;
    expect(
      await later(() =>
        execFileSync('git', ['update-index', '--index-info'], {
          cwd: sample.root,
          env: sample.env,
          input: conflict,
        }),
      ),
    ).toBe(null);
    const damaged = Buffer.from(whole);
    damaged[60] = (damaged[60] ?? 0) ^ 1;
    expect(await later(() => writeFileSync(indexOf(), damaged))).toBe(null);
    expect(await later(() => undefined)).not.toBe(null);
  });

  test('Two names that have the same text are left to git [C5]', async () => {
    open();
    const name = Buffer.concat([Buffer.from(`${sample.root}/`), Buffer.from([0xff])]);
    writeFileSync(name, '');
    sample.git('add', '-A');
    expect(await listIndex(indexOf())).toBe(null);
  });
});

test('A tree is written for new content, and for nothing else [C5]', async () => {
  open();
  const counter = countStarts('git', sample.home);
  const git = createGit(join(sample.root, '.git'), { ...sample.env, PATH: counter.path });
  const place = { gitDir: join(sample.root, '.git'), indexFile: indexOf() };
  const taken = async (): Promise<string> => {
    const list = await listIndex(indexOf());
    return list === null
      ? ''
      : treeOf({ git, gitDir: place.gitDir }, list, () => git.tell(['write-tree'], place));
  };
  const first = await taken();
  expect(first).toBe(sample.git('write-tree'));
  // Another index with the same content.
  utimesSync(join(sample.root, 'a.txt'), 1, 1);
  sample.git('add', 'a.txt');
  expect(await taken()).toBe(first);
  expect(counter.phases().flat()).toHaveLength(1);
  sample.write('a.txt', 'two\n');
  sample.git('add', 'a.txt');
  const second = await taken();
  expect(second).toBe(sample.git('write-tree'));
  sample.git('update-index', '--chmod=+x', 'a.txt');
  expect(new Set([first, second, await taken()]).size).toBe(3);
  const started = counter.phases().flat().length;
  expect((await listFiles({ git, gitDir: place.gitDir }, second)).get('link')).toMatch(/^120000 /);
  expect(counter.phases().flat()).toHaveLength(started);
});

test('An index of the same size and time is read again when a file in it has changed [C5]', async () => {
  open();
  const list = async () => {
    utimesSync(indexOf(), 1, 1);
    return (await listIndex(indexOf()))?.text;
  };
  const before = await list();
  const bytes = readFileSync(indexOf()).length;
  const object = sample.git('rev-parse', 'HEAD:folder.txt');
  sample.git('update-index', '--cacheinfo', `100644,${object},a.txt`);
  expect(readFileSync(indexOf())).toHaveLength(bytes);
  const after = await list();
  expect(after).not.toBe(before);
  expect(after).toContain(`100644 blob ${object}\ta.txt\0`);
});
