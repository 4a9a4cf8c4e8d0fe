import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGit } from '#adapters/git/repo/git.ts';
import { countStarts } from '#test/count-starts.ts';
import { makeSample, type Sample } from '#test/git/sample-repository.ts';
import { listFiles, noteTree, treeReader, type TreeGround } from './pin-tree.ts';
import { readTexts } from './read-texts.ts';

let sample: Sample;

beforeEach(() => {
  sample = makeSample();
});
afterEach(() => sample.remove());

function groundOn(path = sample.env['PATH']): TreeGround {
  const gitDir = join(sample.root, '.git');
  return { git: createGit(gitDir, { ...sample.env, PATH: path }), gitDir };
}

test('A file that was read together with others has the text and the limit that it has when it is read alone', async () => {
  const texts = ['', '\n', 'one', 'one\n', 'two\n\n', 'lines\r\n', 'wide é\n'];
  for (const [number, text] of texts.entries()) sample.write(`${number}.txt`, text);
  writeFileSync(join(sample.root, 'zero.bin'), Buffer.from([1, 0, 2]));
  writeFileSync(join(sample.root, 'other.bin'), Buffer.from([0xff, 0xfe, 0x0a]));
  const commit = sample.commit('all');
  const files = await listFiles(groundOn(), commit);
  const known = await readTexts(groundOn(), [...files.values()]);
  const [together, alone] = [treeReader(groundOn(), known), treeReader(groundOn())];
  for (const [path, file] of files)
    for (const bytesMax of [undefined, 0, 3, 6, 7, 8])
      expect(await together(file, bytesMax), `${path}, ${bytesMax}`).toBe(await alone(file, bytesMax));
});

test('No process of git is started for files that were read together', async () => {
  sample.write('a.sh', 'a\n');
  sample.write('b.sh', 'b\n');
  const files = await listFiles(groundOn(), sample.commit('both'));
  const known = await readTexts(groundOn(), [...files.values()]);
  const counter = countStarts('git', sample.home);
  const read = treeReader(groundOn(counter.path), known);
  expect(await Promise.all([...files.values()].map((file) => read(file)))).toEqual(['a', 'b']);
  expect(counter.phases().flat()).toEqual([]);
});

test('A file that git does not have changes nothing about those that were read with it', async () => {
  sample.write('a.txt', 'a\n');
  sample.write('b.txt', 'b\n');
  const files = await listFiles(groundOn(), sample.commit('both'));
  const [a = '', b = ''] = files.values();
  const texts = await readTexts(groundOn(), [a, `100644 ${'1'.repeat(40)}`, b]);
  expect([...texts.values()]).toEqual(['a\n', 'b\n']);
});

test('The files of a commit and of its tree are listed by one git process, and not again', async () => {
  sample.write('a.txt', 'a\n');
  const commit = sample.commit('one');
  const tree = sample.git('rev-parse', `${commit}^{tree}`);
  const counter = countStarts('git', sample.home);
  const ground = groundOn(counter.path);
  noteTree(ground.git, commit, tree);
  const files = await listFiles(ground, tree);
  expect(await listFiles(ground, commit)).toBe(files);
  expect(counter.phases().flat()).toHaveLength(1);
  // A name that is no hash may stand for another tree now.
  sample.write('b.txt', 'b\n');
  await listFiles(ground, 'HEAD');
  sample.commit('two');
  expect([...(await listFiles(ground, 'HEAD')).keys()]).toEqual(['a.txt', 'b.txt']);
});
