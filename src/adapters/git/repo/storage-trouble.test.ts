import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { canMount, mountMemory, unmount, whereMounted } from '#test/file-system.ts';
import { orUnreadable } from '#app/take-tree.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { SessionStep } from '#ports/sessions.ts';
import { createGit, gitFailed } from './git.ts';
import { runGit } from './run-git.ts';
import { makeSample, openSample, type Sample } from '#test/git/sample-repository.ts';
import { isStorageTrouble, storageLine } from './storage-trouble.ts';

let sample: Sample;
let mounted: string | null = null;

beforeEach(() => {
  sample = makeSample();
  sample.write('a.txt', 'one\n');
  sample.commit('start');
});

afterEach(() => {
  if (mounted !== null) unmount(mounted);
  mounted = null;
  sample.remove();
});

/** The object store of the sample on a file system of its own. */
function mountObjects(options: string): void {
  const objects = join(sample.root, '.git/objects');
  const kept = join(sample.home, 'objects');
  if (mounted === null) cpSync(objects, kept, { recursive: true });
  const verb = mounted === null ? options : `remount,${options}`;
  mountMemory(objects, verb);
  if (mounted === null) cpSync(kept, objects, { recursive: true });
  mounted = objects;
}

const storageFailed = { name: 'OperatorError', code: 'storage-failed' };

it.runIf(canMount)(
  `A full disk is an error, not a tree without the files that did not fit, ${whereMounted} [D4]`,
  async () => {
    const { workspace } = await openSample(sample);
    await workspace.prepare([]);
    mountObjects('size=1m');
    writeFileSync(join(workspace.root, 'large.bin'), randomBytes(2 * 1024 * 1024));
    writeFileSync(join(workspace.root, 'small.txt'), 'small\n');
    await expect(workspace.snapshot()).rejects.toMatchObject({
      ...storageFailed,
      message: expect.stringContaining('No space left on device') as string,
    });
    mountObjects('size=8m');
    const tree = await workspace.snapshot();
    expect(sample.git('ls-tree', '--name-only', tree).split('\n')).toEqual([
      'a.txt',
      'large.bin',
      'small.txt',
    ]);
  },
);

it.runIf(canMount)(
  `A read-only disk is an error, not a tree without the new files, ${whereMounted} [D4]`,
  async () => {
    const { workspace } = await openSample(sample);
    await workspace.prepare([]);
    mountObjects('size=8m');
    mountObjects('ro');
    writeFileSync(join(workspace.root, 'new.txt'), 'new\n');
    await expect(workspace.snapshot()).rejects.toMatchObject({
      ...storageFailed,
      message: expect.stringContaining('Read-only file system') as string,
    });
  },
);

it('A store that takes no new object is an error, not a tree without the new files [D4]', async () => {
  const { workspace } = await openSample(sample);
  await workspace.prepare([]);
  refuseObjects(join(sample.root, '.git'));
  writeFileSync(join(workspace.root, 'new.txt'), 'new\n');
  await expect(workspace.snapshot()).rejects.toMatchObject(storageFailed);
});

it('Files that a git ended by Ctrl-C did not record are recorded later, and the session is not blamed [D4]', async () => {
  const programs = join(sample.home, 'programs');
  mkdirSync(programs);
  writeFileSync(join(programs, 'git'), '#!/bin/sh\necho "warning: x" >&2\nkill -INT $$\n', { mode: 0o755 });
  const git = createGit(sample.root, { ...sample.env, PATH: `${programs}:${sample.env['PATH'] ?? ''}` });
  const error = await git.tell(['add', '-A']).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ message: 'git add was ended by a signal.', hint: 'Start again.' });
  expect(isStorageTrouble(error)).toBe(true);
});

it('Files that a git ended by its time limit did not record are recorded later, and the session is not blamed [D4]', async () => {
  const pipe = join(sample.home, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const call = { cwd: sample.root, env: sample.env, input: '', limitMs: 1_000 };
  const { code, stderr } = await runGit(['hash-object', pipe], call);
  const error = gitFailed(['add'], { code, stdout: '', stderr });
  expect(error.message).toBe('git add took longer than 1 s and was ended.');
  expect(error.hint).toContain('Start again when the machine is less busy');
  const takeTree = orUnreadable(
    () => Promise.reject(error),
    () => {},
  );
  await expect(takeTree({ stepId: '0001-s' } as SessionStep)).rejects.toMatchObject({
    code: 'tree-not-stored',
    message: expect.stringMatching(/stored: git add took longer than 1 s and was ended\.$/) as string,
    hint: expect.stringContaining('it does not run again.') as string,
  });
});

it('A failure message of git ends with one full stop before the hint', () => {
  const said = (stderr: string, code: number | null = 128): string =>
    gitFailed(['for-each-ref'], { code, stdout: '', stderr }).message;
  expect(said('fatal: bad object HEAD')).toBe('git for-each-ref failed: fatal: bad object HEAD.');
  expect(said('fatal: It is not possible.')).toBe('git for-each-ref failed: fatal: It is not possible.');
  expect(said('')).toBe('git for-each-ref failed: exit 128.');
  expect(said('error: No space left on device')).toBe(
    'git for-each-ref failed: error: No space left on device.',
  );
});

it('A file that the session made unreadable is not reported as a disk error', async () => {
  expect(storageLine('error: open("x"): Permission denied\nerror: unable to index file')).toBeNull();
  expect(isStorageTrouble(new OperatorError('git-failed', 'git add failed', ''))).toBe(false);
  expect(isStorageTrouble(new Error('no space'))).toBe(false);
  expect(isStorageTrouble(Object.assign(new Error('read failed'), { code: 'EIO' }))).toBe(true);
});

/** Every folder that git would put a loose object into is a file: what is there is packed before. */
function refuseObjects(gitDir: string): void {
  const objects = join(gitDir, 'objects');
  execFileSync('git', ['--git-dir', gitDir, 'repack', '-adq'], { env: sample.env });
  execFileSync('git', ['--git-dir', gitDir, 'prune-packed', '-q'], { env: sample.env });
  const folders = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, '0'));
  const present = new Set(readdirSync(objects));
  for (const name of folders) if (!present.has(name)) writeFileSync(join(objects, name), '');
}
