import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ensureRepoId, readRepoId } from './repo-id.ts';
import type { Bed } from '#test/store/store-bed.ts';
import { createBed, startChild } from '#test/store/store-bed.ts';

let bed: Bed;
beforeEach(() => {
  bed = createBed();
});
afterEach(() => bed.dispose());

it('A repository id is made once, and is the same for concurrent callers [D5]', async () => {
  const commonDir = join(bed.folder, 'git');
  expect(await readRepoId(commonDir)).toBeNull();
  const script = `
    const { ensureRepoId } = await import('#adapters/store/repo-id.ts');
    say(await ensureRepoId(${JSON.stringify(commonDir)}));`;
  const children = Array.from({ length: 4 }, () => startChild(bed.folder, script).rest());
  const here = Array.from({ length: 8 }, () => ensureRepoId(commonDir));
  const found = [...(await Promise.all(children)).flat(), ...(await Promise.all(here))];
  expect(found).toHaveLength(12);
  expect(new Set(found).size).toBe(1);
  expect(await readRepoId(commonDir)).toBe(found[0]);
  expect(readdirSync(join(commonDir, 'untildone'))).toEqual(['repo-id']);
});

it('Repository ids differ between repositories', async () => {
  expect(await ensureRepoId(join(bed.folder, 'a'))).not.toBe(await ensureRepoId(join(bed.folder, 'b')));
});

it.each(['', 'half', '../../elsewhere', '0123456789abcdef0'])(
  'A repository id that is %j is refused, not replaced [X6]',
  async (text) => {
    const file = join(bed.folder, 'untildone', 'repo-id');
    mkdirSync(join(bed.folder, 'untildone'));
    writeFileSync(file, text);
    await expect(ensureRepoId(bed.folder)).rejects.toMatchObject({
      name: 'OperatorError',
      code: 'repo-id-damaged',
    });
    expect(readFileSync(file, 'utf8')).toBe(text);
  },
);
