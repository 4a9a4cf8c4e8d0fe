import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sweepMark } from '#adapters/processes/process-tree.ts';
import {
  makeSample,
  openSample,
  type Opened,
  type Sample,
  type Wishes,
} from '#test/git/sample-repository.ts';

const samples: Sample[] = [];
let runs = 0;
const runIds: string[] = [];

async function prepared({
  setting = [],
  ...wishes
}: Wishes & { readonly setting?: readonly string[] } = {}): Promise<Opened & { readonly commonDir: string }> {
  const sample = makeSample();
  if (setting.length > 0) sample.git('config', '--global', ...setting);
  samples.push(sample);
  sample.write('src/app.js', 'app\n');
  sample.write('.gitignore', 'ignored/\n');
  sample.commit('base');
  runs += 1;
  const runId = `special-${process.pid}-${runs}`;
  runIds.push(runId);
  const opened = await openSample(sample, { ...wishes, runId });
  await opened.workspace.prepare([]);
  return { ...opened, commonDir: opened.repository.commonDir };
}

function makePipe(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  execFileSync('mkfifo', [path]);
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

afterAll(async () => {
  // A git that still waits for a pipe is what these tests are about.
  for (const runId of runIds) await sweepMark(runId);
  for (const sample of samples) sample.remove();
});

describe('special files in a checkout', () => {
  it.each([
    '.gitignore',
    '.gitattributes',
    'src/.gitignore',
    'src/.gitattributes',
    '.mailmap',
    '.gitmodules',
  ])('A named pipe called %s is removed before git runs, and the run reports it', async (path) => {
    const { workspace, notes } = await prepared();
    const before = await workspace.snapshot();
    makePipe(join(workspace.root, path));
    writeFileSync(join(workspace.root, 'new.txt'), 'new\n');
    const after = await workspace.snapshot();
    const changed = (await workspace.changedPaths(before, after)).map((change) => change.path);
    expect(changed).toContain('new.txt');
    expect(isThere(join(workspace.root, path))).toBe(false);
    expect(notes.join('\n')).toContain(`${path} (a named pipe)`);
  });

  it('A pipe in an ignored folder, a socket and a pipe in a folder without any permission are removed as well', async () => {
    const { workspace, notes } = await prepared();
    makePipe(join(workspace.root, 'ignored/deep/pipe'));
    makePipe(join(workspace.root, 'src/closed/.gitattributes'));
    const socket = join(workspace.root, 'socket');
    const server = createServer().listen(socket);
    await new Promise((resolve) => server.once('listening', resolve));
    chmodSync(join(workspace.root, 'src/closed'), 0o000);
    chmodSync(join(workspace.root, 'ignored/deep'), 0o555);
    await workspace.snapshot();
    server.close();
    const said = notes.join('\n');
    for (const path of ['ignored/deep/pipe (a named pipe)', 'src/closed/.gitattributes', 'socket (a socket)'])
      expect(said).toContain(path);
    expect(isThere(join(workspace.root, 'ignored/deep/pipe'))).toBe(false);
    expect(isThere(socket)).toBe(false);
  });

  it('A pipe in the place of a tracked file counts as a deleted file', async () => {
    const { workspace } = await prepared();
    const before = await workspace.snapshot();
    makePipe(join(workspace.root, 'src/app.js'));
    const after = await workspace.snapshot();
    expect(await workspace.changedPaths(before, after)).toEqual([{ path: 'src/app.js', status: 'deleted' }]);
  });

  it('A pipe in the checkout of a reviewer, or in a clean one, is removed before git runs there', async () => {
    const { workspace, notes } = await prepared();
    const tree = await workspace.snapshot();
    const clean = await workspace.cleanCheckout(tree);
    makePipe(join(clean.root, '.gitattributes'));
    expect(await clean.snapshot()).toBe(tree);
    const review = await workspace.reviewCheckout(tree, 'verifier');
    makePipe(join(review.root, 'src/.gitattributes'));
    expect(await workspace.reviewTree('verifier')).toBe(tree);
    expect(notes.filter((note) => note.includes('.gitattributes (a named pipe)'))).toHaveLength(2);
    await clean.dispose();
    await review.dispose();
  });

  it.each(['info/attributes', 'info/exclude', 'config', 'packed-refs', 'refs/heads/topic'])(
    'A pipe called %s in the git folder does not block the restoring of refs',
    async (path) => {
      const { workspace, commonDir, notes } = await prepared();
      await workspace.guardRefs('0001-s');
      makePipe(join(commonDir, path));
      await workspace.restoreRefs('0001-s');
      expect(isThere(join(commonDir, path)) && lstatSync(join(commonDir, path)).isFIFO()).toBe(false);
      expect(notes.join('\n')).toContain(`${path} (a named pipe)`);
    },
  );

  it('A link to a pipe is removed from the git folder and kept in the checkout; a link to /dev/null is kept', async () => {
    const { workspace, commonDir } = await prepared();
    const pipe = join(commonDir, '..', '..', `pipe-${runs}`);
    makePipe(pipe);
    for (const path of ['info/attributes', 'info/exclude']) rmSync(join(commonDir, path), { force: true });
    symlinkSync(pipe, join(commonDir, 'info/attributes'));
    symlinkSync('/dev/null', join(commonDir, 'info/exclude'));
    symlinkSync(pipe, join(workspace.root, 'linked'));
    await workspace.snapshot();
    expect(isThere(join(commonDir, 'info/attributes'))).toBe(false);
    expect(isThere(join(commonDir, 'info/exclude'))).toBe(true);
    expect(isThere(join(workspace.root, 'linked'))).toBe(true);
  });

  it.each([
    ['.config/git/ignore', null],
    ['.config/git/attributes', null],
    ['.ignored', 'core.excludesFile'],
    ['.attributes', 'core.attributesFile'],
  ])('A pipe at ~/%s (%s) blocks no git of the run, and is left to the user', async (path, setting) => {
    const { workspace, options } = await prepared({
      setting: setting === null ? [] : [setting, `~/${path}`],
    });
    const pipe = join(options.env['HOME'] ?? '', path);
    makePipe(pipe);
    writeFileSync(join(workspace.root, 'new.txt'), 'new\n');
    const tree = await workspace.snapshot();
    const clean = await workspace.cleanCheckout(tree);
    expect(await clean.snapshot()).toBe(tree);
    await clean.dispose();
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });

  it('In place, only the pipes that git would open are removed: other pipes of the user stay', async () => {
    const { workspace, notes } = await prepared({ inPlace: true });
    const socket = join(workspace.root, 'app.sock');
    const server = createServer().listen(socket);
    await new Promise((resolve) => server.once('listening', resolve));
    makePipe(join(workspace.root, 'mine'));
    makePipe(join(workspace.root, 'src/.gitattributes'));
    await workspace.snapshot();
    expect([existsSync(socket), isThere(join(workspace.root, 'mine'))]).toEqual([true, true]);
    expect(isThere(join(workspace.root, 'src/.gitattributes'))).toBe(false);
    expect(notes.join('\n')).toContain('src/.gitattributes');
    server.close();
  });
});

/** A repository inside another; returns its git folder. */
function makeNested(folder: string): string {
  const git = (...args: string[]): unknown => execFileSync('git', ['-C', folder, ...args], { stdio: 'pipe' });
  mkdirSync(folder, { recursive: true });
  git('init', '-q');
  writeFileSync(join(folder, 'inner.txt'), 'inner\n');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '--allow-empty', '-m', 'x');
  return join(folder, '.git');
}

/** A git folder with a pipe for its HEAD. */
function makeHangingGitFolder(beside: string): string {
  const gitDir = makeNested(join(beside, '..', `outside-${process.pid}-${runs}`));
  makePipe(join(gitDir, 'HEAD'));
  return gitDir;
}

describe('special files of a repository inside the checkout', () => {
  it.each([
    ['/dev/zero', '.git/commondir'],
    ['a file outside', '.git/packed-refs'],
    ['a pipe', '.git/HEAD'],
    ['a pipe', '.git/refs/heads/other'],
  ])('A link to %s called n/%s is removed before git runs', async (target, name) => {
    const { workspace, commonDir, notes } = await prepared();
    makeNested(join(workspace.root, 'n'));
    const pipe = join(workspace.root, '..', `nested-pipe-${runs}`);
    makePipe(pipe);
    const link = join(workspace.root, 'n', name);
    rmSync(link, { force: true });
    const outside = join(dirname(commonDir), 'src/app.js');
    symlinkSync(target === 'a pipe' ? pipe : target === '/dev/zero' ? target : outside, link);
    await workspace.snapshot();
    expect(isThere(link)).toBe(false);
    expect(notes.join('\n')).toContain(`n/${name} (`);
  });

  it.each<[string, (nested: string, outside: string) => void]>([
    ['file', (nested, outside) => writeFileSync(join(nested, '.git'), `gitdir: ${outside}\n`)],
    [
      'file',
      (nested, outside) => writeFileSync(join(nested, '.git'), `gitdir: ${relative(nested, outside)}`),
    ],
    ['link', (nested, outside) => symlinkSync(outside, join(nested, '.git'))],
  ])('A nested .git that is a %s and leads out of the checkout is removed (case %#)', async (_, place) => {
    const { workspace, notes } = await prepared();
    const before = await workspace.snapshot();
    const nested = join(workspace.root, 'n');
    mkdirSync(nested);
    writeFileSync(join(nested, 'inner.txt'), 'inner\n');
    place(nested, makeHangingGitFolder(workspace.root));
    const after = await workspace.snapshot();
    expect(isThere(join(nested, '.git'))).toBe(false);
    expect(notes.join('\n')).toContain('n/.git (');
    expect(await workspace.changedPaths(before, after)).toEqual([{ path: 'n/inner.txt', status: 'added' }]);
  });

  it('A nested .git may not lead to a folder of the checkout whose links nothing has checked', async () => {
    const { workspace } = await prepared();
    const gitDir = makeNested(join(workspace.root, 'n'));
    const moved = join(workspace.root, 'moved');
    renameSync(gitDir, moved);
    symlinkSync('/dev/zero', join(moved, 'commondir'));
    writeFileSync(gitDir, 'gitdir: ../moved\n');
    await workspace.snapshot();
    expect(isThere(gitDir)).toBe(false);
  });

  it('A commondir file and a linked folder of a nested .git that lead out of the checkout are removed', async () => {
    const { workspace } = await prepared();
    const outside = makeHangingGitFolder(workspace.root);
    makePipe(join(outside, 'packed-refs'));
    const first = join(makeNested(join(workspace.root, 'a')), 'commondir');
    writeFileSync(first, `${outside}\n`);
    const second = join(makeNested(join(workspace.root, 'b')), 'refs');
    rmSync(second, { recursive: true });
    symlinkSync(join(outside, 'refs'), second);
    await workspace.snapshot();
    expect([isThere(first), isThere(second)]).toEqual([false, false]);
  });

  it('An honest nested repository, its worktree and a worktree of the repository itself keep their .git', async () => {
    const { workspace, commonDir, notes } = await prepared();
    const gitDir = makeNested(join(workspace.root, 'n'));
    execFileSync('git', ['-C', dirname(gitDir), 'worktree', 'add', '-q', '../tree'], { stdio: 'pipe' });
    const other = join(workspace.root, 'other');
    execFileSync('git', ['--git-dir', commonDir, 'worktree', 'add', '-q', '--detach', other], {
      stdio: 'pipe',
    });
    symlinkSync('/dev/null', join(gitDir, 'hooks/pre-commit'));
    await workspace.snapshot();
    const kept = [
      gitDir,
      join(workspace.root, 'tree/.git'),
      join(other, '.git'),
      join(gitDir, 'hooks/pre-commit'),
    ];
    expect(kept.map(isThere)).toEqual([true, true, true, true]);
    expect(notes.join('\n')).not.toContain('Removed special files');
  });

  it('In place, a nested .git that leads out of the checkout stays unless git would wait for something there', async () => {
    const { workspace } = await prepared({ inPlace: true });
    const good = makeNested(join(workspace.root, '..', `good-${process.pid}-${runs}`));
    for (const [name, target] of [
      ['good', good],
      ['bad', makeHangingGitFolder(workspace.root)],
    ] as const) {
      mkdirSync(join(workspace.root, 'ignored', name), { recursive: true });
      writeFileSync(join(workspace.root, 'ignored', name, '.git'), `gitdir: ${target}\n`);
    }
    await workspace.snapshot();
    expect(isThere(join(workspace.root, 'ignored/good/.git'))).toBe(true);
    expect(isThere(join(workspace.root, 'ignored/bad/.git'))).toBe(false);
  });
});
