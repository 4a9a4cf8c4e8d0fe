import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Workspace } from '#ports/workspace.ts';
import { makeSample, openSample, type Sample } from '#test/git/sample-repository.ts';

let sample: Sample;
let workspace: Workspace;

beforeEach(async () => {
  sample = makeSample('r p');
  for (let commit = 1; commit <= 12; commit += 1) {
    sample.write('src/ä file.js', `export const n = ${commit};\n`);
    sample.commit(`commit ${commit}`);
  }
  sample.write('big.txt', 'x'.repeat(30_000));
  sample.write('picture.bin', 'a\0b');
  sample.write('[odd]*.txt', 'odd\n');
  sample.commit('the last one');
  ({ workspace } = await openSample(sample));
  await workspace.prepare([]);
});
afterEach(() => sample.remove());

describe('recorded history', () => {
  it("The history holds the newest commits of the run's branch, newest first [C9]", async () => {
    const commits = await workspace.recentCommits(10);
    expect(commits).toHaveLength(10);
    expect(commits[0]).toMatch(/^[0-9a-f]{7,} the last one$/);
    expect(commits[9]).toContain('commit 4');
  });

  it('The files of a task are read from the tree, not from the folder, and are bounded [C4]', async () => {
    const tree = await workspace.snapshot();
    writeFileSync(join(workspace.root, 'src/ä file.js'), 'changed meanwhile\n');
    const paths = ['src/ä file.js', 'big.txt', 'picture.bin', 'none.js', 'src', '[odd]*.txt', '../outside'];
    const texts = await workspace.texts(tree, paths);
    expect(texts.map(({ text, isThere }) => [text, isThere])).toEqual([
      ['export const n = 12;\n', true],
      [null, true],
      [null, true],
      [null, false],
      [null, false],
      ['odd\n', true],
      [null, false],
    ]);
  });
});
