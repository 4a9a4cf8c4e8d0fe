import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openCounterFile } from './counter-file.ts';

const base = mkdtempSync(join(tmpdir(), 'untildone-counter-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const home = (name: string) => ({ HOME: join(base, name) });
const folder = (name: string): string => join(base, name, '.local', 'state', 'untildone', 'counters');

it('A counter is read as it was kept, for this client and this conversation alone [X1]', async () => {
  const counter = openCounterFile(home('kept'), 'acp');
  await counter.keep('thread-1', [0.5]);
  await counter.keep('thread-1', [1.25, 7]);
  expect(await counter.read('thread-1')).toEqual([1.25, 7]);
  expect(await counter.read('thread-2')).toBe(null);
  expect(await openCounterFile(home('kept'), 'codex').read('thread-1')).toBe(null);
});

it('An id of a client is never a path [X6]', async () => {
  const counter = openCounterFile(home('path'), 'acp');
  for (const id of ['../../escaped', '/etc/passwd', 'x'.repeat(5_000), '']) {
    await counter.keep(id, [1]);
    expect(await counter.read(id)).toEqual([1]);
  }
  expect(readdirSync(base).sort()).toEqual(['kept', 'path']);
});

it.each(['', '{', '"7"', '[1,"2"]', '[-1]', '[null]', '{"0":1}'])(
  'A damaged counter %j is ignored [X1]',
  async (text) => {
    const counter = openCounterFile(home('damaged'), 'acp');
    await counter.keep('one', [1]);
    for (const name of readdirSync(folder('damaged'))) writeFileSync(join(folder('damaged'), name), text);
    expect(await counter.read('one')).toBe(null);
  },
);

it('A counter that cannot be written causes no error [X6]', async () => {
  writeFileSync(join(base, 'file'), '');
  const counter = openCounterFile(home('file'), 'acp');
  await counter.keep('one', [1]);
  expect(await counter.read('one')).toBe(null);
});

it('A counter is forgotten two weeks after the last session of its conversation', async () => {
  mkdirSync(folder('old'), { recursive: true });
  const counter = openCounterFile(home('old'), 'acp');
  await counter.keep('one', [1]);
  const [name = ''] = readdirSync(folder('old'));
  const longAgo = new Date(Date.now() - 15 * 86_400_000);
  utimesSync(join(folder('old'), name), longAgo, longAgo);
  await counter.keep('two', [2]);
  expect([await counter.read('one'), await counter.read('two')]).toEqual([null, [2]]);
});
