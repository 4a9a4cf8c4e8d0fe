import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Disk } from './power-loss.ts';
import { watchDisk } from './power-loss.ts';

let folder: string;
let disk: Disk;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'untildone-power-'));
  writeFileSync(join(folder, 'old'), 'old');
  disk = await watchDisk(folder);
});
afterEach(() => {
  disk.release();
  rmSync(folder, { recursive: true, force: true });
});

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

const found = (): { [name: string]: string } =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

it('A power loss undoes writes, files and names that were not synced', () => {
  writeFileSync(join(folder, 'old'), 'changed');
  writeFileSync(join(folder, 'new'), 'new');
  sync(join(folder, 'new'));
  renameSync(join(folder, 'old'), join(folder, 'renamed'));
  disk.losePower();
  expect(found()).toEqual({ old: 'old' });
});

it('A power loss keeps synced data, by descriptor or handle, under the names of the synced folder', async () => {
  writeFileSync(join(folder, 'old'), 'changed');
  sync(join(folder, 'old'));
  const handle = await open(join(folder, 'draft'), 'w');
  await handle.writeFile('new');
  await handle.datasync();
  await handle.close();
  renameSync(join(folder, 'draft'), join(folder, 'new'));
  writeFileSync(join(folder, 'named'), 'its content is not synced');
  sync(folder);
  disk.losePower();
  expect(found()).toEqual({ old: 'changed', new: 'new', named: '' });
});
