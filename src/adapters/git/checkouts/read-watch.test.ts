import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBubblewrapSandbox } from '#adapters/sandbox/bubblewrap/bubblewrap-sandbox.ts';
import { findBubblewrap } from '#adapters/sandbox/bubblewrap/find-bubblewrap.ts';
import { createGit } from '#adapters/git/repo/git.ts';
import { createGitWorkspace } from '#adapters/git/workspace.ts';
import { makeSample, openSample, type Sample } from '#test/git/sample-repository.ts';
import { runWrapped } from '#test/run-wrapped.ts';
import type { Sandbox } from '#ports/sandbox.ts';
import type { CleanCheckout } from '#ports/checkouts.ts';
import type { Workspace } from '#ports/workspace.ts';
import { createReadWatch } from './read-watch.ts';

const source = join(import.meta.dirname, '../../..');
const bubblewrap = findBubblewrap();
const sandboxNote = 'path' in bubblewrap ? '' : ` — NOT RUN: ${bubblewrap.problem}`;
const moves = movesAccessTimes();
const moveNote = moves ? '' : ' — NOT RUN: reading a file does not move its access time here';

let sample: Sample;
let workspace: Workspace;
let checkout: CleanCheckout;
let tree: string;

beforeEach(async () => {
  sample = makeSample();
  for (const path of ['src/a.js', 'src/b.js', 'test/a.test.js', 'data/big.json', 'README.md'])
    sample.write(path, `${path}\n`);
  sample.write('node_modules/kept/index.js', 'x\n');
  symlinkSync('src/b.js', join(sample.root, 'link.js'));
  sample.commit('start');
  ({ workspace } = await openSample(sample));
  tree = (await workspace.prepare([])).baseTree;
  checkout = await workspace.cleanCheckout(tree);
});
afterEach(async () => {
  await checkout.dispose();
  sample.remove();
});

describe.runIf(moves)(`the files that a check reads${moveNote}`, () => {
  it('The files that a check reads are listed once, sorted, and no others', async () => {
    const reads = await watched(() =>
      sh('cat test/a.test.js src/a.js src/a.js > /dev/null; ls data > /dev/null'),
    );
    expect(reads).toEqual(['src/a.js', 'test/a.test.js']);
  });

  it('The next watch of the same checkout lists the files that a check reads again', async () => {
    await watched(() => sh('cat src/a.js > /dev/null'));
    expect(await watched(() => sh('cat README.md > /dev/null'))).toEqual(['README.md']);
    expect(await watched(() => sh('true'))).toEqual([]);
  });

  it('A file that a check reads through a link is listed by its own path, and node_modules is left out', async () => {
    const reads = await watched(() => sh('cat link.js node_modules/kept/index.js > /dev/null'));
    expect(reads).toEqual(['src/b.js']);
  });

  it('A check that asks git what has changed is not listed as reading all files', async () => {
    const reads = await watched(() =>
      sh('git status --porcelain; git describe --always --dirty; cat src/a.js > /dev/null'),
    );
    expect(reads).toEqual(['src/a.js']);
  });

  it('A watch of reads does not hide from git what an earlier check changed', async () => {
    sh('echo unreadme. > README.md; touch -r src/a.js README.md');
    await watched(() => sh('true'));
    expect(sh('git status --porcelain')).toBe(' M README.md\n');
  });

  it('A watch does not hide from git what a check changed during an earlier watch, also in the same second', async () => {
    // Most builds of git compare times by the second, so the change is made in the second in which the watch began.
    for (let isSameSecond = false; !isSameSecond;) {
      await sleep(1000 - (Date.now() % 1000));
      await watched(() => (isSameSecond = changeReadme()));
      if (!isSameSecond) writeFileSync(join(checkout.root, 'README.md'), 'README.md\n');
    }
    await watched(() => sh('true'));
    expect(sh('git status --porcelain')).toBe(' M README.md\n');
    expect(await checkout.snapshot()).not.toBe(tree);
  });

  it('A checkout is clean for git again when a check restores what it changed', async () => {
    await watched(() => sh('cp README.md kept; echo unreadme. > README.md; touch -r src/a.js README.md'));
    await watched(() => sh('mv kept README.md'));
    expect(await watched(() => sh('git status --porcelain; cat src/a.js > /dev/null'))).toEqual(['src/a.js']);
    expect(sh('git status --porcelain; git fsck --no-dangling')).toBe('');
  });

  it('A watch of reads changes nothing in the checkout: its snapshot is still the tree, and git finds it clean', async () => {
    await watched(() => sh('cat src/a.js > /dev/null'));
    expect(await checkout.snapshot()).toBe(tree);
    expect(sh('git status --porcelain; git fsck --no-dangling')).toBe('');
    writeFileSync(join(checkout.root, 'src/a.js'), 'other js\n');
    expect(await checkout.snapshot()).not.toBe(tree);
  });

  it('Watched files have one modification time at every watch, earlier than that of anything built from them', async () => {
    writeFileSync(join(checkout.root, 'built'), 'x');
    const built = statSync(join(checkout.root, 'built')).mtimeMs;
    await watched(() => sh('true'));
    const first = modificationTimes();
    await watched(() => sh('true'));
    expect([new Set(first).size, modificationTimes()]).toEqual([1, first]);
    expect(first[0]).toBeLessThan(built);
    expect(statSync(join(checkout.root, 'built')).mtimeMs).toBe(built);
  });

  it('A watch keeps the times of outside files when a check replaced a folder by a link', async () => {
    const outside = join(sample.home, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'a.js'), 'x');
    const before = lstatSync(join(outside, 'a.js')).mtimeMs;
    rmSync(join(checkout.root, 'src'), { recursive: true });
    symlinkSync(outside, join(checkout.root, 'src'));
    await watched(() => sh('true'));
    expect(lstatSync(join(outside, 'a.js')).mtimeMs).toBe(before);
  });

  it.each([
    ['version 4', ['update-index', '--index-version', '4']],
    ['an entry with extended flags', ['update-index', '--skip-worktree', 'data/big.json']],
  ])('The files that a check reads are found beside an index of %s', async (_, args) => {
    sample.gitIn(checkout.root, ...args);
    const reads = await watched(() => sh('git status --porcelain; cat src/a.js > /dev/null'));
    expect(reads).toEqual(['src/a.js']);
    expect(sh('git fsck --no-dangling; git status --porcelain')).toBe('');
  });

  it('The files that a check reads are found with a broken index', async () => {
    writeFileSync(
      join(sample.gitIn(checkout.root, 'rev-parse', '--absolute-git-dir'), 'index'),
      'DIRC, or not',
    );
    expect(await watched(() => sh('cat src/a.js > /dev/null'))).toEqual(['src/a.js']);
  });

  it.runIf('path' in bubblewrap)(
    `The files that a check reads are found in the sandbox, also when the check calls git${sandboxNote}`,
    async () => {
      const sandbox = openSandbox();
      await checkout.dispose();
      const { options } = await openSample(sample);
      const { fileOwner } = sandbox;
      const owned = createGitWorkspace({ ...options, ...(fileOwner === undefined ? {} : { fileOwner }) });
      checkout = await owned.cleanCheckout(tree);
      for (const path of ['src/a.js', 'README.md'])
        expect(await watched(() => shIn(sandbox, `git status --porcelain; cat ${path} > /dev/null`))).toEqual(
          [path],
        );
      sandbox.close();
      expect(await checkout.snapshot()).toBe(tree);
    },
  );
});

it('The files that a check reads are unknown if access times do not move, and no trace is left behind', async () => {
  const root = checkout.root;
  const admin = sample.gitIn(root, 'rev-parse', '--absolute-git-dir');
  const watch = createReadWatch(createGit(root, sample.env), {
    fileOwner: null,
    root,
    admin,
    tree,
    probeFile: '/proc/nowhere/probe',
  });
  const before = modificationTimes();
  expect(await (await watch()).stop()).toBeNull();
  expect(modificationTimes()).toEqual(before);
});

/** To other text of the same length, with the old modification time. */
function changeReadme(): boolean {
  const path = join(checkout.root, 'README.md');
  const before = lstatSync(path);
  writeFileSync(path, 'unreadme.\n');
  utimesSync(path, before.atime, before.mtime);
  return Math.floor(lstatSync(path).ctimeMs / 1000) === Math.floor(before.ctimeMs / 1000);
}

async function watched(check: () => unknown): Promise<readonly string[] | null | undefined> {
  const watch = await checkout.watchReads?.();
  check();
  return watch?.stop();
}

function sh(script: string): string {
  return execFileSync('sh', ['-c', script], { cwd: checkout.cwd, env: sample.env, encoding: 'utf8' });
}

function openSandbox(): Sandbox {
  return createBubblewrapSandbox({
    bubblewrap: 'path' in bubblewrap ? bubblewrap.path : '',
    rules: {
      workspaces: [join(sample.home, 'cache/clean')],
      commonDir: join(sample.root, '.git'),
      home: null,
      hidden: [],
      readable: [process.execPath, source, join(source, '../package.json')],
      writable: [],
      copied: [],
      own: [],
      hosts: null,
    },
    bridge: [process.execPath, join(source, 'surfaces/host/main.ts'), 'bridge'],
    env: {},
  });
}

function shIn(sandbox: Sandbox, script: string): void {
  const program = { file: '/bin/sh', args: ['-ec', script], cwd: checkout.cwd, env: sample.env };
  const wrapped = sandbox.wrap({ ...program, isServed: false });
  const { status, stderr } = runWrapped(wrapped);
  expect(`${String(status)} ${stderr}`).toBe('0 ');
}

function modificationTimes(): number[] {
  return ['src/a.js', 'test/a.test.js', 'README.md'].map(
    (path) => lstatSync(join(checkout.root, path)).mtimeMs,
  );
}

function movesAccessTimes(): boolean {
  const file = join(tmpdir(), `untildone-atime-${process.pid}`);
  execFileSync('touch', ['-a', '-d', '2001-01-01', (writeFileSync(file, 'x'), file)]);
  readFileSync(file);
  const moved = lstatSync(file).atimeMs > Date.parse('2002-01-01');
  rmSync(file);
  return moved;
}
