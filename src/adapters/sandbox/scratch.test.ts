import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const scratch = join(dirname(fileURLToPath(import.meta.url)), 'scratch.ts');

describe('scratch folders of a sandbox', () => {
  it('A scratch folder is removed with its process; that of a killed process is removed by the next one [X11]', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'untildone-scratch-test-'));
    const [killed, living] = [
      await make(folder, 'setInterval(() => {}, 1000)'),
      await make(folder, 'setInterval(() => {}, 1000)'),
    ];
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');
    expect(existsSync(killed.made)).toBe(true);
    const next = await make(folder, 'await new Promise((end) => setTimeout(end, 1)); process.exitCode = 0');
    await once(next.child, 'exit');
    expect([killed, living, next].map(({ made }) => existsSync(made))).toEqual([false, true, false]);
    living.child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
});

async function make(folder: string, then: string) {
  const script = `const { makeScratch } = await import(${JSON.stringify(scratch)}); console.log(makeScratch('sandbox')); ${then}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, made: chunk.toString().trim() };
}
