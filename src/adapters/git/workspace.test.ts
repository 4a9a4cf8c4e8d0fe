import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
  statSync,
  readlinkSync,
} from 'node:fs';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeSample, openSample, type Sample } from '#test/git/sample-repository.ts';

let sample: Sample;

beforeEach(() => {
  sample = makeSample('my répo 中');
  sample.write('a.txt', 'one\n');
  sample.write('src/b.ts', 'export const b = 1;\n');
  sample.write('.gitignore', 'node_modules/\nbuild/\n');
  sample.commit('start');
});

afterEach(() => sample.remove());

describe('preparation of a workspace', () => {
  it('A prepared run has its own branch and checkout, and touches nothing of the user [C10]', async () => {
    sample.write('a.txt', 'edited by the user\n');
    sample.write('new.txt', 'untracked\n');
    const before = sample.git('status', '--porcelain');
    const { workspace } = await openSample(sample);
    const prepared = await workspace.prepare([]);
    expect(prepared.branch).toBe('untildone/run1');
    expect(prepared.baseCommit).toBe(sample.git('rev-parse', 'main'));
    expect(prepared.baseTree).toBe(sample.git('rev-parse', 'main^{tree}'));
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('one\n');
    expect(sample.git('status', '--porcelain')).toBe(before);
    expect(sample.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
    expect(await workspace.snapshot()).toBe(prepared.baseTree);
    expect(sample.gitIn(workspace.root, 'status', '--porcelain')).toBe('');
  });

  it("The user's own ignore file is in force with an empty XDG_CONFIG_HOME as well [C5]", async () => {
    mkdirSync(join(sample.home, '.config/git'), { recursive: true });
    writeFileSync(join(sample.home, '.config/git/ignore'), '*.mine\n');
    for (const env of [sample.env, { ...sample.env, XDG_CONFIG_HOME: '' }]) {
      const runId = `run${Object.keys(env).length}`;
      const { workspace } = await openSample({ ...sample, env }, { runId });
      const { baseTree } = await workspace.prepare([]);
      writeFileSync(join(workspace.root, 'a.mine'), '');
      expect(await workspace.snapshot()).toBe(baseTree);
    }
  });

  it('A repeated preparation changes nothing, and keeps the existing work [D1]', async () => {
    const { workspace } = await openSample(sample);
    const first = await workspace.prepare([]);
    writeFileSync(join(workspace.root, 'work.txt'), 'work\n');
    const tree = await workspace.snapshot();
    const again = await openSample(sample);
    expect(await again.workspace.prepare([])).toEqual(first);
    expect(await again.workspace.snapshot()).toBe(tree);
  });

  it('A deleted branch is recreated at the current commit of the run, not at its first one [D1]', async () => {
    const { workspace } = await openSample(sample);
    const { baseCommit } = await workspace.prepare([]);
    writeFileSync(join(workspace.root, 'work.txt'), 'work\n');
    const tree = await workspace.snapshot();
    const done = await workspace.commit({ stepId: 's', tree, parent: baseCommit, message: 'work' });
    const tip = 'commit' in done ? done.commit : '';
    await workspace.release();
    sample.git('branch', '-q', '-D', 'untildone/run1');
    const again = await openSample(sample);
    expect((await again.workspace.prepare([], { tip })).baseCommit).toBe(baseCommit);
    expect(sample.git('rev-parse', 'untildone/run1')).toBe(tip);
    expect(await again.workspace.snapshot()).toBe(tree);
  });

  it('A deleted branch whose current commit is gone as well is reported', async () => {
    const { workspace } = await openSample(sample);
    await expect(workspace.prepare([], { tip: '1'.repeat(40) })).rejects.toMatchObject({
      code: 'tip-missing',
    });
    expect(sample.git('for-each-ref', 'refs/heads/untildone')).toBe('');
  });

  it.each([
    'half-made files',
    'branch alone',
    'stale registration',
    'locked index',
    'lost registration',
    'lost .git file',
    'foreign .git folder',
  ])('Preparation repairs the workspace after a crash: %s [D1]', async (damage) => {
    const { workspace, options } = await openSample(sample);
    const first = await workspace.prepare([]);
    const admin = join(sample.root, '.git/worktrees/untildone-run1');
    const isWork = /lost|foreign|locked/.test(damage);
    if (isWork) writeFileSync(join(workspace.root, 'work.txt'), 'work\n');
    const ready = `${options.indexFile}.ready`;
    if (damage === 'half-made files') {
      rmSync(ready);
      rmSync(join(workspace.root, 'a.txt'));
    }
    if (damage === 'branch alone') {
      rmSync(ready);
      sample.git('worktree', 'remove', '--force', workspace.root);
    }
    if (damage === 'stale registration') rmSync(workspace.root, { recursive: true });
    if (damage === 'locked index') writeFileSync(join(admin, 'index.lock'), '');
    if (damage === 'lost registration') rmSync(admin, { recursive: true });
    if (damage === 'lost .git file') rmSync(join(workspace.root, '.git'));
    if (damage === 'foreign .git folder') {
      rmSync(join(workspace.root, '.git'));
      sample.gitIn(workspace.root, 'init', '-q');
    }
    const again = await openSample(sample);
    expect(await again.workspace.prepare([])).toEqual(first);
    expect(existsSync(join(workspace.root, 'work.txt'))).toBe(isWork);
    expect(readFileSync(join(workspace.root, 'a.txt'), 'utf8')).toBe('one\n');
    expect(sample.gitIn(workspace.root, 'symbolic-ref', 'HEAD')).toBe('refs/heads/untildone/run1');
    expect(sample.gitIn(workspace.root, 'status', '--porcelain')).toBe(isWork ? '?? work.txt' : '');
  });

  it('Preparation finds the checkout and its work again when the repository was moved [D1]', async () => {
    const { workspace, options } = await openSample(sample);
    const first = await workspace.prepare([]);
    writeFileSync(join(workspace.root, 'work.txt'), 'work\n');
    const tree = await workspace.snapshot();
    const root = join(sample.home, 'elsewhere');
    renameSync(sample.root, root);
    const again = await openSample(sample, { cwd: root });
    expect(again.options.worktreeDir).toBe(options.worktreeDir);
    expect(await again.workspace.snapshot()).toBe(tree);
    expect(await again.workspace.prepare([])).toEqual(first);
    expect(await again.workspace.snapshot()).toBe(tree);
    expect(sample.gitIn(workspace.root, 'status', '--porcelain')).toBe('?? work.txt');
    await again.workspace.restore(first.baseTree, 's1/before');
    expect(existsSync(join(workspace.root, 'work.txt'))).toBe(false);
    expect(sample.gitIn(root, 'worktree', 'list').split('\n')).toHaveLength(2);
  });

  it('Preparation survives kill -9 at any moment, again and again [D1]', async () => {
    for (let n = 0; n < 200; n += 1) sample.write(`many/${n}.txt`, `${n}\n`);
    sample.commit('many');
    const program = `
      import { openSample } from ${JSON.stringify(new URL('../../../test/support/git/sample-repository.ts', import.meta.url).href)};
      const { workspace } = await openSample(${JSON.stringify({ root: sample.root, home: sample.home, env: sample.env })});
      process.stdout.write('begin');
      await workspace.prepare([]);
      process.stdout.write('end');`;
    for (const delayMs of [20, 70, 120, 200]) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
        cwd: import.meta.dirname,
        stdio: ['ignore', 'pipe', 'ignore'],
        detached: true,
      });
      const closed = once(child, 'close');
      await Promise.race([once(child.stdout, 'data'), closed]);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      // The whole group, so that git dies in the middle as well.
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL');
      } catch {
        // It had ended by itself.
      }
      await closed;
    }
    const { workspace } = await openSample(sample);
    const { baseTree } = await workspace.prepare([]);
    expect(await workspace.snapshot()).toBe(baseTree);
    expect(sample.gitIn(workspace.root, 'status', '--porcelain')).toBe('');
    expect(sample.git('worktree', 'list').split('\n')).toHaveLength(2);
    expect(sample.git('status', '--porcelain')).toBe('');
  });

  it('Two runs at once have a checkout each [D5]', async () => {
    const runs = await Promise.all(['r1', 'r2', 'r3'].map((runId) => openSample(sample, { runId })));
    await Promise.all(runs.map(({ workspace }) => workspace.prepare([])));
    expect(sample.git('worktree', 'list').split('\n')).toHaveLength(4);
  });

  it('A run starts in the subdirectory where the user started it [X6]', async () => {
    const { workspace } = await openSample(sample, { cwd: join(sample.root, 'src') });
    await workspace.prepare([]);
    expect(workspace.cwd).toBe(join(workspace.root, 'src'));
    expect(existsSync(join(workspace.cwd, 'b.ts'))).toBe(true);
  });

  it('Preparation works from a detached HEAD, from a linked worktree and in a sha256 repository [X6]', async () => {
    sample.git('checkout', '-q', '--detach');
    const detached = await openSample(sample, { runId: 'd' });
    expect(detached.repository.head.branch).toBeNull();
    await detached.workspace.prepare([]);
    const linked = join(sample.home, 'linked');
    sample.git('worktree', 'add', '-q', '-b', 'other', linked);
    const fromLinked = await openSample(sample, { runId: 'l', cwd: linked });
    const prepared = await fromLinked.workspace.prepare([]);
    expect(await fromLinked.workspace.snapshot()).toBe(prepared.baseTree);
    const long = makeSample('long', ['--object-format=sha256']);
    try {
      long.write('x', 'x');
      long.commit('x');
      const { workspace } = await openSample(long);
      const { baseTree, baseCommit } = await workspace.prepare([]);
      expect(baseTree).toHaveLength(64);
      writeFileSync(join(workspace.root, 'y'), 'y');
      const tree = await workspace.snapshot();
      const done = await workspace.commit({ stepId: 's', tree, parent: baseCommit, message: 'y' });
      expect(done).toEqual({ commit: long.git('rev-parse', 'untildone/run1') });
    } finally {
      long.remove();
    }
  });

  it('Preparation is refused without an identity, before anything is made [X6]', async () => {
    writeFileSync(join(sample.home, '.gitconfig'), '');
    const { workspace } = await openSample(sample);
    await expect(workspace.prepare([])).rejects.toMatchObject({
      code: 'identity-missing',
    });
    expect(sample.git('for-each-ref', 'refs/heads/untildone')).toBe('');
    expect(existsSync(workspace.root)).toBe(false);
  });

  it('Preparation is refused if commits must be signed and cannot be, before anything is made [X6]', async () => {
    sample.git('config', 'commit.gpgSign', 'true');
    sample.git('config', 'gpg.program', 'false');
    const { workspace } = await openSample(sample);
    await expect(workspace.prepare([])).rejects.toMatchObject({ code: 'signing-failed' });
    expect(sample.git('for-each-ref', 'refs/heads/untildone')).toBe('');
  });

  it('Preparation refuses a branch that is checked out elsewhere or already exists [X6]', async () => {
    sample.git('checkout', '-q', '-b', 'untildone/run1');
    const { workspace } = await openSample(sample);
    await expect(workspace.prepare([])).rejects.toMatchObject({ code: 'branch-taken' });
    sample.git('checkout', '-q', 'main');
    sample.git('branch', '-q', '-D', 'untildone/run1');
    sample.git('branch', 'untildone');
    await expect(workspace.prepare([])).rejects.toMatchObject({ code: 'branch-in-the-way' });
  });
});

describe('a workspace in place', () => {
  it('In place, the clean checkout switches to the branch, and is found again with work in it', async () => {
    const { workspace } = await openSample(sample, { inPlace: true });
    const prepared = await workspace.prepare([]);
    expect(workspace.root).toBe(sample.root);
    expect(sample.git('symbolic-ref', '--short', 'HEAD')).toBe('untildone/run1');
    expect(await workspace.snapshot()).toBe(prepared.baseTree);
    sample.write('a.txt', 'two\n');
    const again = await openSample(sample, { inPlace: true });
    await again.workspace.prepare([]);
    const tree = await again.workspace.snapshot();
    await again.workspace.commit({ stepId: 's', tree, parent: prepared.baseCommit, message: 'two' });
    expect(sample.git('status', '--porcelain')).toBe('');
  });

  it('In place, a dirty checkout is refused with its files, and so is one during a merge [X6]', async () => {
    sample.write('a.txt', 'two\n');
    sample.write('new.txt', 'x');
    const { workspace } = await openSample(sample, { inPlace: true });
    await expect(workspace.prepare([])).rejects.toThrow(/a\.txt, new\.txt/);
    expect(sample.git('for-each-ref', 'refs/heads/untildone')).toBe('');
    sample.git('stash', '-q', '-u');
    writeFileSync(join(sample.root, '.git/MERGE_HEAD'), `${sample.git('rev-parse', 'HEAD')}\n`);
    await expect(workspace.prepare([])).rejects.toMatchObject({ code: 'checkout-busy' });
  });
});

describe('snapshots', () => {
  it('A snapshot takes all files that are not ignored, with their names, modes and links [C5]', async () => {
    const { workspace } = await openSample(sample);
    await workspace.prepare([]);
    writeFileSync(join(workspace.root, 'tool.sh'), '#!/bin/sh\n', { mode: 0o755 });
    writeFileSync(join(workspace.root, 'ü ☃ "q"'), 'x');
    writeFileSync(join(workspace.root, 'new\nline'), 'x');
    symlinkSync('a.txt', join(workspace.root, 'link'));
    mkdirSync(join(workspace.root, 'node_modules/x'), { recursive: true });
    writeFileSync(join(workspace.root, 'node_modules/x/i.js'), 'x');
    rmSync(join(workspace.root, 'src/b.ts'));
    const tree = await workspace.snapshot();
    const listed = sample.git('ls-tree', '-r', '-z', tree).split('\0').filter(Boolean);
    expect(listed.map((line) => `${line.slice(0, 6)} ${line.split('\t')[1]}`)).toEqual([
      '100644 .gitignore',
      '100644 a.txt',
      '120000 link',
      '100644 new\nline',
      '100755 tool.sh',
      '100644 ü ☃ "q"',
    ]);
    expect(sample.gitIn(workspace.root, 'diff', '--cached', '--name-only')).toBe('');
  });

  it('A snapshot omits secrets and our state, even if an ignore file includes them; files of the base stay', async () => {
    sample.write('.env.production', 'tracked\n');
    sample.write('.untildone/config.jsonc', '{}\n');
    sample.git('add', '-f', '.env.production');
    sample.commit('with a tracked one');
    const { workspace } = await openSample(sample);
    await workspace.prepare([]);
    const put = (path: string, text: string): void => writeFileSync(join(workspace.root, path), text);
    put('.gitignore', '!.env\n!*.pem\n');
    put('.env', 'SECRET=1');
    put('.env.local', 'SECRET=1');
    put('.env.example', 'SECRET=');
    put('server.pem', 'x');
    put('id_rsa', 'x');
    put('.npmrc', '//host/:_authToken=x');
    put('.env.production', 'changed\n');
    mkdirSync(join(workspace.root, '.untildone/runs'), { recursive: true });
    put('.untildone/runs/state.json', '{}');
    mkdirSync(join(workspace.root, 'pkg'));
    put('pkg/.npmrc', 'engine-strict=true\n');
    const tree = await workspace.snapshot();
    const paths = sample.git('ls-tree', '-r', '--name-only', tree).split('\n');
    expect(paths).toEqual([
      '.env.example',
      '.env.production',
      '.gitignore',
      '.untildone/config.jsonc',
      'a.txt',
      'pkg/.npmrc',
      'src/b.ts',
    ]);
    expect(sample.git('cat-file', 'blob', `${tree}:.env.production`)).toBe('changed');
  });

  it('A snapshot takes files of repositories that an agent made inside, omits pipes, and does not hang', async () => {
    const { workspace } = await openSample(sample);
    await workspace.prepare([]);
    for (const name of ['empty', 'full', 'full/deep']) {
      mkdirSync(join(workspace.root, name));
      sample.gitIn(join(workspace.root, name), 'init', '-q');
      writeFileSync(join(workspace.root, name, 'f.txt'), name);
    }
    sample.gitIn(join(workspace.root, 'full'), 'add', 'f.txt');
    sample.gitIn(join(workspace.root, 'full'), 'commit', '-q', '-m', 'x');
    execFileSync('mkfifo', [join(workspace.root, 'pipe')]);
    rmSync(join(workspace.root, 'a.txt'));
    execFileSync('mkfifo', [join(workspace.root, 'a.txt')]);
    const tree = await workspace.snapshot();
    const paths = sample.git('ls-tree', '-r', '--name-only', tree).split('\n');
    expect(paths).toEqual(['.gitignore', 'empty/f.txt', 'full/deep/f.txt', 'full/f.txt', 'src/b.ts']);
    writeFileSync(join(workspace.root, 'full/f.txt'), 'changed');
    const next = await workspace.snapshot();
    expect(await workspace.changedPaths(tree, next)).toEqual([{ path: 'full/f.txt', status: 'changed' }]);
  });

  it('A snapshot detects a change that keeps size and time, and survives many at once', async () => {
    const { workspace } = await openSample(sample);
    await workspace.prepare([]);
    const trees = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      writeFileSync(join(workspace.root, 'a.txt'), `o${String.fromCharCode(97 + round)}e\n`);
      trees.add(await workspace.snapshot());
    }
    expect(trees.size).toBe(20);
    const all = await Promise.all(
      Array.from({ length: 8 }, async () => (await openSample(sample)).workspace.snapshot()),
    );
    expect(new Set(all).size).toBe(1);
  });

  it('A snapshot of five thousand files finds the one that changed', async () => {
    for (let n = 0; n < 5_000; n += 1) sample.write(`many/${n % 50}/${n}.txt`, `${n}\n`);
    sample.commit('many');
    const { workspace } = await openSample(sample);
    const { baseTree } = await workspace.prepare([]);
    expect(await workspace.snapshot()).toBe(baseTree);
    writeFileSync(join(workspace.root, 'many/7/7.txt'), 'changed\n');
    expect(await workspace.changedPaths(baseTree, await workspace.snapshot())).toEqual([
      { path: 'many/7/7.txt', status: 'changed' },
    ]);
  });
});

describe('restoring a tree', () => {
  it('A restore makes the files equal, keeps the replaced ones, and leaves ignored ones [C5]', async () => {
    const { workspace } = await openSample(sample);
    const { baseTree } = await workspace.prepare([]);
    expect(await workspace.restore(baseTree, 'nothing')).toBeNull();
    rmSync(join(workspace.root, 'src'), { recursive: true });
    writeFileSync(join(workspace.root, 'src'), 'a file where a folder was');
    mkdirSync(join(workspace.root, 'deep/er'), { recursive: true });
    writeFileSync(join(workspace.root, 'deep/er/f'), 'x');
    chmodSync(join(workspace.root, 'a.txt'), 0o755);
    mkdirSync(join(workspace.root, 'build'));
    writeFileSync(join(workspace.root, 'build/out'), 'ignored');
    const work = await workspace.snapshot();
    const ref = await workspace.restore(baseTree, 'step-1');
    expect(ref).toBe('refs/untildone/run1/step-1');
    expect(sample.git('rev-parse', ref ?? '')).toBe(work);
    expect(await workspace.snapshot()).toBe(baseTree);
    expect(existsSync(join(workspace.root, 'deep'))).toBe(false);
    expect(existsSync(join(workspace.root, 'build/out'))).toBe(true);
    expect(statSync(join(workspace.root, 'a.txt')).mode & 0o111).toBe(0);
    sample.git('gc', '-q', '--prune=now');
    await workspace.restore(work, 'step-2');
    expect(readFileSync(join(workspace.root, 'deep/er/f'), 'utf8')).toBe('x');
  });

  it('A restore never overwrites files that were kept under the same name', async () => {
    const { workspace } = await openSample(sample);
    const { baseTree } = await workspace.prepare([]);
    writeFileSync(join(workspace.root, 'x'), '1');
    expect(await workspace.restore(baseTree, 'n')).toBe('refs/untildone/run1/n');
    writeFileSync(join(workspace.root, 'x'), '2');
    expect(await workspace.restore(baseTree, 'n')).toBe('refs/untildone/run1/n.2');
    writeFileSync(join(workspace.root, 'y'), '3');
    symlinkSync('nowhere', join(workspace.root, 'dangling'));
    await workspace.removeAdded(baseTree);
    expect(await workspace.snapshot()).toBe(baseTree);
    expect(() => readlinkSync(join(workspace.root, 'dangling'))).toThrow(/ENOENT/);
  });
});
