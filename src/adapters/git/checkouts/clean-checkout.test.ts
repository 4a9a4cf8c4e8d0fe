import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import { makeSample, openSample, type Sample, type Wishes } from '#test/git/sample-repository.ts';

const processes = createProcesses({ confine: 'marker' });
let sample: Sample;

beforeEach(() => {
  sample = makeSample('r p');
  sample.write('package-lock.json', '{}');
  sample.write('.gitignore', 'node_modules/\n.env.test\n');
  sample.write('src/a.js', 'one\n');
  sample.commit('start');
  sample.write('.env.test', 'KEY=1\n');
  sample.write('local.json', '{}\n');
});
afterEach(() => sample.remove());

// Counts its runs outside the checkout, installs something, and changes a tracked file as `npm install` may.
const setup = `echo ran >> "$HOME/setup-runs"; mkdir -p node_modules/.bin unlisted; echo dep > node_modules/dep.js; ln -sf ../dep.js node_modules/.bin/dep; echo x > unlisted/y; echo changed > package-lock.json`;
const wishes: Wishes = { setup, copy: ['.env.*', 'local.json'], processes };
const runs = (): number => readFileSync(join(sample.home, 'setup-runs'), 'utf8').trim().split('\n').length;

describe('a clean checkout', () => {
  it('A clean checkout has the tree, its dependencies and copies, and no leftovers [X10]', async () => {
    const { workspace } = await openSample(sample, wishes);
    const { baseTree } = await workspace.prepare([]);
    expect(await workspace.snapshot()).toBe(baseTree);
    writeFileSync(join(workspace.root, 'src/a.js'), 'two\n');
    writeFileSync(join(workspace.root, 'node_modules/dep.js'), 'poisoned\n');
    writeFileSync(join(workspace.root, '.env.test'), 'KEY=poisoned\n');
    const tree = await workspace.snapshot();
    const clean = await workspace.cleanCheckout(tree);
    const read = (path: string): string => readFileSync(join(clean.cwd, path), 'utf8');
    expect([read('src/a.js'), read('node_modules/.bin/dep'), read('.env.test'), read('local.json')]).toEqual([
      'two\n',
      'dep\n',
      'KEY=1\n',
      '{}\n',
    ]);
    expect(read('package-lock.json')).toBe('{}');
    expect(await clean.snapshot()).toBe(tree);
    expect(sample.gitIn(clean.root, 'rev-parse', 'HEAD^{tree}')).toBe(tree);
    writeFileSync(join(clean.root, 'src/a.js'), 'written by a check\n');
    expect(await clean.snapshot()).not.toBe(tree);
    await clean.dispose();
    expect(existsSync(clean.root)).toBe(false);
    expect(sample.git('worktree', 'list').split('\n')).toHaveLength(2);
    expect(runs()).toBe(1);
  });

  it('A clean checkout installs again only if the lock file changed [X10]', async () => {
    const { workspace } = await openSample(sample, wishes);
    await workspace.prepare([]);
    writeFileSync(join(workspace.root, 'src/a.js'), 'two\n');
    await (await workspace.cleanCheckout(await workspace.snapshot())).dispose();
    expect(runs()).toBe(1);
    writeFileSync(join(workspace.root, 'package-lock.json'), '{"changed":true}');
    const clean = await workspace.cleanCheckout(await workspace.snapshot());
    expect(runs()).toBe(2);
    await clean.dispose();
  });

  it('Several clean checkouts at once do not disturb each other [X10]', async () => {
    const { workspace } = await openSample(sample, wishes);
    const { baseTree } = await workspace.prepare([]);
    const all = await Promise.all([1, 2, 3].map(() => workspace.cleanCheckout(baseTree)));
    for (const clean of all) expect(await clean.snapshot()).toBe(baseTree);
    await Promise.all(all.map((clean) => clean.dispose()));
    expect(readdirSync(join(sample.home, 'cache/clean'))).toEqual([]);
  });

  it('A clean checkout waits for a registration that another git is still writing [X10]', async () => {
    const { workspace } = await openSample(sample, wishes);
    const { baseTree } = await workspace.prepare([]);
    const half = join(sample.root, '.git/worktrees/half');
    mkdirSync(half, { recursive: true });
    for (const [name, text] of Object.entries({
      gitdir: '/no/where/.git\n',
      HEAD: sample.git('rev-parse', 'HEAD'),
      commondir: '',
    }))
      writeFileSync(join(half, name), text);
    const making = workspace.cleanCheckout(baseTree);
    await sleep(300);
    rmSync(half, { recursive: true });
    const clean = await making;
    expect(await clean.snapshot()).toBe(baseTree);
    await clean.dispose();
  });

  it('The next start removes a clean checkout that a killed driver left behind [X10]', async () => {
    const { workspace } = await openSample(sample, wishes);
    const { baseTree } = await workspace.prepare([]);
    await workspace.cleanCheckout(baseTree);
    mkdirSync(join(sample.home, 'cache/clean/other-1'));
    await (await openSample(sample, wishes)).workspace.prepare([]);
    expect(readdirSync(join(sample.home, 'cache/clean'))).toEqual(['other-1']);
    expect(sample.git('worktree', 'list').split('\n')).toHaveLength(2);
  });

  it('The next checkout and the release remove one that a kill left behind, never a live one or one of another run [X10]', async () => {
    const { workspace } = await openSample(sample, wishes);
    const { baseTree } = await workspace.prepare([]);
    const folder = join(sample.home, 'cache/clean');
    const dead = (name: string): string => {
      mkdirSync(join(folder, name), { recursive: true });
      sample.git('worktree', 'add', '-q', '--detach', join(folder, name, 'checkout'));
      return name;
    };
    const other = dead('run1-two-12345678');
    dead('run1-0000dead');
    const first = await workspace.cleanCheckout(baseTree);
    const second = await workspace.cleanCheckout(baseTree);
    expect(existsSync(join(first.root, 'src/a.js'))).toBe(true);
    expect(readdirSync(folder)).toHaveLength(3);
    await first.dispose();
    await second.dispose();
    dead('run1-0000dead');
    await workspace.release();
    expect(readdirSync(folder)).toEqual([other]);
    expect(sample.git('worktree', 'list').split('\n')).toHaveLength(2);
  });

  it('A clean checkout whose setup fails is refused with the error lines, and leaves nothing [X6]', async () => {
    const { workspace } = await openSample(sample, { setup: 'echo no network >&2; exit 7', processes });
    await expect(workspace.prepare([])).rejects.toThrow(/failed \(exit 7\): no network/);
    await expect(workspace.cleanCheckout(sample.git('rev-parse', 'HEAD^{tree}'))).rejects.toMatchObject({
      code: 'setup-failed',
    });
    expect(readdirSync(join(sample.home, 'cache/clean'))).toEqual([]);
  });

  it('A setup command that fails without output is refused with its exit code [X6]', async () => {
    const { workspace } = await openSample(sample, { setup: 'exit 7', processes });
    await expect(workspace.prepare([])).rejects.toThrow(/`exit 7` failed \(exit 7\) and printed nothing$/);
  });
});

it('Without a configured setup, the lock file decides the setup, which runs in both checkouts [X10]', async () => {
  const about = { name: 'toy', version: '1.0.0', scripts: { postinstall: 'echo yes > ready' } };
  sample.write('package.json', JSON.stringify(about));
  sample.write(
    'package-lock.json',
    JSON.stringify({ ...about, lockfileVersion: 3, packages: { '': about } }),
  );
  sample.commit('a package');
  const { workspace } = await openSample(sample, { setup: null, processes });
  const { baseTree } = await workspace.prepare([]);
  expect(readFileSync(join(workspace.root, 'ready'), 'utf8')).toBe('yes\n');
  const clean = await workspace.cleanCheckout(baseTree);
  expect(readFileSync(join(clean.root, 'ready'), 'utf8')).toBe('yes\n');
  await clean.dispose();
});

it('A setup command gets its own environment, and nothing of ours [X12]', async () => {
  const { workspace } = await openSample(sample, { setup: 'env > "$HOME/seen"', processes });
  await workspace.prepare([]);
  const seen = readFileSync(join(sample.home, 'seen'), 'utf8');
  expect(seen).toContain('SETUP_ONLY=yes');
  expect(seen).not.toContain('UNTILDONE_KEY');
});

describe('release of a checkout', () => {
  it('A release keeps uncommitted work, removes the checkout and leaves the branch', async () => {
    const { workspace } = await openSample(sample, wishes);
    await workspace.prepare([]);
    writeFileSync(join(workspace.root, 'src/a.js'), 'unfinished\n');
    const tree = await workspace.snapshot();
    await workspace.release();
    expect(existsSync(workspace.root)).toBe(false);
    expect(sample.git('rev-parse', 'refs/untildone/run1/released')).toBe(tree);
    expect(sample.git('rev-parse', 'untildone/run1')).toBe(sample.git('rev-parse', 'main'));
    await workspace.release();
  });

  it('A release leaves no file of the checkout beside its index', async () => {
    const { workspace } = await openSample(sample, wishes);
    await workspace.prepare([]);
    const beside = (): string[] =>
      readdirSync(join(sample.home, 'state', 'run1')).filter((name) => name.startsWith('index'));
    expect(beside()).toContain('index.asked-locks');
    await workspace.release();
    expect(beside()).toEqual([]);
  });
});

describe('special repositories', () => {
  it('Submodules are filled from the local copies of the user, without a network [X6]', async () => {
    const inner = makeSample('inner');
    try {
      inner.write('lib.c', 'int x;\n');
      inner.commit('lib');
      sample.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'vendor/lib');
      sample.git('commit', '-q', '-m', 'submodule');
      inner.remove();
      const { workspace, notes } = await openSample(sample);
      const { baseTree } = await workspace.prepare([]);
      expect(readFileSync(join(workspace.root, 'vendor/lib/lib.c'), 'utf8')).toBe('int x;\n');
      expect(await workspace.snapshot()).toBe(baseTree);
      expect(sample.gitIn(workspace.root, 'status', '--porcelain')).toBe('');
      expect(notes.join()).toContain('submodules');
      const clean = await workspace.cleanCheckout(baseTree);
      expect(existsSync(join(clean.root, 'vendor/lib/lib.c'))).toBe(true);
      expect(await clean.snapshot()).toBe(baseTree);
      await clean.dispose();
      await workspace.release();
    } finally {
      inner.remove();
    }
  });

  it('A submodule that was never fetched stays empty, and the run says so [X6]', async () => {
    sample.write('.gitmodules', '[submodule "x"]\n\tpath = x\n\turl = /nowhere\n');
    sample.git('add', '.gitmodules');
    sample.git('update-index', '--add', '--cacheinfo', `160000,${sample.git('rev-parse', 'HEAD')},x`);
    sample.git('commit', '-q', '-m', 'link');
    const { workspace, notes } = await openSample(sample);
    const { baseTree } = await workspace.prepare([]);
    expect(await workspace.snapshot()).toBe(baseTree);
    expect(notes.join()).toContain('git submodule update --init');
  });

  it('Pointers of git-lfs are kept as they are when git-lfs is missing [X6]', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n';
    sample.write('big.bin', pointer);
    sample.git('add', 'big.bin');
    sample.write('.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n');
    sample.git('add', '.gitattributes');
    sample.git('commit', '-q', '-m', 'lfs');
    sample.git('config', 'filter.lfs.process', 'git-lfs-not-installed filter-process');
    sample.git('config', 'filter.lfs.clean', 'git-lfs-not-installed clean %f');
    sample.git('config', 'filter.lfs.smudge', 'git-lfs-not-installed smudge %f');
    sample.git('config', 'filter.lfs.required', 'true');
    const { workspace, notes } = await openSample(sample);
    const { baseTree } = await workspace.prepare([]);
    expect(readFileSync(join(workspace.root, 'big.bin'), 'utf8')).toBe(pointer);
    expect(await workspace.snapshot()).toBe(baseTree);
    expect(notes.join()).toContain('git-lfs is not installed');
  });
});
