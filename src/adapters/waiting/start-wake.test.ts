import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startWake } from './start-wake.ts';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'untildone-wake-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const long = `${'old\n'.repeat(400_000)}newest\n`;

describe('the log of woken drivers [U3]', () => {
  it('The log of woken drivers is appended to, and stays bounded', async () => {
    const log = join(folder, 'runs', 'wake.log');
    await start(log).ended;
    await start(log).ended;
    expect(readFileSync(log, 'utf8')).toBe('woken\nwoken\n');
    writeFileSync(log, long);
    await start(log).ended;
    expect(readFileSync(log, 'utf8')).toMatch(/^[old\n]+newest\nwoken\n$/);
    expect(statSync(log).size).toBeLessThan(1 << 20);
  });

  it('The log of woken drivers follows no link that an agent put in its place', async () => {
    const target = join(folder, 'target');
    writeFileSync(target, long);
    symlinkSync(target, join(folder, 'wake.log'));
    expect(await start(join(folder, 'wake.log')).ended).toBe(0);
    expect(readFileSync(target, 'utf8')).toBe(long);
  });

  it('A missing program or folder does not crash the waking of a driver', async () => {
    const gone = { args: [], env: {}, log: null };
    expect(await startWake({ ...gone, program: ['/gone/node'], cwd: folder }).ended).toBeNull();
    expect(await startWake({ ...gone, program: ['true'], cwd: '/gone' }).ended).toBeNull();
  });
});

function start(log: string) {
  return startWake({ program: ['sh', '-c'], args: ['echo woken'], cwd: folder, env: process.env, log });
}
