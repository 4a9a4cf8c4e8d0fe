// Merges of two commits in a real repository, whatever its settings and attributes say about how to merge.
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createGit } from '#adapters/git/repo/git.ts';
import { OperatorError } from '#base/operator-error.ts';
import { mergeTrees, type MergedTree } from './merge-trees.ts';

let folder: string;
let root: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'untildone-merge-'));
  root = join(folder, 'repository');
  mkdirSync(join(folder, 'home'));
  mkdirSync(root);
  git('init', '-q', '-b', 'main');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const environment = (): { [name: string]: string } => ({
  PATH: process.env['PATH'] ?? '',
  HOME: join(folder, 'home'),
  GIT_CONFIG_NOSYSTEM: '1',
});

function git(...args: string[]): string {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...who, ...args], { cwd: root, env: environment() })
    .toString()
    .trim();
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Two branches from one base, each with its own text of `notes.txt`; both have the attributes. */
function twoSides(texts: { base: string; main: string; work: string }, attributes = ''): void {
  const commit = (text: string): void => {
    write('notes.txt', text);
    git('add', '.');
    git('commit', '-q', '-m', 'a side');
  };
  if (attributes !== '') write('.gitattributes', attributes);
  commit(texts.base);
  git('checkout', '-q', '-b', 'work');
  commit(texts.work);
  git('checkout', '-q', 'main');
  commit(texts.main);
}

const merge = (theirs = 'work'): Promise<MergedTree> =>
  mergeTrees(createGit(root, environment()), join(root, '.git'), 'main', theirs);

const apart = { base: 'one\ntwo\nthree\n', main: 'ONE\ntwo\nthree\n', work: 'one\ntwo\nTHREE\n' };
const clashing = { base: 'base\n', main: 'ours\n', work: 'theirs\n' };

/** A driver that keeps our side, says that all went well, and leaves a trace of having run. */
function driverProgram(): string {
  const program = join(folder, 'keep-ours.sh');
  writeFileSync(program, `touch '${join(folder, 'ran')}'\nexit 0\n`);
  return `sh '${program}' %O %A %B`;
}
const hasRun = (): boolean => existsSync(join(folder, 'ran'));

const places: { [where: string]: () => void } = {
  'the settings of the repository': () => void git('config', 'merge.keep.driver', driverProgram()),
  'the settings of the user': () => void git('config', '--global', 'merge.keep.driver', driverProgram()),
};
const attributePlaces: { [where: string]: (line: string) => void } = {
  'info/attributes': (line) => write('.git/info/attributes', line),
  'core.attributesFile': (line) => {
    writeFileSync(join(folder, 'attributes'), line);
    git('config', 'core.attributesFile', join(folder, 'attributes'));
  },
  "the user's attributes file": (line) => {
    mkdirSync(join(folder, 'home/.config/git'), { recursive: true });
    writeFileSync(join(folder, 'home/.config/git/attributes'), line);
  },
};

for (const [where, configure] of Object.entries(places))
  it(`A merge runs no merge driver of ${where}, and both sides are in the result [X13]`, async () => {
    twoSides(apart, '*.txt merge=keep\n');
    configure();
    const merged = await merge();
    expect(merged.kind).toBe('clean');
    expect(hasRun()).toBe(false);
    expect(git('show', `${merged.kind === 'clean' ? merged.tree : ''}:notes.txt`)).toBe('ONE\ntwo\nTHREE');
  });

for (const [where, attribute] of Object.entries(attributePlaces))
  it(`A merge runs no merge driver that ${where} requests [X13]`, async () => {
    twoSides(clashing);
    git('config', 'merge.keep.driver', driverProgram());
    attribute('*.txt merge=keep\n');
    expect(await merge()).toEqual({ kind: 'conflict', paths: ['notes.txt'] });
    expect(hasRun()).toBe(false);
  });

it('A merge runs no driver that is configured as the default for every file [X13]', async () => {
  twoSides(clashing);
  git('config', 'merge.keep.driver', driverProgram());
  git('config', 'merge.default', 'keep');
  expect(await merge()).toEqual({ kind: 'conflict', paths: ['notes.txt'] });
  expect(hasRun()).toBe(false);
});

it('A merge does not keep both sides of a conflict because a setting says so [X13]', async () => {
  twoSides(clashing);
  git('config', 'merge.default', 'union');
  expect(await merge()).toEqual({ kind: 'conflict', paths: ['notes.txt'] });
});

it('A merge runs no driver, whatever its name is [X13]', async () => {
  twoSides(clashing, '*.txt merge=a=b.Keep\n');
  appendFileSync(join(root, '.git/config'), `[merge "a=b.Keep"]\n\tdriver = ${driverProgram()}\n`);
  expect(await merge()).toEqual({ kind: 'conflict', paths: ['notes.txt'] });
  expect(hasRun()).toBe(false);
});

it('A merge of binary files is a conflict, even if a driver is configured [X13]', async () => {
  twoSides({ base: 'a\0', main: 'b\0', work: 'c\0' }, '*.txt merge=keep\n');
  git('config', 'merge.keep.driver', driverProgram());
  expect(await merge()).toEqual({ kind: 'conflict', paths: ['notes.txt'] });
  expect(hasRun()).toBe(false);
});

it('A merge with a commit that does not exist is an error and not a conflict [X13]', async () => {
  twoSides(clashing);
  for (const unknown of ['0123456789012345678901234567890123456789', 'no-such-branch']) {
    const failure = await merge(unknown).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OperatorError);
    expect((failure as OperatorError).message).toContain(unknown);
  }
});
