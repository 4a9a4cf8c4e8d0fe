// Counts the processes and the mounts of three small runs. Exact: the counts depend on no clock and on no machine.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, type TestContext } from 'vitest';
import { findBubblewrap } from '#adapters/sandbox/bubblewrap/find-bubblewrap.ts';
import { type CountedRun, countedRun, type CountedScenario } from '#test/counted-run.ts';
import { builtEntry } from '#test/program.ts';
import { countKinds, describeStart, type MountOperation, type Start } from '#test/started-process.ts';

/**
 * Lower a number when it falls. A number that grows makes every run slower. The end begins with the last session,
 * so that it contains the attempt that passes.
 */
const expected = {
  plain: {
    start: { git: 19, bwrap: 11, sh: 12, node: 1 },
    attempt: { git: 10, bwrap: 11, sh: 11, node: 1 },
    end: { git: 24, bwrap: 21, sh: 21, node: 1 },
  },
  sandboxed: {
    start: { git: 20, bwrap: 13, sh: 12, node: 2 },
    attempt: { git: 10, bwrap: 11, sh: 11, node: 2 },
    end: { git: 24, bwrap: 21, sh: 21, node: 2 },
  },
  reviewed: {
    start: { git: 19, bwrap: 11, sh: 12, node: 1 },
    attempt: { git: 16, bwrap: 11, sh: 11, node: 1 },
    end: { git: 21, bwrap: 13, sh: 13, node: 0 },
  },
};

/** Of one program: the mounts in the folder of the run. The others depend on the machine. */
const expectedMounts = {
  agent: { tmpfs: 2, bind: 6, 'ro-bind': 9, 'remount-ro': 2 },
  check: { tmpfs: 2, bind: 6, 'ro-bind': 8, 'remount-ro': 2 },
};

const found = findBubblewrap();
const missing = 'problem' in found ? found.problem : null;

let place: string;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'untildone-counters-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

it('A run without a sandbox starts exactly these processes before, in and after its attempts', async () => {
  const run = await completedRun({ sandbox: 'none', attempts: 3 });
  const [start = [], first = [], second = [], last = []] = run.phases;
  const phases = { start, attempt: first, end: last };
  expect(countsOf(phases), `the calls:\n\n${textOf(phases)}\n`).toEqual(knownOf(expected.plain));
  expect(countKinds(second), 'a later attempt costs what the first one costs').toEqual(countKinds(first));
});

it('A sandboxed run starts exactly these processes, and each program gets exactly these mounts', async (context) => {
  skipWithoutBubblewrap(context);
  const run = await completedRun({ sandbox: 'bubblewrap', attempts: 2 });
  const [start = [], first = [], last = []] = run.phases;
  const phases = { start, attempt: first, end: last };
  expect(countsOf(phases), `the calls:\n\n${textOf(phases)}\n`).toEqual(expected.sandboxed);
  const [agent = [], ...checks] = first
    .map((one) => mountsOf(run, one))
    .filter((mounts) => mounts.length > 0);
  expect(countNames(agent), `the mounts:\n\n${namesOf(agent)}\n`).toEqual(expectedMounts.agent);
  expect(checks).toHaveLength(10);
  for (const check of checks)
    expect(countNames(check), `the mounts:\n\n${namesOf(check)}\n`).toEqual(expectedMounts.check);
});

it('A run with a reviewer and three runs of a green check at the acceptance starts exactly these processes', async () => {
  const run = await completedRun({ sandbox: 'none', attempts: 1, hasReviewer: true, acceptanceRuns: 3 });
  const [start = [], attempt = [], end = []] = run.phases;
  const phases = { start, attempt, end };
  expect(countsOf(phases), `the calls:\n\n${textOf(phases)}\n`).toEqual(knownOf(expected.reviewed));
});

async function completedRun(scenario: CountedScenario): Promise<CountedRun> {
  const run = await countedRun(scenario, { place, program: builtEntry('cli') });
  if (run.exitCode !== 0) throw new Error(`the run ended with ${run.exitCode}`);
  return run;
}

type Phases<Value> = { readonly [phase in 'start' | 'attempt' | 'end']: Value };
type Kinds = ReturnType<typeof countKinds>;

function countsOf({ start, attempt, end }: Phases<readonly Start[]>): Phases<Partial<Kinds>> {
  return knownOf({ start: countKinds(start), attempt: countKinds(attempt), end: countKinds(end) });
}

/** Without bubblewrap, shells are started in another way. */
function knownOf(kinds: Phases<Kinds>): Phases<Partial<Kinds>> {
  if (missing === null) return kinds;
  process.stderr.write(`NOT COUNTED: shells and bubblewrap. ${missing}\n`);
  const known = ({ git, node }: Kinds): Partial<Kinds> => ({ git, node });
  return { start: known(kinds.start), attempt: known(kinds.attempt), end: known(kinds.end) };
}

function skipWithoutBubblewrap({ skip }: TestContext): void {
  if (missing === null) return;
  process.stderr.write(`NOT COUNTED: the processes and mounts of a sandboxed run. ${missing}\n`);
  skip(missing);
}

/** The rest depends on the folders and the sockets of the machine. */
function mountsOf({ place: folder }: CountedRun, { mounts }: Start): MountOperation[] {
  return mounts.filter(({ path }) => path === folder || path.startsWith(`${folder}/`));
}

function countNames(mounts: readonly MountOperation[]): { readonly [name: string]: number } {
  const counts: { [name: string]: number } = {};
  for (const { name } of mounts) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function namesOf(mounts: readonly MountOperation[]): string {
  return mounts.map(({ name, path }) => `${name} ${path}`).join('\n');
}

function textOf({ start, attempt, end }: Phases<readonly Start[]>): string {
  return [start, attempt, end].map((starts) => starts.map(describeStart).join('\n')).join('\n\n');
}
