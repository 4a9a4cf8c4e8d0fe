// Probes real files: finished, growing, replaced, and entries that are not files.
import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileProbe } from './file-probe.ts';

let folder = '';
let file = '';
let now = 0;
let look = createFileProbe(() => now);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'untildone-file-look-'));
  file = join(folder, 'wanted');
  now = 0;
  look = createFileProbe(() => now);
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function written(content: string | Buffer, { isOld = true } = {}): Promise<void> {
  await writeFile(file, content);
  if (isOld) await utimes(file, 1000, 1000);
}

const isThere = (contains?: string): Promise<boolean> =>
  look({ kind: 'file', path: file, ...(contains === undefined ? {} : { contains }) });

describe('a file condition', () => {
  it('A file condition is not met before the file exists, and is met at once if it was written long ago [U3]', async () => {
    expect(await isThere()).toBe(false);
    await written('');
    expect(await isThere()).toBe(true);
  });

  it('A condition on a growing file is met only when the file has not changed for a second [U3]', async () => {
    await written('a', { isOld: false });
    expect(await isThere()).toBe(false);
    now += 900;
    await appendFile(file, 'b');
    expect(await isThere()).toBe(false);
    now += 900;
    expect(await isThere()).toBe(false);
    now += 200;
    expect(await isThere()).toBe(true);
  });

  it('A driver that was woken for a file finds it complete at its first check [U3]', async () => {
    await written('', { isOld: false });
    const seconds = Date.now() / 1000 - 1.5;
    await utimes(file, seconds, Math.floor(seconds) === seconds ? seconds + 0.001 : seconds);
    expect(await isThere()).toBe(true);
  });

  it('A file system that keeps whole seconds needs a longer time [U3]', async () => {
    await written('', { isOld: false });
    const seconds = Math.floor(Date.now() / 1000 - 0.8);
    await utimes(file, seconds, seconds);
    expect(await isThere()).toBe(false);
    now += 1000;
    expect(await isThere()).toBe(true);
  });

  it('A file that is replaced by a new one is checked again [U3]', async () => {
    await written('old', { isOld: false });
    expect(await isThere()).toBe(false);
    now += 2000;
    await writeFile(`${file}.new`, 'newer');
    await rename(`${file}.new`, file);
    expect(await isThere()).toBe(false);
    now += 1000;
    expect(await isThere('newer')).toBe(true);
  });

  it('A file that is removed while its writer works restarts its quiet second [U3]', async () => {
    await written('half', { isOld: false });
    await isThere();
    await rm(file);
    now += 5000;
    expect(await isThere()).toBe(false);
    await written('half', { isOld: false });
    expect(await isThere()).toBe(false);
  });

  it('A file is searched for the text: all of it, and of a huge one the end [U3]', async () => {
    await written('status: green\n');
    expect(await isThere('green')).toBe(true);
    expect(await isThere('red')).toBe(false);
    await writeFile(file, 'begin');
    await truncate(file, 3 * 2 ** 30);
    await appendFile(file, 'done');
    await utimes(file, 1000, 1000);
    expect(await isThere('done')).toBe(true);
    expect(await isThere('begin')).toBe(false);
  });

  it('A text of many bytes is found at any place in the file [U3]', async () => {
    const text = 'überprüft ✓ '.repeat(200);
    await written(Buffer.concat([Buffer.alloc(70_001, 'x'), Buffer.from(text), Buffer.alloc(65_535, 'y')]));
    expect(await isThere(text)).toBe(true);
  });

  it('A folder can be waited for, and contains no text [U3]', async () => {
    await mkdir(file);
    await utimes(file, 1000, 1000);
    expect(await isThere()).toBe(true);
    expect(await isThere('anything')).toBe(false);
  });

  it('A pipe can be waited for, and does not block the driver [U3]', async () => {
    execFileSync('mkfifo', [file]);
    await utimes(file, 1000, 1000);
    expect(await isThere()).toBe(true);
    expect(await isThere('anything')).toBe(false);
  });

  it('A file behind a path that cannot be followed does not exist, and nothing is thrown [U3]', async () => {
    await written('x');
    for (const path of [join(file, 'below'), `${folder}/${'n'.repeat(5000)}`, `${folder}/a\0b`])
      expect(await look({ kind: 'file', path })).toBe(false);
  });
});
