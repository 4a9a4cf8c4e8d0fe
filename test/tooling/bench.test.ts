import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { outcomeOf, verdictOf } from '../../bench/measure.ts';
import type { Line } from '../../bench/measure.ts';
import { renderTable } from '../../bench/table.ts';
import { root } from '../tidy/repository.ts';

const folder = mkdtempSync(join(tmpdir(), 'untildone-bench-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function bench(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bench/main.ts'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { status, stderr, lines: stdout.trimEnd().split('\n') };
}

/** Files that export a benchmark; the others are parts of them. */
function benchmarkFiles(): string[] {
  const home = join(root, 'bench');
  return readdirSync(home)
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => /^export const \w+: Benchmark\b/m.test(readFileSync(join(home, file), 'utf8')))
    .map((file) => basename(file, '.ts'));
}

test('`npm run bench -- --tiny` runs every file that exports a benchmark', () => {
  const { status, lines } = bench(['--tiny', '--list']);
  expect(status).toBe(0);
  expect(lines.toSorted()).toEqual(benchmarkFiles().toSorted());
});

test('bench/README.md has an entry for every benchmark', () => {
  const text = readFileSync(join(root, 'bench/README.md'), 'utf8');
  expect(benchmarkFiles().filter((name) => !text.includes(`\n- \`${name}\`:`))).toEqual([]);
});

test('A tiny benchmark that reaches its end passes', () => {
  const { status, lines } = bench(['--tiny', '--folder', folder, 'durable-step']);
  expect(status).toBe(0);
  expect(lines.at(-1)).toBe('1 passed, 0 failed, 0 skipped');
});

test('A benchmark that throws fails, the next one still runs, and the exit code is 1', () => {
  const nothing = join(folder, 'no-such-program.js');
  const { status, lines, stderr } = bench([
    '--tiny',
    '--folder',
    folder,
    '--program',
    nothing,
    'start-up',
    'durable-step',
  ]);
  expect(stderr).toContain('start-up FAILED');
  expect(stderr).toContain('no-such-program.js');
  expect(lines.at(-1)).toBe('1 passed, 1 failed, 0 skipped');
  expect(status).toBe(1);
});

test('A benchmark whose tool is missing is skipped, with the reason', () => {
  const broken = join(folder, 'bwrap');
  writeFileSync(broken, '#!/bin/sh\nexit 1\n');
  chmodSync(broken, 0o755);
  const path = `${folder}${delimiter}${process.env['PATH'] ?? ''}`;
  const { status, lines } = bench(['--tiny', '--folder', folder, 'sandbox'], { PATH: path });
  expect(lines.find((line) => line.startsWith('SKIPPED sandbox: '))).toMatch(/bubblewrap|bwrap/);
  expect(lines.at(-1)).toBe('0 passed, 0 failed, 1 skipped');
  expect(status).toBe(0);
});

const slow: Line = { name: 'slow', measured: 3, raw: 1, unit: 'ms' };

test('A missed gate fails a benchmark at full scale and not at the tiny one', () => {
  const missed: Line = { ...slow, gate: 2, aim: 1 };
  expect(outcomeOf([missed], { tiny: false })).toBe('failed');
  expect(outcomeOf([missed], { tiny: true })).toBe('passed');
  expect(outcomeOf([{ ...slow, aim: 2 }], { tiny: false })).toBe('passed');
});

test('A value is judged by the gate, then by the aim, and not without limits', () => {
  expect(verdictOf({ ...slow, gate: 2, aim: 1 })).toBe('MISSED');
  expect(verdictOf({ ...slow, gate: 3, aim: 2 })).toBe('over the aim');
  expect(verdictOf({ ...slow, gate: 3, aim: 3 })).toBe('ok');
  expect(verdictOf(slow)).toBe('no limit');
  expect(verdictOf({ ...slow, measured: null, gate: 3 })).toBe('NOT MEASURED');
});

test('The table shows the measured value beside its gate and its aim, as a ratio or with its unit', () => {
  const absolute: Line = { name: 'memory', measured: 150, raw: null, unit: 'MB', gate: 165, aim: 140 };
  const missing: Line = { ...absolute, measured: null, note: 'no such tool' };
  const cells = (line: Line) => renderTable([line]).split('\n').at(-1)?.split(/ {2,}/);
  expect(cells({ ...slow, gate: 5, aim: 2 })).toEqual([
    'slow',
    '3 ×',
    '≤ 5 ×',
    '≤ 2 ×',
    'over the aim',
    '3 ms against 1 ms',
  ]);
  expect(cells(absolute)).toEqual(['memory', '150 MB', '≤ 165 MB', '≤ 140 MB', 'over the aim']);
  expect(cells(missing)).toEqual(['memory', '≤ 165 MB', '≤ 140 MB', 'NOT MEASURED', 'no such tool']);
});

test('An unknown benchmark is refused before anything is measured', () => {
  const { status, stderr } = bench(['--tiny', 'durable-step', 'no-such-benchmark']);
  expect(stderr).toMatch(/^There is no benchmark "no-such-benchmark"\. Use one of: durable-step, /);
  expect(status).toBe(2);
});
