import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findCheckout, findRepository, findRepositoryToRead } from './repository.ts';
import { makeSample, openSample, type Sample } from '#test/git/sample-repository.ts';

let sample: Sample;

beforeEach(() => {
  sample = makeSample('a b/ünïcode');
  sample.write('pkg/x.txt', 'x\n');
  sample.commit('start');
});
afterEach(() => sample.remove());

/** A `git` of our own first on the PATH. */
function withGit(script: string): { readonly [name: string]: string } {
  const folder = join(sample.home, 'bin');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'git'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'git'), 0o755);
  return { ...sample.env, PATH: `${folder}:${sample.env['PATH'] ?? ''}` };
}

describe('finding the repository', () => {
  it('A repository is found from its root, from a subdirectory and through a link [X6]', async () => {
    const link = join(sample.home, 'link');
    symlinkSync(join(sample.root, 'pkg'), link);
    for (const [cwd, prefix] of [
      [sample.root, ''],
      [join(sample.root, 'pkg'), 'pkg'],
      [link, 'pkg'],
    ] as const) {
      const found = await findRepository(cwd, sample.env);
      expect(found).toMatchObject({ root: sample.root, prefix, commonDir: join(sample.root, '.git') });
      expect(found.head).toEqual({ commit: sample.git('rev-parse', 'HEAD'), branch: 'main' });
    }
  });

  it('A reader finds the repository with one git process, whatever the version of git', async () => {
    const calls = join(sample.home, 'calls');
    const real = sample.git('--exec-path');
    const env = withGit(
      `echo "$*" >>'${calls}'\ncase "$*" in *version) echo git version 2.25.1;; *) exec '${real}/git' "$@";; esac`,
    );
    const found = await findRepositoryToRead(join(sample.root, 'pkg'), env);
    expect(found.head).toEqual({ commit: sample.git('rev-parse', 'HEAD'), branch: 'main' });
    expect(found.prefix).toBe('pkg');
    expect(readFileSync(calls, 'utf8').trim().split('\n')).toHaveLength(1);
  });

  it('A detached HEAD has a commit and no branch, and a branch with slashes keeps its whole name', async () => {
    sample.git('checkout', '-q', '-b', 'feature/a/b');
    expect((await findRepository(sample.root, sample.env)).head.branch).toBe('feature/a/b');
    sample.git('checkout', '-q', '--detach');
    const found = await findRepository(sample.root, sample.env);
    expect(found.head).toEqual({ commit: sample.git('rev-parse', 'HEAD'), branch: null });
  });

  it('A repository whose path has a line break is found, with a commit and without one', async () => {
    const odd = makeSample('line\nbreak');
    try {
      expect((await findRepositoryToRead(odd.root, odd.env)).root).toBe(odd.root);
      odd.write('x', 'x');
      odd.commit('start');
      const found = await findRepository(odd.root, odd.env);
      expect(found).toMatchObject({ root: odd.root, head: { branch: 'main' } });
    } finally {
      odd.remove();
    }
  });

  it('A file named HEAD^{commit} is not taken for a commit', async () => {
    const empty = makeSample();
    try {
      empty.write('HEAD^{commit}', 'x');
      await expect(findRepository(empty.root, empty.env)).rejects.toMatchObject({ code: 'repository-empty' });
    } finally {
      empty.remove();
    }
  });

  it('A repository without a commit can be read: the empty tree stands for its commit', async () => {
    const empty = makeSample();
    try {
      const found = await findRepositoryToRead(empty.root, empty.env);
      expect(found.head).toEqual({
        commit: empty.git('hash-object', '-t', 'tree', '/dev/null'),
        branch: null,
      });
      expect((await findCheckout(empty.root, empty.env)).root).toBe(empty.root);
    } finally {
      empty.remove();
    }
  });

  it('Variables of a surrounding git do not mislead the search for the repository', async () => {
    const other = makeSample();
    try {
      const env = {
        ...sample.env,
        GIT_DIR: join(other.root, '.git'),
        GIT_INDEX_FILE: '/nowhere',
        GIT_WORK_TREE: other.root,
      };
      expect((await findRepository(sample.root, env)).root).toBe(sample.root);
    } finally {
      other.remove();
    }
  });

  it('A run started in a submodule belongs to the submodule [X6]', async () => {
    const outer = makeSample();
    try {
      outer.write('o', 'o');
      outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', sample.root, 'sub');
      outer.commit('with submodule');
      const inside = join(outer.root, 'sub');
      const { workspace, repository } = await openSample(outer, { cwd: inside });
      expect(repository.root).toBe(inside);
      const { baseTree } = await workspace.prepare([]);
      expect(await workspace.snapshot()).toBe(baseTree);
      expect(outer.gitIn(workspace.root, 'status', '--porcelain')).toBe('');
      expect(outer.git('status', '--porcelain')).toBe('');
    } finally {
      outer.remove();
    }
  });
});

describe('refusals in one sentence [X6]', () => {
  it('A machine without git is refused', async () => {
    const env = { ...sample.env, PATH: sample.home };
    await expect(findRepository(sample.root, env)).rejects.toMatchObject({ code: 'git-missing' });
  });

  it('A git that is too old is refused', async () => {
    await expect(findRepository(sample.root, withGit('echo git version 2.25.1'))).rejects.toMatchObject({
      code: 'git-too-old',
    });
  });

  it('A folder that is no repository, or does not exist, is refused', async () => {
    await expect(findRepository(sample.home, sample.env)).rejects.toThrow(/not in a git repository/);
    await expect(findRepository(join(sample.home, 'none'), sample.env)).rejects.toMatchObject({
      code: 'folder-missing',
    });
  });

  it('A bare repository, and the inside of .git, are refused', async () => {
    const bare = join(sample.home, 'bare.git');
    sample.git('clone', '-q', '--bare', '.', bare);
    await expect(findRepository(bare, sample.env)).rejects.toMatchObject({ code: 'repository-bare' });
    await expect(findRepository(join(sample.root, '.git'), sample.env)).rejects.toMatchObject({
      code: 'inside-git-folder',
    });
  });

  it('A repository without a commit is refused', async () => {
    const empty = makeSample();
    try {
      await expect(findRepository(empty.root, empty.env)).rejects.toMatchObject({ code: 'repository-empty' });
    } finally {
      empty.remove();
    }
  });
});
