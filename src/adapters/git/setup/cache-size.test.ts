import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDependencyCache } from './dependency-cache.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'untildone-cache-'));
  mkdirSync(join(folder, 'work/node_modules'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function keep(name: string, bytes: number, age: number): Promise<void> {
  const cache = openDependencyCache({
    cacheDir: folder,
    sealKey: Buffer.from('key'),
    isSandboxed: true,
    note: () => {},
    bytesMax: 10_000,
  });
  writeFileSync(join(folder, 'work/node_modules/dep.js'), 'x'.repeat(bytes));
  await cache.keep(name, join(folder, 'work'), ['node_modules']);
  const at = Date.now() / 1000 - age;
  utimesSync(join(folder, 'setup', name), at, at);
}

const names = (): string[] => readdirSync(join(folder, 'setup')).toSorted();

it('The cache of dependencies drops its oldest entries when all together are too large', async () => {
  await keep('a', 4000, 300);
  await keep('b', 4000, 200);
  await keep('c', 4000, 100);
  expect(names()).toEqual(['b', 'c']);
});

it('A cache entry that alone exceeds the limit stays as long as it is the newest', async () => {
  await keep('a', 4000, 300);
  await keep('large', 40_000, 200);
  expect(names()).toEqual(['large']);
  await keep('b', 4000, 100);
  expect(names()).toEqual(['b']);
});
