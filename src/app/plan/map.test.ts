import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { mapHere } from './map-here.ts';
import { mapRepository } from './map.ts';

const folder = mkdtempSync(join(tmpdir(), 'untildone-map-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const env = {
  ...process.env,
  XDG_STATE_HOME: join(folder, 'state'),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CEILING_DIRECTORIES: folder,
};

describe('The map of a repository [C2]', () => {
  it('The map of this repository has at least 90 % fewer tokens than its code without tests, cut or not', async () => {
    const root = join(import.meta.dirname, '..', '..', '..');
    const request = { root, goal: 'draw the header of a run', cacheFolder: join(folder, 'own'), env };
    const whole = await mapRepository({ ...request, tokens: 'all' });
    expect(whole.tokens).toBeLessThan(whole.codeTokens * 0.1);
    expect(whole.files.filter(({ shown }) => shown === 'counted')).toEqual([]);
    const cut = await mapRepository(request);
    expect(cut.tokens).toBeLessThanOrEqual(8_000);
    expect(cut.stats.read).toBeLessThan(whole.stats.read / 2);
    const best = cut.files.toSorted((a, b) => b.rank - a.rank).slice(0, 5);
    expect(best.map(({ path }) => path)).toContain('src/surfaces/cli/render/header.ts');
    expect(cut.markdown).toContain('export function headerLines(');
    expect(cut.markdown).not.toContain('import ');
  });

  it('A map begins at any folder of a repository without commits; a test is a name, third-party code a number', async () => {
    const root = join(folder, 'fresh one');
    mkdirSync(join(root, 'src/deep'), { recursive: true });
    mkdirSync(join(root, 'vendor'));
    spawnSync('git', ['init', '-q'], { cwd: root, env });
    writeFileSync(join(root, 'src/shop.py'), 'def buy(n: int):\n    return n\n');
    writeFileSync(join(root, 'src/test_shop.py'), 'def test_buy(): pass\n');
    writeFileSync(join(root, 'vendor/other.py'), 'def other(): pass\n');
    const map = await mapHere(join(root, 'src/deep'), env, { goal: '', paths: [] });
    expect(map.markdown).toContain('src/\n  shop.py\n    def buy(n: int)\n  test_shop.py\nvendor/ … 1 file');
    expect(map.markdown).not.toMatch(/test_buy|def other/);
    expect(map.stats).toMatchObject({ code: 1, tests: 1, vendored: 1 });
    expect((await mapHere(root, env, { goal: 'buy', paths: [] })).markdown).toContain(
      'Nearest to the goal: src/',
    );
    const { markdown: far } = await mapHere(root, env, { goal: 'zzz', paths: [] });
    expect(far).not.toContain('Nearest');
    expect(far).toContain('No file has a word of the goal.');
    const part = await mapHere(join(root, 'src'), env, { goal: '', paths: ['../vendor'] });
    expect(part.files.map(({ path }) => path)).toEqual(['vendor/other.py']);
    await expect(mapHere(root, env, { goal: '', paths: ['nowhere'] })).rejects.toMatchObject({
      code: 'path-missing',
    });
    await expect(mapHere(root, env, { goal: '', paths: ['..'] })).rejects.toMatchObject({
      code: 'path-outside',
    });
  });

  it('A map is refused outside a repository', async () => {
    const plain = join(folder, 'plain');
    mkdirSync(plain);
    await expect(mapHere(plain, env, { goal: '', paths: [] })).rejects.toMatchObject({
      code: 'not-a-repository',
    });
  });
});
