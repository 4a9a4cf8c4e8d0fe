// Folders that are gone in the middle of a run: deleted, or moved to another place.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import type { OperatorError } from '#base/operator-error.ts';
import { makeSample, openSample, type Sample } from '#test/git/sample-repository.ts';

let sample: Sample;
beforeEach(() => {
  sample = makeSample();
  sample.write('.gitignore', 'node_modules/\n');
  sample.write('sub/a.txt', 'one\n');
  sample.commit('start');
});
afterEach(() => sample.remove());

const failureOf = async (work: Promise<unknown>): Promise<OperatorError> =>
  (await work.then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  )) as OperatorError;

it('A deleted worktree is recreated, with its dependencies and files, before the next step [X6]', async () => {
  const processes = createProcesses({ confine: 'marker' });
  const setup = 'mkdir -p node_modules && echo dep > node_modules/dep.js';
  const { workspace, notes } = await openSample(sample, { setup, processes });
  await workspace.prepare([]);
  writeFileSync(join(workspace.root, 'sub/a.txt'), 'two\n');
  const tree = await workspace.snapshot();
  await workspace.keep(tree, 'step');
  rmSync(workspace.root, { recursive: true });
  await workspace.restore(tree, 'next/before');
  expect(readFileSync(join(workspace.root, 'sub/a.txt'), 'utf8')).toBe('two\n');
  expect(readFileSync(join(workspace.root, 'node_modules/dep.js'), 'utf8')).toBe('dep\n');
  expect(await workspace.snapshot()).toBe(tree);
  expect(sample.gitIn(workspace.root, 'branch', '--show-current')).toBe('untildone/run1');
  expect(notes).toEqual([`The worktree ${workspace.root} was deleted; it is made again.`]);
});

it('The folder in which a run starts exists for the next step, whatever the last step removed [X6]', async () => {
  const { workspace } = await openSample(sample, { cwd: join(sample.root, 'sub') });
  await workspace.prepare([]);
  rmSync(workspace.cwd, { recursive: true });
  const tree = await workspace.snapshot();
  await workspace.restore(tree, 'next/before');
  expect(existsSync(workspace.cwd)).toBe(true);
});

it('A request for the files of a deleted worktree reports that it was deleted [X6]', async () => {
  const { workspace } = await openSample(sample);
  await workspace.prepare([]);
  rmSync(workspace.root, { recursive: true });
  const { code, message } = await failureOf(workspace.snapshot());
  expect([code, message]).toEqual([
    'folder-missing',
    `The folder ${workspace.root} does not exist: it was deleted or moved.`,
  ]);
});

it('A repository that was moved is reported as moved, with the next command [X6]', async () => {
  const { workspace } = await openSample(sample);
  await workspace.prepare([]);
  const gitDir = join(sample.root, '.git');
  renameSync(sample.root, `${sample.root}-moved`);
  for (const work of [() => workspace.snapshot(), () => workspace.recentCommits(1)]) {
    const { code, message, hint } = await failureOf(work());
    expect([code, message]).toEqual([
      'folder-missing',
      `The folder ${gitDir} does not exist: it was deleted or moved.`,
    ]);
    expect(hint).toContain('untildone resume');
  }
});
