// Runs vitest and returns how many tests passed, failed and were skipped, and the processor time they took.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, tool } from './tools.mjs';

/**
 * @param {readonly string[]} args
 * @param {Record<string, string>} env
 */
export function runVitest(args, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'untildone-test-'));
  const countsFile = join(folder, 'counts.json');
  const command = [
    process.execPath,
    tool('vitest', 'vitest.mjs'),
    'run',
    '--reporter=default',
    `--reporter=${join(root, 'scripts/counts-reporter.mjs')}`,
    ...args,
  ];
  const { isPassed, cpuSeconds } = runMeasured(command, {
    ...process.env,
    ...env,
    TEST_COUNTS_FILE: countsFile,
  });
  const counts = readCounts(countsFile);
  rmSync(folder, { recursive: true, force: true });
  // vitest may refuse a run in which every counted test passed (an unmet option, no test found).
  if (!isPassed && counts.failed === 0) counts.failed = 1;
  return { ...counts, cpuSeconds };
}

/**
 * Wall time depends on the load of the machine; processor time is what the tests cost.
 * @param {number} startedMs
 * @param {number} cpuSeconds
 */
export function duration(startedMs, cpuSeconds) {
  const cores = availableParallelism();
  const cpu =
    cpuSeconds === 0
      ? ''
      : `; processor time ${minutes(cpuSeconds)}, ${minutes(cpuSeconds / cores)} on each of ${cores} cores`;
  return `Took ${minutes((Date.now() - startedMs) / 1000)}${cpu}.`;
}

/**
 * The shell adds up the processor time of its children. Windows has no such shell: the time is 0 there.
 * @param {readonly string[]} command
 * @param {NodeJS.ProcessEnv} env
 */
function runMeasured(command, env) {
  const isWindows = process.platform === 'win32';
  const wrapper = isWindows ? [] : ['/bin/sh', '-c', '"$@" 3>&-; code=$?; times >&3; exit $code', 'sh'];
  const [file = '', ...args] = [...wrapper, ...command];
  const ended = spawnSync(file, args, {
    cwd: root,
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  });
  return { isPassed: ended.status === 0, cpuSeconds: childSeconds(String(ended.output?.[3] ?? '')) };
}

/**
 * The second line of `times`: user and system time of the children, such as `1m2.34s 0m5.67s`.
 * @param {string} times
 */
function childSeconds(times) {
  const line = times.split('\n')[1] ?? '';
  return [...line.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, m, s]) => sum + Number(m) * 60 + Number(s),
    0,
  );
}

/** @param {number} seconds */
function minutes(seconds) {
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** @param {string} file */
function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Without counts nothing says that any test ran.
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
