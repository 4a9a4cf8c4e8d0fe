import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Opened, gitAsAgent, makeSample, openSample, type Sample } from '#test/git/sample-repository.ts';

let sample: Sample;
let opened: Opened;
let start: string;

beforeEach(async () => {
  sample = makeSample();
  sample.write('a.txt', 'one\n');
  sample.commit('start');
  start = sample.git('rev-parse', 'HEAD');
  for (const name of ['feature', 'gone', 'dir/x']) sample.git('branch', name);
  sample.git('tag', 'v1');
  opened = await openSample(sample);
  await opened.workspace.prepare([]);
  await opened.workspace.guardRefs('s1');
});
afterEach(() => sample.remove());

const agent = (...args: string[]): string => gitAsAgent(sample, opened, args);

/** An agent that dropped the name it was given. */
function disguised(...args: string[]): string {
  return sample.gitIn(opened.workspace.root, ...args);
}

function agentCommit(): string {
  writeFileSync(join(opened.workspace.root, 'a.txt'), `${Math.random()}\n`);
  agent('commit', '-q', '-a', '-m', 'by the agent');
  return agent('rev-parse', 'HEAD');
}

const at = (ref: string): string => sample.git('rev-parse', ref);

async function restored(): Promise<Record<string, string>> {
  const all = await opened.workspace.restoreRefs('s1');
  return Object.fromEntries(all.map(({ ref, action }) => [ref, action]));
}

describe('ref changes by an agent', () => {
  it('If an agent commits, the branch is restored, and its commits and files are kept', async () => {
    const commit = agentCommit();
    const before = await opened.workspace.snapshot();
    const [moved] = await opened.workspace.restoreRefs('s1');
    expect(moved).toEqual({
      ref: 'refs/heads/untildone/run1',
      action: 'moved-back',
      keptAs: 'refs/untildone/run1/agent/s1',
    });
    expect(at('untildone/run1')).toBe(start);
    expect(at('refs/untildone/run1/agent/s1')).toBe(commit);
    expect(await opened.workspace.snapshot()).toBe(before);
    expect(await opened.workspace.restoreRefs('s1')).toEqual([]);
  });

  it('If an agent deletes branches and tags, they are restored, also after our crash and with a new one in the way', async () => {
    agent('branch', '-q', '-D', 'gone');
    agent('tag', '-d', 'v1');
    agent('branch', '-q', '-D', 'dir/x');
    agent('branch', 'dir');
    opened = await openSample(sample);
    const done = await restored();
    expect(done).toMatchObject({
      'refs/heads/gone': 'restored',
      'refs/tags/v1': 'restored',
      'refs/heads/dir/x': 'restored',
    });
    expect([at('gone'), at('v1'), at('dir/x')]).toEqual([start, start, start]);
  });

  it('If an agent deletes its branch or switches to another, HEAD and branch are restored', async () => {
    agent('checkout', '-q', '-b', 'mine');
    agent('branch', '-q', '-D', 'untildone/run1');
    expect(await restored()).toMatchObject({
      'refs/heads/untildone/run1': 'moved-back',
      'refs/heads/mine': 'left',
    });
    expect(disguised('symbolic-ref', 'HEAD')).toBe('refs/heads/untildone/run1');
    expect(at('untildone/run1')).toBe(start);
  });

  it("If an agent moves main under its own name, main is restored and the agent's commit is kept", async () => {
    const commit = agentCommit();
    agent('update-ref', 'refs/heads/main', commit);
    const all = await opened.workspace.restoreRefs('s1');
    const main = all.find(({ ref }) => ref === 'refs/heads/main');
    expect(main?.action).toBe('restored');
    expect(at('main')).toBe(start);
    expect(at(main?.keptAs ?? '')).toBe(commit);
    expect(sample.git('status', '--porcelain')).toBe('');
  });

  it("If an agent rewrites a branch under the user's name, it is restored, because it is no fast-forward", async () => {
    const orphan = disguised('commit-tree', '-m', 'orphan', `${start}^{tree}`);
    disguised('branch', '-f', 'feature', orphan);
    disguised('tag', '-f', 'v1', orphan);
    expect(await restored()).toMatchObject({ 'refs/heads/feature': 'restored', 'refs/tags/v1': 'restored' });
    expect([at('feature'), at('v1')]).toEqual([start, start]);
  });

  it('If an agent adds a tag, the tag is kept and reported', async () => {
    agent('tag', 'v2');
    expect(await restored()).toEqual({ 'refs/tags/v2': 'left' });
    expect(at('v2')).toBe(start);
  });

  it('If an agent replaces objects, the replacement is removed', async () => {
    const other = disguised('commit-tree', '-m', 'other', `${start}^{tree}`);
    agent('replace', start, other);
    expect(Object.values(await restored())).toEqual(['restored']);
    expect(sample.git('replace', '-l')).toBe('');
  });

  it('If an agent writes hooks, settings and ignore rules, they are restored and its versions are kept', async () => {
    const git = join(sample.root, '.git');
    writeFileSync(join(git, 'hooks/pre-push'), '#!/bin/sh\nevil\n', { mode: 0o755 });
    agent('config', 'core.fsmonitor', 'evil');
    writeFileSync(join(git, 'info/exclude'), '*\n');
    const all = await opened.workspace.restoreRefs('s1');
    expect(all.map(({ ref }) => ref).toSorted()).toEqual([
      '.git/config',
      '.git/hooks/pre-push',
      '.git/info/exclude',
    ]);
    expect(existsSync(join(git, 'hooks/pre-push'))).toBe(false);
    expect(readFileSync(join(git, 'config'), 'utf8')).not.toContain('evil');
    const hook = all.find(({ ref }) => ref.endsWith('pre-push'));
    expect(sample.git('cat-file', 'blob', hook?.keptAs ?? '')).toContain('evil');
  });

  it("If an agent adds a remote or lets a branch track it, the change is kept as possibly the user's, and reported", async () => {
    agent('remote', 'add', 'there', sample.home);
    agent('config', 'branch.main.remote', 'there');
    const all = await opened.workspace.restoreRefs('s1');
    const left = ['branch.main.remote', 'remote.there.fetch', 'remote.there.url'];
    expect(all.toSorted((a, b) => (a.ref < b.ref ? -1 : 1))).toEqual(
      left.map((name) => ({ ref: `config ${name}`, action: 'left', keptAs: '' })),
    );
    expect(sample.git('config', 'branch.main.remote')).toBe('there');
  });

  it('An agent cannot make our own git run its program', async () => {
    writeFileSync(join(sample.home, 'evil.sh'), `#!/bin/sh\ntouch '${sample.home}/pwned'\n`, { mode: 0o755 });
    agent('config', 'core.fsmonitor', join(sample.home, 'evil.sh'));
    agent('config', 'core.hooksPath', sample.home);
    await opened.workspace.snapshot();
    await opened.workspace.restoreRefs('s1');
    expect(existsSync(join(sample.home, 'pwned'))).toBe(false);
  });

  it('If an agent stashes, the stash list of the user is restored', async () => {
    sample.write('a.txt', 'of the user\n');
    sample.git('stash', '-q');
    const list = sample.git('stash', 'list');
    await opened.workspace.guardRefs('s2');
    writeFileSync(join(opened.workspace.root, 'a.txt'), 'of the agent\n');
    agent('stash', '-q');
    await opened.workspace.restoreRefs('s2');
    expect(sample.git('stash', 'list')).toBe(list);
    await opened.workspace.guardRefs('s3');
    agent('stash', 'clear');
    await opened.workspace.restoreRefs('s3');
    expect(sample.git('stash', 'list')).toBe(list);
    expect(sample.git('stash', 'show', '-p')).toContain('of the user');
  });

  it('If an agent switches the checkout of the user, HEAD is restored', async () => {
    agent('-C', sample.root, 'checkout', '-q', 'feature');
    expect(await restored()).toMatchObject({ HEAD: 'restored' });
    expect(sample.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
  });
});

describe('ref changes by the user during a run', () => {
  it('If the user commits on main, makes a branch or adds a remote, the run leaves it alone', async () => {
    sample.write('mine.txt', 'x');
    const commit = sample.commit('by the user');
    sample.git('branch', 'new-one');
    sample.git('remote', 'add', 'origin', '/somewhere');
    sample.git('branch', '-f', 'feature', 'main');
    const done = await restored();
    expect(done).toEqual({
      'config remote.origin.fetch': 'left',
      'config remote.origin.url': 'left',
      'refs/heads/main': 'left',
      'refs/heads/new-one': 'left',
      'refs/heads/feature': 'left',
    });
    expect([at('main'), at('feature'), at('new-one')]).toEqual([commit, commit, commit]);
    expect(sample.git('remote')).toBe('origin');
  });

  it('If the user rebases the checked-out branch, switches or stashes, the run leaves it alone', async () => {
    sample.write('mine.txt', 'x');
    sample.git('add', '.');
    sample.git('commit', '-q', '--amend', '-m', 'rewritten');
    const commit = at('main');
    sample.write('mine.txt', 'y');
    sample.git('stash', '-q');
    sample.git('checkout', '-q', 'feature');
    expect(await restored()).toEqual({ 'refs/heads/main': 'left', HEAD: 'left' });
    expect(at('main')).toBe(commit);
    expect(sample.git('stash', 'list')).not.toBe('');
    expect(sample.git('symbolic-ref', 'HEAD')).toBe('refs/heads/feature');
  });

  it('The guard of the refs is private and outside the repository', async () => {
    await opened.workspace.guardRefs('0001/x y');
    const file = join(`${opened.options.indexFile}.guards`, '0001%2Fx%20y.json');
    expect(statSync(file).mode & 0o077).toBe(0);
  });
});

describe('a damaged guard note', () => {
  it('A guard note that a session damaged is refused in one sentence, and nothing is restored from it [X11]', async () => {
    writeFileSync(join(`${opened.options.indexFile}.guards`, 's1.json'), '{\n');
    await expect(opened.workspace.restoreRefs('s1')).rejects.toMatchObject({ code: 'state-damaged' });
    expect(sample.git('rev-parse', 'main')).toBe(start);
  });
});
