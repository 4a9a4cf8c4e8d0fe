import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { registrySigns } from './registries.ts';
import { remembered } from './remembered.ts';

const folder = mkdtempSync(join(tmpdir(), 'untildone-remembered-'));
const file = join(folder, 'deep/kept.json');
interface Reply {
  readonly answer: readonly string[];
  readonly isWhole: boolean;
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a cached expensive answer', () => {
  it('A cached answer is requested again if it was partial, its inputs changed, it is old, or its file is broken', async () => {
    let asked = 0;
    const ask = async (): Promise<Reply> => ({ answer: [`answer ${(asked += 1)}`], isWhole: asked > 1 });
    expect(await remembered(file, 'a', ask)).toEqual(['answer 1']);
    expect(await remembered(file, 'a', ask)).toEqual(['answer 2']);
    expect(await remembered(file, 'a', ask)).toEqual(['answer 2']);
    expect(await remembered(file, 'b', ask)).toEqual(['answer 3']);
    const kept = JSON.parse(readFileSync(file, 'utf8')) as { at: number };
    for (const at of [kept.at - 4_000_000, kept.at + 1e9])
      expect(await withText(JSON.stringify({ ...kept, at }), ask)).toEqual([`answer ${asked}`]);
    for (const text of ['', '{"signs":"b"}', '{"signs":"b","at":1e99,"answer":[1]}'])
      expect(await withText(text, ask)).toEqual([`answer ${asked}`]);
    expect(asked).toBe(8);
  });

  it('An answer that cannot be cached is still returned', async () => {
    writeFileSync(join(folder, 'no-folder'), '');
    const ask = async (): Promise<Reply> => ({ answer: ['here'], isWhole: true });
    expect(await remembered(join(folder, 'no-folder/kept.json'), 'a', ask)).toEqual(['here']);
  });
});

describe('the fingerprint of the registries', () => {
  it('The fingerprint of the registries changes only with a setting, a variable or a program on the PATH [C10]', async () => {
    const env = { HOME: folder, PATH: '/usr/bin' };
    const before = await registrySigns(env);
    expect(await registrySigns({ ...env, SHLVL: '2', PWD: '/elsewhere' })).toBe(before);
    expect(await registrySigns({ ...env, PIP_INDEX_URL: 'https://a.example' })).not.toBe(before);
    expect(await registrySigns({ ...env, PATH: '/bin' })).not.toBe(before);
    writeFileSync(join(folder, '.npmrc'), 'registry=https://a.example\n');
    expect(await registrySigns(env)).not.toBe(before);
  });
});

function withText(text: string, ask: () => Promise<Reply>): Promise<readonly string[]> {
  writeFileSync(file, text);
  return remembered(file, 'b', ask);
}
