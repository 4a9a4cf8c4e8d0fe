import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { codexEnvironment } from './environment.ts';

const base = mkdtempSync(join(tmpdir(), 'untildone-codex-home-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe.skipIf(process.platform === 'win32')('the environment of codex', () => {
  it('The environment of codex is left alone if its home is elsewhere', async () => {
    const env = { HOME: '/home/somebody', TMPDIR: base };
    expect(await codexEnvironment(env)).toEqual({ env, notice: null });
  });

  it('Codex gets another temporary folder if its home is below the first one, and the log says so', async () => {
    const home = join(base, 'not', 'made', 'yet');
    const { env, notice } = await codexEnvironment({ CODEX_HOME: home, TMPDIR: base });
    expect(env['TMPDIR']).not.toBe(base);
    expect(home.startsWith(`${env['TMPDIR']}/`)).toBe(false);
    expect(notice).toContain(base);
  });

  it('Neither a link nor a name with the same prefix misleads the choice of the temporary folder', async () => {
    const inside = join(base, 'inside');
    mkdirSync(inside);
    symlinkSync(base, join(base, 'link'));
    const linked = await codexEnvironment({ CODEX_HOME: inside, TMPDIR: join(base, 'link') });
    expect(linked.notice).not.toBe(null);
    expect((await codexEnvironment({ CODEX_HOME: `${base}-more`, TMPDIR: base })).notice).toBe(null);
  });
});
