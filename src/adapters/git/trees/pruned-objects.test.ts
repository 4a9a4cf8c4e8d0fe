// The user's `git gc --prune=now` removes every object that no ref names, while a run goes on.
import { renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeSample, openSample, type Opened, type Sample } from '#test/git/sample-repository.ts';

let sample: Sample;
let opened: Opened;
let baseTree: string;

beforeEach(async () => {
  sample = makeSample();
  sample.write('a.txt', 'one\n');
  sample.write('folder/b.txt', 'two\n');
  sample.write('.gitignore', '*.log\n');
  sample.write('app.log', 'tracked\n');
  sample.git('add', '-f', 'app.log');
  sample.commit('start');
  opened = await openSample(sample);
  ({ baseTree } = await opened.workspace.prepare([]));
});
afterEach(() => sample.remove());

const prune = (): string => sample.git('gc', '-q', '--prune=now');

test('A tree that the user has pruned is written again [C5] [C10]', async () => {
  const { workspace } = opened;
  renameSync(join(workspace.root, 'a.txt'), join(workspace.root, 'c.txt'));
  const tree = await workspace.snapshot();
  for (const name of ['kept', 'kept-again']) {
    prune();
    expect(await workspace.snapshot()).toBe(tree);
    await workspace.keep(tree, name);
    sample.git('update-ref', '-d', `refs/untildone/run1/${name}`);
  }
});

test('Content that the user has pruned is stored again, also of a tracked file that is ignored [C5] [C10]', async () => {
  const { workspace } = opened;
  for (const name of ['app.log', 'new.txt']) {
    const file = join(workspace.root, name);
    writeFileSync(file, `${name}, changed\n`);
    // Older than the index, so that git does not read it again.
    utimesSync(file, 1_000_000_000, 1_000_000_000);
  }
  await workspace.snapshot();
  prune();
  writeFileSync(join(workspace.root, 'later.txt'), '');
  const tree = await workspace.snapshot();
  await workspace.keep(tree, 'kept');
  const changed = await workspace.changedPaths(baseTree, tree);
  expect(changed.map(({ path }) => path)).toEqual(['app.log', 'later.txt', 'new.txt']);
  expect(sample.git('show', `${tree}:app.log`)).toBe('app.log, changed');
});

test('The same file, added by two checks, is found although the user has pruned between them [C5] [C10]', async () => {
  const { workspace } = opened;
  for (const _ of [1, 2]) {
    const checkout = await workspace.cleanCheckout(baseTree);
    writeFileSync(join(checkout.root, 'report.txt'), 'same\n');
    const tree = await checkout.snapshot();
    expect(await workspace.changedPaths(baseTree, tree)).toHaveLength(1);
    await checkout.dispose();
    prune();
  }
});
