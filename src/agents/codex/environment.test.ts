import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { codexEnvironment } from './environment.ts';

const base = mkdtempSync(join(tmpdir(), 'untildone-codex-home-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe.skipIf(process.platform === 'win32')('the environment of codex', () => {
  it('is left alone when its home lies elsewhere', async () => {
    const env = { HOME: '/home/somebody', TMPDIR: base };
    expect(await codexEnvironment(env)).toEqual({ env, notice: null });
  });

  it('gets another folder for temporary files when its home lies below it, and the log says so', async () => {
    const home = join(base, 'not', 'made', 'yet');
    const { env, notice } = await codexEnvironment({ CODEX_HOME: home, TMPDIR: base });
    expect(env['TMPDIR']).not.toBe(base);
    expect(home.startsWith(`${env['TMPDIR']}/`)).toBe(false);
    expect(notice).toContain(base);
  });

  it('is not fooled by a link, nor by a name that only begins alike', async () => {
    const inside = join(base, 'inside');
    mkdirSync(inside);
    symlinkSync(base, join(base, 'link'));
    const linked = await codexEnvironment({ CODEX_HOME: inside, TMPDIR: join(base, 'link') });
    expect(linked.notice).not.toBe(null);
    expect((await codexEnvironment({ CODEX_HOME: `${base}-more`, TMPDIR: base })).notice).toBe(null);
  });
});
