import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sweepMark } from '#adapters/processes/process-tree.ts';
import { makeSample, openSample, type Opened, type Sample, type Wishes } from './sample-repository.ts';

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
  ])('A named pipe called %s is removed before git runs, and the run says so', async (path) => {
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
    'A pipe called %s in the git folder does not stop what puts the refs back',
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
  ])('A pipe at ~/%s (%s) stops no git of the run, and is left to the user', async (path, setting) => {
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

  it('In place, only the pipes that git would open are removed: what the user has there stays', async () => {
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
