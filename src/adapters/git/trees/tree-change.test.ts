import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeSample, type Sample } from '#test/git/sample-repository.ts';
import { type FileChange, treeChange } from './tree-change.ts';

let sample: Sample;
let base = '';

beforeEach(() => {
  sample = makeSample();
  sample.write('gone.txt', 'x');
  sample.write('tool.sh', 'echo', 0o755);
  sample.write('same.txt', 'same');
  base = sample.commit('base');
});
afterEach(() => sample.remove());

const change = (to: string): Promise<FileChange[]> =>
  treeChange({ commonDir: join(sample.root, '.git'), env: sample.env }, `${base}^{tree}`, `${to}^{tree}`);

it('A tree change lists every kind of change with its bytes, and no unchanged file [X5]', async () => {
  rmSync(join(sample.root, 'gone.txt'));
  chmodSync(join(sample.root, 'tool.sh'), 0o644);
  const bytes = Buffer.from([0, 10, 255, 10, 13]);
  writeFileSync(join(sample.root, 'a "quoted"\nname ü'), bytes);
  symlinkSync('same.txt', join(sample.root, 'link'));
  expect(await change(sample.commit('work'))).toEqual([
    { kind: 'written', path: 'a "quoted"\nname ü', bytes, isExecutable: false, wasExecutable: null },
    { kind: 'deleted', path: 'gone.txt' },
    { kind: 'linked', path: 'link', target: 'same.txt' },
    {
      kind: 'written',
      path: 'tool.sh',
      bytes: Buffer.from('echo'),
      isExecutable: false,
      wasExecutable: true,
    },
  ]);
});

it('A tree change lists empty files and two files with the same content [X5]', async () => {
  sample.write('one', '');
  sample.write('two', '');
  const found = await change(sample.commit('work'));
  expect(found.map((one) => [one.path, one.kind === 'written' ? one.bytes.length : -1])).toEqual([
    ['one', 0],
    ['two', 0],
  ]);
});

it('A missing tree is reported in one sentence [X6]', async () => {
  await expect(change('0123456789abcdef0123456789abcdef01234567')).rejects.toMatchObject({
    code: 'tree-gone',
    hint: expect.stringContaining('refs/untildone/') as string,
  });
});
