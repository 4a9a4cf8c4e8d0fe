// Attacks of an unsandboxed agent on the dependency cache that later sandboxed runs use.
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import { makeSample, type Opened, openSample, type Sample } from '#test/git/sample-repository.ts';

const processes = createProcesses({ confine: 'marker' });
// A whole second, so that the time of the file can be set back exactly.
const setup =
  'echo ran >> "$HOME/setup-runs"; mkdir -p node_modules; echo sound > node_modules/dep.js; touch -t 202311142213.20 node_modules/dep.js';
let sample: Sample;

beforeEach(() => {
  sample = makeSample();
  sample.write('package-lock.json', '{}');
  sample.write('.gitignore', 'node_modules/\n');
  sample.commit('start');
});
afterEach(() => sample.remove());

async function startRun(runId: string, sandbox: 'sandboxed' | 'unsandboxed'): Promise<Opened> {
  const isUnsandboxed = sandbox === 'unsandboxed';
  const opened = await openSample(sample, { runId, setup, processes, isUnsandboxed });
  await opened.workspace.prepare([]);
  return opened;
}

const dependency = ({ workspace }: Opened): string =>
  readFileSync(join(workspace.root, 'node_modules/dep.js'), 'utf8');
const setups = (): number => readFileSync(join(sample.home, 'setup-runs'), 'utf8').trim().split('\n').length;
const cache = (): string => join(sample.home, 'cache/setup');
const entries = (): string[] => readdirSync(cache());

/** With the time of the file set back, as one does who wants to hide it. */
function poison(entry: string): void {
  const file = join(cache(), entry, 'files/node_modules/dep.js');
  const { atime, mtime } = statSync(file);
  writeFileSync(file, 'wrong\n');
  utimesSync(file, atime, mtime);
}

it('A sandboxed run uses the dependencies that a sandboxed run before it installed [X10]', async () => {
  await startRun('first', 'sandboxed');
  expect(dependency(await startRun('second', 'sandboxed'))).toBe('sound\n');
  expect(setups()).toBe(1);
});

it('A sandboxed run never uses the dependencies that an unsandboxed run installed [X10]', async () => {
  await startRun('open', 'unsandboxed');
  for (const entry of entries()) poison(entry);
  expect(dependency(await startRun('shut', 'sandboxed'))).toBe('sound\n');
  expect(setups()).toBe(2);
});

it('A sandboxed run does not use the dependencies of an unsandboxed run either when they are as they were stored [X10]', async () => {
  await startRun('open', 'unsandboxed');
  await startRun('shut', 'sandboxed');
  expect(setups()).toBe(2);
});

it('Dependencies that were changed after their installation are installed again, and the user reads why [X10]', async () => {
  await startRun('first', 'sandboxed');
  for (const entry of entries()) poison(entry);
  const second = await startRun('second', 'sandboxed');
  expect(dependency(second)).toBe('sound\n');
  expect(second.notes.join('\n')).toContain('was changed by another program');
  expect(dependency(await startRun('third', 'sandboxed'))).toBe('sound\n');
  expect(setups()).toBe(2);
});

it('A cache entry of an unsandboxed run is not used for a sandboxed one under any name [X10]', async () => {
  await startRun('shut', 'sandboxed');
  const [name = ''] = entries();
  rmSync(join(cache(), name), { recursive: true });
  await startRun('open', 'unsandboxed');
  const [foreign = ''] = entries();
  renameSync(join(cache(), foreign), join(cache(), name));
  expect(setups()).toBe(2);
  await startRun('later', 'sandboxed');
  expect(setups()).toBe(3);
});

it('A file that was added to the cached dependencies reaches no run [X10]', async () => {
  await startRun('first', 'sandboxed');
  for (const entry of entries()) writeFileSync(join(cache(), entry, 'files/node_modules/more.js'), 'wrong\n');
  const { workspace } = await startRun('second', 'sandboxed');
  expect(existsSync(join(workspace.root, 'node_modules/more.js'))).toBe(false);
});
