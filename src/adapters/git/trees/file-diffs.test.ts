import { chmodSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OperatorError } from '#base/operator-error.ts';
import type { FileDiffs } from '#kernel/model/base.ts';
import { makeSample, type Sample } from '#test/git/sample-repository.ts';
import { fileDiffs } from './file-diffs.ts';

let sample: Sample;
let base = '';
const text = Array.from({ length: 40 }, (_, at) => `line ${at}\n`).join('');

beforeEach(() => {
  sample = makeSample();
  sample.write('gone.txt', 'x\n');
  sample.write('moved.txt', text);
  sample.write('tool.sh', 'echo\n', 0o755);
  sample.write('same.txt', 'same\n');
  base = sample.commit('base');
});
afterEach(() => sample.remove());

const diffTo = (to: string, redact = (words: string): string => words): Promise<FileDiffs> =>
  fileDiffs(
    { commonDir: join(sample.root, '.git'), env: sample.env },
    { from: `${base}^{tree}`, to: `${to}^{tree}`, redact },
  );

describe('The difference of two trees per file', () => {
  it('Additions, deletions, renames, modes, links and binary files are named, each with its lines and counts', async () => {
    rmSync(join(sample.root, 'gone.txt'));
    renameSync(join(sample.root, 'moved.txt'), join(sample.root, 'new-name.txt'));
    chmodSync(join(sample.root, 'tool.sh'), 0o644);
    rmSync(join(sample.root, 'same.txt'));
    symlinkSync('tool.sh', join(sample.root, 'same.txt'));
    writeFileSync(join(sample.root, 'image.bin'), Buffer.from([0, 1, 2, 0]));
    const { files, added, removed, filesHidden } = await diffTo(sample.commit('work'));
    expect(
      files.map(({ path, oldPath, change, mode, counts, lines }) => [
        path,
        oldPath,
        change,
        mode,
        counts,
        lines,
      ]),
    ).toEqual([
      ['gone.txt', null, 'deleted', null, { added: 0, removed: 1 }, ['@@ -1 +0,0 @@', '-x']],
      ['image.bin', null, 'added', null, null, []],
      ['new-name.txt', 'moved.txt', 'renamed', null, { added: 0, removed: 0 }, []],
      [
        'same.txt',
        null,
        'type changed',
        '100644 → 120000',
        { added: 1, removed: 1 },
        expect.arrayContaining(['-same', '+tool.sh']),
      ],
      ['tool.sh', null, 'changed', '100755 → 100644', { added: 0, removed: 0 }, []],
    ]);
    expect([added, removed, filesHidden]).toEqual([1, 2, 0]);
  });

  it('Hostile names and lines that look like headers stay what they are', async () => {
    const names = ['a\nb', ':100644 100644 x y M', '1\t2\tz', '--- a', '"quoted" ü', ':(glob)*'];
    for (const name of names) sample.write(name, `diff --git a/x b/x\r@@ -1 +1 @@\n--- a/x\n+++ b/x\n`);
    const { files } = await diffTo(sample.commit('work'));
    expect(files.map(({ path }) => path).toSorted()).toEqual(names.toSorted());
    for (const { lines } of files)
      expect(lines).toEqual(['@@ -0,0 +1,3 @@', '+diff --git a/x b/x\r@@ -1 +1 @@', '+--- a/x', '++++ b/x']);
  });

  it('Equal trees have no files', async () => {
    expect(await diffTo(base)).toEqual({ files: [], filesHidden: 0, added: 0, removed: 0 });
  });

  it('A huge change is bounded per file and in the whole, and says how much is hidden', async () => {
    for (let at = 0; at < 700; at += 1) sample.write(`f/${String(at).padStart(4, '0')}`, text);
    sample.write('a-large', 'y\n'.repeat(20_000));
    sample.write('a-long-line', `${'z'.repeat(200_000)}\n`);
    sample.write('a-too-large', 'w\n'.repeat(300_000));
    const { files, filesHidden, added } = await diffTo(sample.commit('work'));
    expect([files.length, filesHidden]).toEqual([500, 203]);
    expect(JSON.stringify(files).length).toBeLessThan(1_000_000);
    expect(added).toBe(700 * 40 + 20_000 + 1);
    expect(files[0]).toMatchObject({ path: 'a-large', linesHidden: 20_001 - 600 });
    expect(files[1]?.lines[1]).toMatch(/^\+z+ \[… 199001 characters\]$/);
    expect(files[2]).toMatchObject({ path: 'a-too-large', counts: null, lines: [] });
    expect(files.at(-1)).toMatchObject({ lines: [], linesHidden: 40 });
  });

  it('A secret is removed before anything is cut, also one of several lines', async () => {
    const secret = 'first-half\nsecond-half';
    sample.write('keys', `${'a'.repeat(994)}hunter2\n${secret}\n`);
    const { files } = await diffTo(sample.commit('work'), (words) =>
      words.replaceAll('hunter2', '[redacted]').replaceAll(secret, '[redacted]'),
    );
    expect(JSON.stringify(files)).not.toMatch(/hunt|half/);
    expect(files[0]?.lines.at(-1)).toBe('+[redacted]');
  });

  it('A tree that git no longer has is an error for the operator', async () => {
    const place = { commonDir: join(sample.root, '.git'), env: sample.env };
    const missing = { from: `${base}^{tree}`, to: 'f'.repeat(40), redact: (words: string) => words };
    await expect(fileDiffs(place, missing)).rejects.toThrow(OperatorError);
  });
});
