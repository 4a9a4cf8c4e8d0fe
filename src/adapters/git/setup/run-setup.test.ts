// A setup command that fails, and another one that replaces it.
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import { createRedactor } from '#config/redact.ts';
import { makeSample, type Opened, openSample, type Sample } from '#test/git/sample-repository.ts';
import { createGitWorkspace } from '#adapters/git/workspace.ts';

const processes = createProcesses({ confine: 'marker' });
let sample: Sample;

beforeEach(() => {
  sample = makeSample();
  sample.write('a.txt', 'base\n');
  sample.commit('start');
});
afterEach(() => sample.remove());

const logFile = (): string => join(sample.home, 'state/run1/logs/setup.log');

async function failure(setup: string): Promise<string> {
  const { workspace } = await openSample(sample, { setup, processes });
  const error: unknown = await workspace.prepare([]).catch((caught: unknown) => caught);
  return error instanceof Error ? error.message : 'no error';
}

it('A setup that fails shows its error lines instead of its usage, and names the log that has all of it [X6]', async () => {
  const usage = Array.from({ length: 30 }, (_, n) => `npm error [--flag-${n}]`).join('\\n');
  const message = await failure(
    `printf 'npm warn old\\nnpm error code EUSAGE\\nnpm error not in sync\\nnpm error Usage:\\n${usage}\\n' >&2; exit 1`,
  );
  const shown = message.split('\n').slice(1);
  expect(shown).toEqual([
    'npm error code EUSAGE',
    'npm error not in sync',
    `Its whole output is in ${logFile()}.`,
  ]);
  expect(readFileSync(logFile(), 'utf8')).toContain('[--flag-29]');
  expect(readdirSync(join(logFile(), '..'))).toEqual(['setup.log']);
});

it('The reason of a failed setup is found at both ends of an output of megabytes, and the log is private [X6]', async () => {
  const noise = 'yes "adding a package to the tree" | head -n 100000';
  const message = await failure(`echo "fatal: at the start"; ${noise}; echo "error: at the end"; exit 3`);
  expect(message).toContain('fatal: at the start\nerror: at the end\n');
  expect(message.length).toBeLessThan(2000);
  const log = readFileSync(logFile(), 'utf8');
  expect(log).toMatch(/^fatal: at the start\n[^]*bytes were left out here[^]*error: at the end\n$/);
  expect(log.length).toBeGreaterThan(1_500_000);
  expect(statSync(logFile()).mode & 0o077).toBe(0);
});

it('No secret of the environment reaches the message or the log of a setup [X12]', async () => {
  const opened = await openSample(sample, {
    setup: 'echo "error: refused for $REGISTRY_TOKEN"; exit 1',
    processes,
  });
  const env = { ...sample.env, REGISTRY_TOKEN: 'hush-hush-hush' };
  const setupReport = { ...opened.options.setupReport, redactor: createRedactor(env) };
  const workspace = createGitWorkspace({ ...opened.options, setupEnv: env, setupReport });
  await expect(workspace.prepare([])).rejects.toThrow('error: refused for [redacted REGISTRY_TOKEN]');
  expect(readFileSync(logFile(), 'utf8')).not.toContain('hush-hush');
});

function changed(opened: Opened, command: string | null): Opened['workspace'] {
  return createGitWorkspace({ ...opened.options, setup: () => ({ command, isDetected: false, copy: [] }) });
}

it('Another setup command recreates the checkout if no builder has worked in it [Q5]', async () => {
  const opened = await openSample(sample, { setup: 'touch first', processes });
  await opened.workspace.prepare([]);
  const again = changed(opened, 'touch second');
  await again.prepare([], { isUntouched: true });
  expect(existsSync(join(again.root, 'first'))).toBe(false);
  expect(existsSync(join(again.root, 'second'))).toBe(true);
  writeFileSync(join(again.root, 'kept'), '');
  await again.prepare([], { isUntouched: true });
  expect(existsSync(join(again.root, 'kept'))).toBe(true);
});

it('Once a builder has worked, another setup command applies to the clean checkouts alone, and no work is lost [Q5]', async () => {
  const opened = await openSample(sample, { setup: 'touch first', processes });
  const { baseTree } = await opened.workspace.prepare([]);
  writeFileSync(join(opened.workspace.root, 'work.txt'), 'half\n');
  const again = changed(opened, 'touch second');
  await again.prepare([]);
  expect(readFileSync(join(again.root, 'work.txt'), 'utf8')).toBe('half\n');
  const clean = await again.cleanCheckout(baseTree);
  expect(existsSync(join(clean.root, 'second'))).toBe(true);
  await clean.dispose();
});

it('After a failed setup, another command or none prepares the run [Q5]', async () => {
  const opened = await openSample(sample, { setup: 'exit 1', processes });
  await expect(opened.workspace.prepare([])).rejects.toMatchObject({ code: 'setup-failed' });
  await changed(opened, null).prepare([], { isUntouched: true });
  expect(readFileSync(join(opened.workspace.root, 'a.txt'), 'utf8')).toBe('base\n');
});
