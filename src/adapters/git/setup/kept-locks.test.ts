// Dependencies without a committed lock file: resolved once in a run, the same in every checkout, and never part
// of a tree.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import { present } from '#base/assert.ts';
import type { Criterion } from '#kernel/model/criterion.ts';
import { makeSample, type Opened, openSample, type Sample } from '#test/git/sample-repository.ts';
import { createGitWorkspace } from '#adapters/git/workspace.ts';

const processes = createProcesses({ confine: 'marker' });
let sample: Sample;

/** A registry that has a newer version at every question, and an npm that writes down what it was asked. */
const npm = `#!/bin/sh
echo "$1" >> "$HOME/npm-runs"
if [ "$1" = ci ]; then test -f package-lock.json || { echo "npm error no lock file" >&2; exit 1; }; fi
if [ "$1" = install ]; then
  n=$(cat "$HOME/registry" 2>/dev/null || echo 0); n=$((n + 1)); echo $n > "$HOME/registry"
  test -n "$npm_config_package_lock" || exit 9
  if [ -f package-lock.json ]; then cat package-lock.json > old-lock; fi
  echo "{ \\"version\\": $n }" > package-lock.json
fi
mkdir -p node_modules; cp package-lock.json node_modules/version
`;

beforeEach(() => {
  sample = makeSample();
  mkdirSync(join(sample.home, 'bin'));
  writeFileSync(join(sample.home, 'bin/npm'), npm);
  chmodSync(join(sample.home, 'bin/npm'), 0o755);
  sample.write('package.json', JSON.stringify({ dependencies: { dep: '*' } }));
  sample.write('.gitignore', 'node_modules/\n');
  sample.write('src/a.js', '');
  sample.commit('start');
});
afterEach(() => sample.remove());

const open = (runId = 'run1', setup: string | null = null): Promise<Opened> =>
  openSample(sample, {
    runId,
    setup,
    processes,
    path: `${join(sample.home, 'bin')}:${sample.env['PATH'] ?? ''}`,
  });
const npmRuns = (): string[] => readFileSync(join(sample.home, 'npm-runs'), 'utf8').trim().split('\n');
const versionIn = (root: string): string => readFileSync(join(root, 'node_modules/version'), 'utf8');
const dropCache = (): void => rmSync(join(sample.home, 'cache/setup'), { recursive: true, force: true });

/** The base with another text of one file. */
function treeWith({ workspace }: Opened, base: string, path: string, text: string): Promise<string> {
  return present(workspace.trees, 'a git workspace has trees').replace(base, [{ path, text }]);
}

it('Dependencies without a lock file are resolved once in a run, and every checkout of it gets the same versions [X10]', async () => {
  const opened = await open();
  const { baseTree } = await opened.workspace.prepare([]);
  expect(versionIn(opened.workspace.root)).toContain('1');
  const later = await treeWith(opened, baseTree, 'src/a.js', 'work\n');
  for (const tree of [baseTree, later, baseTree]) {
    const clean = await opened.workspace.cleanCheckout(tree);
    expect(versionIn(clean.root)).toContain('1');
    await clean.dispose();
  }
  expect(npmRuns()).toEqual(['install']);
});

it('Without the cache a checkout installs from the lock that the run keeps, and does not resolve again [X10]', async () => {
  const opened = await open();
  const { baseTree } = await opened.workspace.prepare([]);
  dropCache();
  const again = createGitWorkspace(opened.options);
  const clean = await again.cleanCheckout(await treeWith(opened, baseTree, 'src/a.js', 'work\n'));
  expect(versionIn(clean.root)).toContain('1');
  expect(npmRuns()).toEqual(['install', 'ci']);
  await clean.dispose();
});

it('The kept lock is in no tree, and a check sees a checkout without it [X10]', async () => {
  const { workspace } = await open();
  const { baseTree } = await workspace.prepare([]);
  expect(existsSync(join(workspace.root, 'package-lock.json'))).toBe(true);
  expect(await workspace.snapshot()).toBe(baseTree);
  dropCache();
  const clean = await workspace.cleanCheckout(baseTree);
  expect(sample.gitIn(clean.root, 'status', '--porcelain')).toBe('');
  expect(readdirSync(clean.root)).not.toContain('package-lock.json');
  expect(await clean.snapshot()).toBe(baseTree);
  await clean.dispose();
});

it('A lock file that setup made stays out of every tree, whatever the agent does to it [X10]', async () => {
  const { workspace } = await open();
  const { baseTree } = await workspace.prepare([]);
  const lock = join(workspace.root, 'package-lock.json');
  writeFileSync(lock, '{ "version": 7 }\n');
  expect(await workspace.snapshot()).toBe(baseTree);
  rmSync(lock);
  expect(await workspace.snapshot()).toBe(baseTree);
  writeFileSync(lock, '{ "version": 8 }\n');
  writeFileSync(join(workspace.root, 'package.json'), '{ "dependencies": { "dep": "*", "more": "*" } }');
  const changed = await workspace.snapshot();
  expect(await workspace.changedPaths(baseTree, changed)).toEqual([
    { path: 'package.json', status: 'changed' },
  ]);
  const clean = await workspace.cleanCheckout(changed);
  expect(versionIn(clean.root)).toContain('2');
  expect(npmRuns()).toEqual(['install', 'install']);
  await clean.dispose();
});

const criterion: Criterion = {
  id: 'locked',
  text: 'the versions are locked',
  kind: 'exit',
  required: true,
  when: 'attempt',
  check: { kind: 'file', path: 'package-lock.json', holds: { kind: 'exists' } },
};

it.each([
  ['the goal', [], ['Commit a package-lock.json.']],
  ['a path in the goal', [], ['Commit ./pkg/package-lock.json!']],
  ['a check', [criterion], []],
])(
  'A lock file that %s names is the work of the agent, also after the worktree was deleted [X10]',
  async (_, criteria, goals) => {
    const opened = await open();
    const { workspace, options } = opened;
    const { baseTree } = await workspace.prepare(criteria, { goals });
    const lock = join(workspace.root, 'package-lock.json');
    expect(existsSync(lock)).toBe(false);
    expect(await workspace.snapshot()).toBe(baseTree);
    writeFileSync(lock, '{ "version": 7 }\n');
    const changed = await workspace.snapshot();
    expect(await workspace.changedPaths(baseTree, changed)).toEqual([
      { path: 'package-lock.json', status: 'added' },
    ]);
    const clean = await workspace.cleanCheckout(changed);
    expect(versionIn(clean.root)).toContain('7');
    expect(npmRuns()).toEqual(['install', 'ci']);
    await clean.dispose();
    rmSync(workspace.root, { recursive: true });
    const again = createGitWorkspace(options);
    await again.restore(changed, 'again');
    expect(await again.snapshot()).toBe(changed);
  },
);

it('A criterion that names the lock file after the checkout was made removes ours, and no lock file of the agent [X10]', async () => {
  const { workspace } = await open();
  const { baseTree, pins } = await workspace.prepare([]);
  const lock = join(workspace.root, 'package-lock.json');
  const ours = readFileSync(lock);
  await workspace.prepare([criterion], { pins });
  expect(existsSync(lock)).toBe(false);
  writeFileSync(lock, ours);
  await workspace.prepare([criterion], { pins });
  expect(await workspace.snapshot()).not.toBe(baseTree);
});

it('A changed manifest is resolved once, starting from the versions that the run has [X10]', async () => {
  const opened = await open();
  const { workspace } = opened;
  const { baseTree } = await workspace.prepare([]);
  const more = JSON.stringify({ dependencies: { dep: '*', more: '*' } });
  const changed = await treeWith(opened, baseTree, 'package.json', more);
  for (const tree of [changed, await treeWith(opened, changed, 'src/a.js', 'work\n')]) {
    const clean = await workspace.cleanCheckout(tree);
    expect(versionIn(clean.root)).toContain('2');
    expect(readFileSync(join(clean.root, 'old-lock'), 'utf8')).toContain('1');
    await clean.dispose();
  }
  expect(npmRuns()).toEqual(['install', 'install']);
});

it('Checkouts that are made at once resolve dependencies once [X10]', async () => {
  const opened = await open();
  const tree = sample.git('rev-parse', 'HEAD^{tree}');
  const all = await Promise.all([1, 2, 3, 4].map(() => opened.workspace.cleanCheckout(tree)));
  expect(npmRuns()).toEqual(['install']);
  await Promise.all(all.map((clean) => clean.dispose()));
});

it('Another run resolves for itself, and a release keeps the lock of the run [X10]', async () => {
  const first = await open();
  const { baseTree } = await first.workspace.prepare([]);
  await first.workspace.release();
  const second = await open('run2');
  await second.workspace.prepare([]);
  expect(versionIn(second.workspace.root)).toContain('2');
  const clean = await createGitWorkspace(first.options).cleanCheckout(baseTree);
  expect(versionIn(clean.root)).toContain('1');
  expect(npmRuns()).toEqual(['install', 'install']);
  await clean.dispose();
});

it('A later verification uses the lock of the run, and writes nothing into its folder [X4] [X10]', async () => {
  const first = await open();
  const { baseTree } = await first.workspace.prepare([]);
  dropCache();
  const later = await open('verify');
  const own = join(sample.home, 'state/verify/setup');
  const original = join(sample.home, 'state/run1/setup');
  const workspace = createGitWorkspace({ ...later.options, lockFolders: [own, original] });
  const clean = await workspace.cleanCheckout(baseTree);
  expect(versionIn(clean.root)).toContain('1');
  await clean.dispose();
  const more = await treeWith(first, baseTree, 'package.json', JSON.stringify({ dependencies: { b: '*' } }));
  await (await workspace.cleanCheckout(more)).dispose();
  expect([readdirSync(original), readdirSync(own)].map(({ length }) => length)).toEqual([1, 1]);
  expect(npmRuns()).toEqual(['install', 'ci', 'install']);
});

it('A kept lock that was changed is not used, and the user reads why [X10]', async () => {
  const opened = await open();
  const { baseTree } = await opened.workspace.prepare([]);
  const folder = join(sample.home, 'state/run1/setup');
  const file = join(folder, readdirSync(folder)[0] ?? '', 'locks.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('1 }', '666 }'));
  dropCache();
  const clean = await opened.workspace.cleanCheckout(baseTree);
  expect(versionIn(clean.root)).not.toContain('666');
  expect(opened.notes.join('\n')).toContain('was changed by another program');
  await clean.dispose();
});

it('A lock file that setup makes as a link to a file outside is not read [X12]', async () => {
  writeFileSync(join(sample.home, 'secret'), 'private');
  const setup =
    'ln -sf "$HOME/secret" package-lock.json; mkdir -p node_modules; echo 1 > node_modules/version';
  const opened = await open('run1', setup);
  const { baseTree } = await opened.workspace.prepare([]);
  const folder = join(sample.home, 'state/run1/setup');
  expect(readFileSync(join(folder, readdirSync(folder)[0] ?? '', 'locks.json'), 'utf8')).not.toContain(
    'private',
  );
  const clean = await opened.workspace.cleanCheckout(baseTree);
  expect(await clean.snapshot()).toBe(baseTree);
  await clean.dispose();
});

it('A folder that the work made a link to another place gets no lock file [X12]', async () => {
  sample.write('pkg/package.json', JSON.stringify({ dependencies: { dep: '*' } }));
  sample.commit('a package');
  const outside = join(sample.home, 'outside');
  mkdirSync(outside);
  const opened = await openSample(sample, {
    cwd: join(sample.root, 'pkg'),
    setup: null,
    processes,
    path: `${join(sample.home, 'bin')}:${sample.env['PATH'] ?? ''}`,
  });
  await opened.workspace.prepare([]);
  const { root } = opened.workspace;
  rmSync(join(root, 'pkg'), { recursive: true });
  symlinkSync(outside, join(root, 'pkg'));
  const linked = await opened.workspace.snapshot();
  await opened.workspace
    .cleanCheckout(linked)
    .then((clean) => clean.dispose())
    .catch(() => undefined);
  expect(readdirSync(outside)).toEqual([]);
});

it('A setup command of the user that makes a lock file finds that lock in every later checkout [X10]', async () => {
  const setup =
    'mkdir -p node_modules; test -f package-lock.json || { echo ran >> "$HOME/npm-runs"; date +%N > package-lock.json; }; cp package-lock.json node_modules/version';
  const opened = await open('run1', setup);
  const { workspace } = opened;
  const { baseTree } = await workspace.prepare([]);
  const clean = await workspace.cleanCheckout(await treeWith(opened, baseTree, 'src/a.js', 'work\n'));
  expect(versionIn(clean.root)).toBe(versionIn(workspace.root));
  expect(npmRuns()).toEqual(['ran']);
  expect(await workspace.snapshot()).toBe(baseTree);
  await clean.dispose();
});

it('A lock file of an example elsewhere in the tree does not replace the missing one [X10]', async () => {
  sample.write('examples/a/package-lock.json', '{}');
  sample.commit('an example');
  const opened = await open();
  const { baseTree } = await opened.workspace.prepare([]);
  dropCache();
  const clean = await opened.workspace.cleanCheckout(baseTree);
  expect(versionIn(clean.root)).toContain('1');
  expect(npmRuns()).toEqual(['install', 'ci']);
  await clean.dispose();
});
