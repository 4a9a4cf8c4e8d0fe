import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commitTree, makeCommit } from './commit.ts';
import { countStarts } from '#test/count-starts.ts';
import { createGit } from '#adapters/git/repo/git.ts';
import { agentGitEnv } from '#adapters/git/repo/identity.ts';
import { type Opened, makeSample, openSample, type Sample } from '#test/git/sample-repository.ts';

let sample: Sample;
let opened: Opened;
let base: { baseCommit: string; baseTree: string };
let tree: string;

beforeEach(async () => {
  sample = makeSample();
  sample.write('a.txt', 'one\n');
  sample.write('.git/hooks/pre-commit', '#!/bin/sh\necho ran > hook-ran; exit 1\n', 0o755);
  sample.write('.git/hooks/reference-transaction', '#!/bin/sh\nexit 1\n', 0o755);
  sample.git('-c', 'core.hooksPath=/dev/null', 'add', '.');
  sample.git('-c', 'core.hooksPath=/dev/null', 'commit', '-q', '-m', 'start');
  opened = await openSample(sample);
  base = await opened.workspace.prepare([]);
  writeFileSync(join(opened.workspace.root, 'a.txt'), 'two\n');
  tree = await opened.workspace.snapshot();
});
afterEach(() => sample.remove());

const count = (): string => sample.git('rev-list', '--count', 'untildone/run1');
const order = (): { stepId: string; tree: string; parent: string; message: string } => ({
  stepId: '0007-commit',
  tree,
  parent: base.baseCommit,
  message: 'feat(t1): two\n\nTask: t1',
});

describe('commits', () => {
  it('The checkout is clean after a commit although an agent staged a deletion, a new file and a conflict there', async () => {
    const { root } = opened.workspace;
    const blob = sample.git('rev-parse', 'HEAD:a.txt');
    writeFileSync(join(root, 'staged.txt'), 'staged\n');
    sample.gitIn(root, 'add', 'staged.txt');
    rmSync(join(root, 'staged.txt'));
    sample.gitIn(root, 'rm', '-q', '--cached', 'a.txt');
    execFileSync('git', ['update-index', '--index-info'], {
      cwd: root,
      env: sample.env,
      input: [1, 2, 3].map((stage) => `100644 ${blob} ${stage}\tconflict\n`).join(''),
    });
    await opened.workspace.commit(order());
    expect(sample.gitIn(root, 'status', '--porcelain')).toBe('');
    expect(sample.gitIn(root, 'write-tree')).toBe(tree);
  });

  it('An index entry that an agent forged is gone after a commit, although the hash of its folder is kept [X7]', async () => {
    const { root } = opened.workspace;
    mkdirSync(join(root, 'lib'));
    writeFileSync(join(root, 'lib/f.txt'), 'good\n');
    tree = await opened.workspace.snapshot();
    sample.gitIn(root, 'read-tree', tree);
    sample.gitIn(root, 'update-index', '-q', '--refresh');
    const good = sample.gitIn(root, 'rev-parse', ':lib/f.txt');
    const options = { cwd: root, env: sample.env, input: 'evil\n', encoding: 'utf8' } as const;
    const evil = execFileSync('git', ['hash-object', '-w', '--stdin'], options).trim();
    const file = sample.gitIn(root, 'rev-parse', '--path-format=absolute', '--git-path', 'index');
    const bytes = readFileSync(file).subarray(0, -20);
    Buffer.from(evil, 'hex').copy(bytes, bytes.indexOf(Buffer.from(good, 'hex')));
    writeFileSync(file, Buffer.concat([bytes, createHash('sha1').update(bytes).digest()]));
    await opened.workspace.commit(order());
    expect(sample.gitIn(root, 'ls-files', '-s', 'lib/f.txt')).toContain(good);
  });

  it('A commit has exactly the tree, the user as author, a trailer and no hooks; the checkout is clean afterwards [C5]', async () => {
    writeFileSync(join(opened.workspace.root, 'later.txt'), 'not proven\n');
    const done = await opened.workspace.commit(order());
    const tip = sample.git('rev-parse', 'untildone/run1');
    expect(done).toEqual({ commit: tip });
    expect(sample.git('log', '-1', '--format=%T %P %an <%ae> %cn', tip)).toBe(
      `${tree} ${base.baseCommit} User <user@example.com> User`,
    );
    expect(sample.git('log', '-1', '--format=%B', tip).trim()).toBe(
      'feat(t1): two\n\nTask: t1\nUntildone-Step: 0007-commit',
    );
    expect(sample.gitIn(opened.workspace.root, 'status', '--porcelain')).toBe('?? later.txt');
    expect(sample.git('rev-parse', 'main')).toBe(base.baseCommit);
  });

  it('A repeated commit finds its own commit and makes no second one [C5]', async () => {
    const first = await opened.workspace.commit(order());
    const again = await (await openSample(sample)).workspace.commit(order());
    expect(again).toEqual(first);
    expect(count()).toBe('2');
  });

  it('A commit killed before the branch moved reuses the commit that was made [C5]', async () => {
    const git = createGit(opened.repository.commonDir, sample.env);
    const ground = { git, commonDir: opened.repository.commonDir, branch: 'untildone/run1', runId: 'run1' };
    const made = await makeCommit(ground, order());
    expect(count()).toBe('1');
    expect(await opened.workspace.commit(order())).toEqual({ commit: made });
  });

  it('A commit succeeds despite the lock of a git that was killed while it moved the branch [C5]', async () => {
    sample.write('.git/refs/heads/untildone/run1.lock', '');
    expect(await opened.workspace.commit(order())).toHaveProperty('commit');
    expect(count()).toBe('2');
  });

  it('A commit is refused when the branch has moved, with a hint how to continue [C5]', async () => {
    const other = sample.git('commit-tree', '-m', 'other', '-p', 'main', `${tree}`);
    sample.git('-c', 'core.hooksPath=/dev/null', 'update-ref', 'refs/heads/untildone/run1', other);
    const done = await opened.workspace.commit(order());
    expect(done).toMatchObject({
      refused: `The branch untildone/run1 is at ${other.slice(0, 12)}; the work was proven on ${base.baseCommit.slice(0, 12)}.`,
    });
    expect(sample.git('rev-parse', 'untildone/run1')).toBe(other);
  });

  it('A commit and its kept ref appear together, and one that cannot move the branch is kept [C5]', async () => {
    const counter = countStarts('git', sample.home);
    const gitDir = opened.repository.commonDir;
    const git = createGit(gitDir, { ...sample.env, PATH: counter.path });
    const ground = { git, commonDir: gitDir, branch: 'untildone/run1', runId: 'run1' };
    const done = await commitTree(ground, order());
    expect(done).toEqual({ commit: sample.git('rev-parse', 'refs/untildone/run1/commit/0007-commit') });
    const started = counter.phases().flat();
    expect(started.filter((args) => args.includes('update-ref'))).toHaveLength(1);
    const late = { ...order(), stepId: '0008-commit', parent: sample.git('rev-parse', 'untildone/run1') };
    sample.write('.git/refs/heads/untildone/run1.lock', '');
    expect(await commitTree(ground, late)).toEqual({
      commit: sample.git('rev-parse', 'refs/untildone/run1/commit/0008-commit'),
    });
  });

  it('A git that is killed while it reads the refs is no missing branch [C5]', async () => {
    const gitDir = opened.repository.commonDir;
    const folder = join(sample.home, 'killed');
    mkdirSync(folder);
    const script = '#!/bin/sh\ncase "$*" in *for-each-ref*) kill -9 $$ ;; esac\nPATH="$REST" exec git "$@"\n';
    writeFileSync(join(folder, 'git'), script, { mode: 0o755 });
    const { PATH: REST = '' } = sample.env;
    const git = createGit(gitDir, { ...sample.env, REST, PATH: `${folder}:${REST}` });
    const ground = { git, commonDir: gitDir, branch: 'untildone/run1', runId: 'run1' };
    await expect(commitTree(ground, order())).rejects.toMatchObject({ code: 'git-ended' });
  });

  it('A commit with the same trailer is not mistaken for its own', async () => {
    const forged = sample.git(
      'commit-tree',
      '-m',
      'x\n\nUntildone-Step: 0007-commit',
      '-p',
      'main',
      base.baseTree,
    );
    sample.git('-c', 'core.hooksPath=/dev/null', 'update-ref', 'refs/heads/untildone/run1', forged);
    expect(await opened.workspace.commit(order())).toHaveProperty('refused');
  });

  it('A commit is signed where commits must be signed [X6]', async () => {
    const key = join(sample.home, 'key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    sample.git('config', 'gpg.format', 'ssh');
    sample.git('config', 'user.signingKey', key);
    sample.git('config', 'commit.gpgSign', 'true');
    const signed = await openSample(sample, { runId: 'signed' });
    await signed.workspace.prepare([]);
    const done = await signed.workspace.commit(order());
    expect(done).toHaveProperty('commit');
    expect(sample.git('cat-file', 'commit', 'untildone/signed')).toContain('BEGIN SSH SIGNATURE');
  });

  it('A commit of an agent is distinguishable from one of the user', () => {
    expect(agentGitEnv('r')['GIT_COMMITTER_EMAIL']).not.toBe('user@example.com');
  });
});
