import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Bed } from '#test/store/store-bed.ts';
import { createBed } from '#test/store/store-bed.ts';
import type { ViewFiles } from './views.ts';
import { createViewFiles, restAfter } from './views.ts';

let bed: Bed;
let troubles: string[] = [];
beforeEach(() => {
  bed = createBed();
  troubles = [];
});
afterEach(() => bed.dispose());

const views = () => bed.paths.run('r').views;
const state = (): unknown => JSON.parse(readFileSync(views().state, 'utf8'));

function viewFiles(stateEveryMs?: number): ViewFiles {
  const onTrouble = (text: string) => troubles.push(text);
  const options = { paths: bed.paths, run: bed.paths.run('r'), onTrouble };
  return createViewFiles(stateEveryMs === undefined ? options : { ...options, stateEveryMs });
}

it('The first state is written at once, others are throttled, and the last is always written [D1]', async () => {
  const files = viewFiles(3_600_000);
  let made = 0;
  const make = (n: number) => () => {
    made += 1;
    return { n };
  };
  for (let n = 1; n <= 1000; n += 1) files.writeState(make(n));
  await files.close();
  expect(state()).toEqual({ n: 1000 });
  expect(made).toBe(2);
  expect(readdirSync(views().folder).sort()).toEqual(['logs', 'state.json']);
  expect(troubles).toEqual([]);
});

it('A reader never sees half a state', async () => {
  const files = viewFiles(0);
  let reads = 0;
  let last = 0;
  // Until there was enough to read: a busy disk takes its time for the first.
  for (const until = Date.now() + 600_000; reads < 100 && Date.now() < until; last += 1) {
    files.writeState({ n: last, text: 'x'.repeat(100_000) });
    await new Promise(setImmediate);
    if (!existsSync(views().state)) continue;
    expect(state()).toMatchObject({ text: 'x'.repeat(100_000) });
    reads += 1;
  }
  await files.close();
  expect(reads).toBe(100);
  expect(state()).toMatchObject({ n: last - 1 });
});

it('Every line of the master log is written in order, one line each', async () => {
  const files = viewFiles();
  for (let n = 0; n < 500; n += 1) files.appendMaster(`line ${n}`);
  files.appendMaster('two\nin\r\none');
  await files.close();
  const lines = readFileSync(views().master, 'utf8').trimEnd().split('\n');
  expect(lines).toEqual([...Array.from({ length: 500 }, (_, n) => `line ${n}`), 'two in one']);
});

it('A view that cannot be written is reported once, and never throws into the run', async () => {
  mkdirSync(dirname(dirname(views().folder)), { recursive: true });
  writeFileSync(dirname(views().folder), 'a file where the folder should be');
  const files = viewFiles(0);
  for (let n = 0; n < 20; n += 1) {
    files.writeState({ n });
    files.appendMaster('x');
    await new Promise(setImmediate);
  }
  await files.close();
  expect(troubles).toHaveLength(1);
  expect(troubles[0]).toContain('The run continues');
});

it('A state that cannot be made is reported, and the next one is written', async () => {
  const files = viewFiles(0);
  files.writeState(() => {
    throw new Error('no state');
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  files.writeState({ n: 2 });
  await files.close();
  expect(troubles).toHaveLength(1);
  expect(state()).toEqual({ n: 2 });
});

it('Views and controls are excluded from git once, and existing lines of the exclude file stay', async () => {
  const root = join(bed.folder, 'checkout');
  mkdirSync(root);
  execFileSync('git', ['init', '--quiet', '--separate-git-dir', join(bed.folder, 'git'), root]);
  writeFileSync(bed.paths.exclude, '# mine\n*.swp');
  for (let times = 0; times < 3; times += 1) {
    const files = viewFiles();
    files.writeState({});
    await files.close();
  }
  writeFileSync(join(bed.paths.control, 'pause'), '');
  writeFileSync(join(root, '.untildone', 'config.jsonc'), '{}');
  expect(readFileSync(bed.paths.exclude, 'utf8')).toBe(
    '# mine\n*.swp\n.untildone/runs/\n.untildone/control/\n',
  );
  const status = execFileSync('git', ['-C', root, 'status', '--porcelain', '-uall'], { encoding: 'utf8' });
  expect(status).toBe('?? .untildone/config.jsonc\n');
});

it('A slow view is written less often, and a quick one four times a second', () => {
  expect(restAfter(1, 250)).toBe(250);
  expect(restAfter(40, 250)).toBe(2000);
});
