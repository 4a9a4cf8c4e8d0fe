// Attacks by an agent on git: none of them reaches another checkout or outlives its session.
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGit } from '#adapters/git/repo/git.ts';
import { gitAsAgent, makeSample, openSample, type Opened, type Sample } from '#test/git/sample-repository.ts';

let sample: Sample;
let opened: Opened;

beforeEach(async () => {
  sample = makeSample();
  sample.write('a.txt', 'bad\n');
  sample.commit('start');
  opened = await openSample(sample);
  await opened.workspace.prepare([]);
  await opened.workspace.guardRefs('s1');
});
afterEach(() => sample.remove());

const agent = (...args: string[]): string => gitAsAgent(sample, opened, args);

const restored = async (): Promise<string[]> =>
  (await opened.workspace.restoreRefs('s1')).map(({ ref, action }) => `${ref} ${action}`);

async function readInCleanCheckout(): Promise<string> {
  const checkout = await opened.workspace.cleanCheckout(await opened.workspace.snapshot());
  try {
    return readFileSync(join(checkout.root, 'a.txt'), 'utf8');
  } finally {
    await checkout.dispose();
  }
}

describe('git settings', () => {
  it('User git settings that an agent changed have no effect in a clean checkout and are reported [X8] [X10]', async () => {
    writeFileSync(join(sample.home, 'attributes'), '*.txt filter=evil\n');
    agent('config', '--global', 'filter.evil.smudge', 'sed s/bad/good/');
    agent('config', '--global', 'filter.evil.clean', 'cat');
    agent('config', '--global', 'core.attributesFile', join(sample.home, 'attributes'));
    expect(await restored()).toEqual([
      'git config --global core.attributesfile ignored',
      'git config --global filter.evil.clean ignored',
      'git config --global filter.evil.smudge ignored',
    ]);
    expect(await readInCleanCheckout()).toBe('bad\n');
    const again = await openSample(sample);
    expect(again.workspace.root).toBe(opened.workspace.root);
    expect(await readInCleanCheckout()).toBe('bad\n');
    expect(sample.git('config', '--global', 'filter.evil.clean')).toBe('cat');
  });

  it('User git settings from before the run are in force, with everything that they include [X10]', async () => {
    const other = makeSample();
    try {
      writeFileSync(
        join(other.home, 'more'),
        '[filter "up \\"x\\".y"]\n\tsmudge = "tr a-z A-Z # \\"\\\\\\\\"\n\tclean = tr A-Z a-z\n',
      );
      other.git('config', '--global', 'include.path', join(other.home, 'more'));
      other.write('.gitattributes', 'a.txt filter=up\n');
      other.git('config', '--global', 'filter.up.smudge', 'tr a-z A-Z');
      other.git('config', '--global', 'filter.up.clean', 'tr A-Z a-z');
      other.write('a.txt', 'LOUD\n');
      other.commit('start');
      const theirs = await openSample(other);
      await theirs.workspace.prepare([]);
      await theirs.workspace.guardRefs('s1');
      expect(readFileSync(join(theirs.workspace.root, 'a.txt'), 'utf8')).toBe('LOUD\n');
      expect(await theirs.workspace.restoreRefs('s1')).toEqual([]);
    } finally {
      other.remove();
    }
  });

  it("A git setting that names a repository file starts the person's version, never one that an agent wrote [C10] [X8]", async () => {
    const other = makeSample();
    const escaped = join(other.home, 'escaped');
    try {
      other.write('scripts/up.sh', '#!/bin/sh\ntr a-z A-Z\n', 0o755);
      other.write('.gitattributes', '*.up filter=up\n*.lost filter=lost\n');
      other.git('config', 'filter.up.clean', 'sh scripts/up.sh');
      other.git('config', 'filter.lost.clean', 'scripts/lost.sh %f');
      other.commit('start');
      const { workspace } = await openSample(other);
      await workspace.prepare([]);
      const { root } = workspace;
      for (const name of ['up', 'lost']) {
        writeFileSync(join(root, `scripts/${name}.sh`), `#!/bin/sh\ntouch ${escaped}\ncat\n`, {
          mode: 0o755,
        });
        writeFileSync(join(root, `a.${name}`), 'words\n');
      }
      // A pipe with the name of a file that may hold a token does not block the run.
      execFileSync('mkfifo', [join(root, 'pipe')]);
      symlinkSync('pipe', join(root, '.npmrc'));
      const tree = await workspace.snapshot();
      expect(existsSync(escaped)).toBe(false);
      expect(other.git('show', `${tree}:a.up`)).toBe('WORDS');
      expect(other.git('show', `${tree}:a.lost`)).toBe('words');
    } finally {
      other.remove();
    }
  });

  it('A checkout starts no program that only the tree of an agent has [C10] [X8]', async () => {
    const other = makeSample();
    const escaped = join(other.home, 'escaped');
    try {
      other.write('.gitattributes', '*.up filter=up\n*.args filter=args\n*.sed filter=sed\n');
      other.git('config', 'filter.up.smudge', 'scripts/up');
      other.git('config', 'filter.args.smudge', 'sh scripts/args.sh %f');
      other.git('config', 'filter.sed.smudge', 'sed s/words/said/g');
      other.git('config', 'filter.sed.clean', 'sed s/said/words/g');
      other.commit('start');
      const { workspace } = await openSample(other);
      await workspace.prepare([]);
      mkdirSync(join(workspace.root, 'scripts'));
      for (const name of ['up', 'args.sh'])
        writeFileSync(join(workspace.root, 'scripts', name), `#!/bin/sh\ntouch ${escaped}\ncat\n`, {
          mode: 0o755,
        });
      for (const name of ['up', 'args', 'sed']) writeFileSync(join(workspace.root, `z.${name}`), 'words\n');
      const checkout = await workspace.cleanCheckout(await workspace.snapshot());
      expect(existsSync(escaped)).toBe(false);
      expect(readFileSync(join(checkout.root, 'z.up'), 'utf8')).toBe('words\n');
      expect(readFileSync(join(checkout.root, 'z.sed'), 'utf8')).toBe('said\n');
      await checkout.dispose();
    } finally {
      other.remove();
    }
  });

  it('A filter that a session removed is known again when it is restored by a later driver [X8]', async () => {
    const other = makeSample();
    const escaped = join(other.home, 'escaped');
    try {
      other.write('scripts/up.sh', '#!/bin/sh\ntr a-z A-Z\n', 0o755);
      other.write('.gitattributes', '*.up filter=up\n');
      other.git('config', 'filter.up.clean', 'sh scripts/up.sh');
      other.commit('start');
      const first = await openSample(other);
      await first.workspace.prepare([]);
      await first.workspace.guardRefs('s1');
      other.git('config', '--unset', 'filter.up.clean');
      writeFileSync(join(first.workspace.root, 'scripts/up.sh'), `touch ${escaped}\ncat\n`);
      writeFileSync(join(first.workspace.root, 'a.up'), 'words\n');
      const { workspace } = await openSample(other);
      await workspace.restoreRefs('s1');
      const tree = await workspace.snapshot();
      expect(existsSync(escaped)).toBe(false);
      expect(other.git('show', `${tree}:a.up`)).toBe('WORDS');
    } finally {
      other.remove();
    }
  });

  it('Repository settings, hooks, attributes, grafts and borrowed objects are restored [X8]', async () => {
    agent('config', 'filter.evil.smudge', 'sed s/bad/good/');
    agent('config', 'alias.status', '!true');
    agent('config', 'core.fsmonitor', '/bin/true');
    const files = [
      'hooks/pre-commit',
      'info/attributes',
      'info/exclude',
      'info/grafts',
      'objects/info/alternates',
    ];
    for (const file of files) {
      mkdirSync(join(sample.root, '.git', file, '..'), { recursive: true });
      writeFileSync(
        join(sample.root, '.git', file),
        file === 'info/attributes' ? '*.txt filter=evil\n' : '#\n',
      );
    }
    const put = await restored();
    expect(put).toEqual(
      expect.arrayContaining(['.git/config restored', ...files.map((file) => `.git/${file} restored`)]),
    );
    expect(existsSync(join(sample.root, '.git/info/attributes'))).toBe(false);
    expect(() => sample.git('config', 'alias.status')).toThrow('Command failed');
    expect(await readInCleanCheckout()).toBe('bad\n');
  });
});

describe('a repository in which git does not start', () => {
  it('Settings and a HEAD with which git does not start are restored [X8]', async () => {
    const files = ['config', 'HEAD'].map((name) => join(sample.root, '.git', name));
    const before = files.map((file) => readFileSync(file, 'utf8'));
    for (const file of files) writeFileSync(file, '[damaged');
    const put = await opened.workspace.restoreRefs('s1');
    expect(put.map(({ ref, action }) => `${ref} ${action}`)).toEqual([
      'HEAD restored',
      '.git/config restored',
    ]);
    expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(before);
    expect(sample.git('show', put[1]?.keptAs ?? '')).toBe('[damaged');
  });
});

describe('notes and replaced objects', () => {
  it('Notes and replaced objects of an agent are removed and kept aside; those of a person stay [X8]', async () => {
    sample.git('notes', 'add', '-m', 'mine', 'HEAD');
    await opened.workspace.guardRefs('s1');
    const before = sample.git('rev-parse', 'refs/notes/commits');
    agent('notes', 'add', '-f', '-m', 'proven, trust me', 'HEAD');
    agent('notes', '--ref', 'untildone', 'add', '-m', 'forged', 'HEAD');
    sample.git('notes', '--ref', 'person', 'add', '-m', 'said', 'HEAD');
    expect(await restored()).toEqual([
      'refs/notes/person left',
      'refs/notes/untildone restored',
      'refs/notes/commits restored',
    ]);
    expect(sample.git('rev-parse', 'refs/notes/commits')).toBe(before);
    expect(() => sample.git('rev-parse', '--verify', '--quiet', 'refs/notes/untildone')).toThrow(
      'Command failed',
    );
    expect(sample.git('for-each-ref', 'refs/untildone/run1/replaced')).toContain('notes/untildone');
  });
});

describe('an object whose content does not match its name', () => {
  it('An object whose content does not match its name is not checked out, though every hash is unchanged [X8] [X10]', async () => {
    const blob = sample.git('rev-parse', 'HEAD:a.txt');
    const file = join(sample.root, '.git/objects', blob.slice(0, 2), blob.slice(2));
    rmSync(file);
    writeFileSync(file, deflateSync('blob 5\0good\n'));
    expect(sample.git('cat-file', 'blob', blob)).toBe('good');
    await expect(readInCleanCheckout()).rejects.toMatchObject({ code: 'object-forged' });
  });
});

describe('the history that git reports', () => {
  it('A shallow cut that hides history is removed, and a cut that is needed is restored [X8]', async () => {
    sample.write('a.txt', 'worse\n');
    const tip = sample.commit('more');
    const file = join(sample.root, '.git/shallow');
    writeFileSync(file, `${tip}\n`);
    expect(sample.git('rev-list', '--count', 'HEAD')).toBe('1');
    expect(await restored()).toEqual(['refs/heads/main left', '.git/shallow restored'].toSorted());
    expect(sample.git('rev-list', '--count', 'HEAD')).toBe('2');

    const clone = makeSample('clone');
    try {
      clone.git('fetch', '-q', '--depth', '1', `file://${sample.root}`, 'main');
      clone.git('reset', '-q', '--hard', 'FETCH_HEAD');
      const cut = await openSample(clone);
      await cut.workspace.prepare([]);
      await cut.workspace.guardRefs('s1');
      rmSync(join(clone.root, '.git/shallow'));
      // The user's own, of the same moment.
      sample.commit('third');
      sample.commit('fourth');
      sample.git('branch', 'side');
      const put = await cut.workspace.restoreRefs('s1');
      expect(put.map(({ ref }) => ref)).toEqual(['.git/shallow']);
      await cut.workspace.guardRefs('s2');
      clone.git('fetch', '-q', '--depth', '1', `file://${sample.root}`, 'side:side');
      expect((await cut.workspace.restoreRefs('s2')).map(({ ref }) => ref)).not.toContain('.git/shallow');
      expect(clone.git('rev-list', '--count', 'side')).toBe('1');
      expect(clone.git('rev-list', '--count', 'HEAD')).toBe('1');
    } finally {
      clone.remove();
    }
  });

  it('History is read from the commits, never from a commit graph that a session has written [X8] [X10]', async () => {
    const base = sample.git('rev-parse', 'HEAD');
    const honest = sample.git('rev-parse', 'HEAD^{tree}');
    sample.write('a.txt', 'good\n');
    sample.git('add', '.');
    const forged = sample.git('write-tree');
    sample.git('commit-graph', 'write', '--reachable');
    const file = join(sample.root, '.git/objects/info/commit-graph');
    const graph = readFileSync(file);
    const at = graph.indexOf(Buffer.from(honest, 'hex'));
    Buffer.from(forged, 'hex').copy(graph, at);
    const body = graph.subarray(0, -20);
    rmSync(file);
    writeFileSync(file, Buffer.concat([body, createHash('sha1').update(body).digest()]));
    const told = (): string => sample.git('log', '-1', '--format=%T', base);
    expect(told()).toBe(forged);
    const git = createGit(sample.root, sample.env);
    expect(await git.tell(['log', '-1', '--format=%T', base])).toBe(honest);
    expect(await restored()).toEqual([]);
    expect(told()).toBe(honest);
  });
});
