// Mutation-tests the new code of a run on clean checkouts, and records which checks notice.
import { isByMachine, isExit, type MachineCriterion } from '#kernel/model/criterion.ts';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeCheck } from '#kernel/model/check.ts';
import { present } from '#base/assert.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { Mutant } from '#adapters/syntax/mutants.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { CheckDeps } from '#ports/world.ts';
import type { ProbedCriterion, ProbedMutant, Probing } from '#views/report/probing.ts';
import { refuseCleaned } from '#app/clean/refuse-cleaned.ts';
import { composeTrial } from '#app/check-deps.ts';
import type { Proof } from './find-proof.ts';
import type { Site } from '#app/site.ts';

export interface ProbeOptions {
  readonly mutantsMax: number;
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly onMutant?: (mutant: ProbedMutant) => void;
  readonly onNote?: (text: string) => void;
}

/** A mutant that never ends counts as noticed after this many times the check's normal duration. */
const patience = 5;
const patienceMsMin = 10_000;

/** Contract: changes neither the run nor any checkout but its own. Null if it was cancelled. */
export async function probeProof(
  site: Site,
  { run, subject }: Proof,
  options: ProbeOptions,
): Promise<Probing | null> {
  await refuseCleaned(site, run, 'its branch and held-out checks were removed, so its code cannot be probed');
  const base = present(run.base, 'work that was done has a base');
  const possible = await possibleMutants(site, base.tree, subject.tree);
  if (possible.length === 0)
    throw new OperatorError(
      'nothing-to-break',
      `Run ${run.id} added no code that can be mutated.`,
      'A probe needs new lines outside of tests, in a supported language.',
    );
  const { id, folder, checkDeps } = await composeTrial(site, 'probe', run, (text) => options.onNote?.(text));
  const bench: Bench = { id, checkDeps, tree: subject.tree, signal: options.signal };
  try {
    const found = await tryAll(bench, run, chosen(possible, options), options);
    if (found === null) return null;
    return { runId: run.id, commit: subject.commit, seed: options.seed, possible: possible.length, ...found };
  } finally {
    await checkDeps.processes.sweep(`${id}/`);
    await rm(folder, { recursive: true, force: true });
  }
}

interface Bench {
  readonly id: string;
  readonly checkDeps: CheckDeps;
  readonly tree: string;
  readonly signal: AbortSignal;
}

async function possibleMutants(site: Site, from: string, to: string): Promise<Mutant[]> {
  const { changedSources } = await import('#adapters/git/trees/changed-lines.ts');
  const { mutantsOf } = await import('#adapters/syntax/mutants.ts');
  const found: Mutant[] = [];
  for (const file of await changedSources(site, from, to)) found.push(...(await mutantsOf(file, file.lines)));
  return found;
}

/** Deterministic for a seed; in the order of the files. */
function chosen(mutants: readonly Mutant[], { mutantsMax, seed }: ProbeOptions): Mutant[] {
  const key = (n: number): number => Math.imul((n + 1) ^ (seed * 0x9e3779b1), 0x85ebca6b) >>> 0;
  const kept = mutants
    .map((_, n) => n)
    .toSorted((a, b) => key(a) - key(b))
    .slice(0, mutantsMax);
  return mutants.filter((_, n) => kept.includes(n));
}

async function tryAll(
  bench: Bench,
  run: Run,
  mutants: readonly Mutant[],
  { onMutant }: ProbeOptions,
): Promise<Pick<Probing, 'mutants' | 'criteria'> | null> {
  const all = machineCriteria(run);
  const healthy = await tryOne(bench, all, null, 0);
  if (bench.signal.aborted) return null;
  const sound = all.filter(({ id }) => healthy.some((one) => one.id === id && one.isPass));
  const due = sound.map((criterion) => hurried(criterion, healthy));
  const probed: ProbedMutant[] = [];
  for (const [n, mutant] of mutants.entries()) {
    const mutantResult = await tryOne(bench, due, mutant, n + 1);
    if (bench.signal.aborted) return null;
    const noticedBy = mutantResult.filter(({ isPass }) => !isPass).map(({ id }) => id);
    const { path, line, what } = mutant;
    probed.push({ path, line, what, noticedBy });
    onMutant?.({ path, line, what, noticedBy });
  }
  return { mutants: probed, criteria: all.map((criterion) => probedCriterion(criterion, sound, probed)) };
}

function machineCriteria(run: Run): MachineCriterion[] {
  return [...run.tasks.values()].flatMap(({ spec }) => spec.criteria.filter(isByMachine).filter(isExit));
}

interface Tried {
  readonly id: string;
  readonly isPass: boolean;
  readonly durationMs: number;
}

/** In a separate checkout: leftovers of an earlier check could hide a change. */
async function tryOne(
  { id, checkDeps, tree, signal }: Bench,
  criteria: readonly MachineCriterion[],
  mutant: Mutant | null,
  n: number,
): Promise<Tried[]> {
  const checkout = await checkDeps.workspace.cleanCheckout(tree);
  try {
    if (mutant !== null) await writeFile(join(checkout.root, mutant.path), mutant.text);
    const tried: Tried[] = [];
    for (const criterion of criteria) {
      if (signal.aborted) break;
      const log = `${n}_${criterion.id}.log`;
      const request = { criterion, cwd: checkout.cwd, mark: `${id}/${n}`, log, signal };
      const { verdict, durationMs } = await checkDeps.checker.check(request);
      tried.push({ id: criterion.id, isPass: verdict === 'pass', durationMs });
    }
    return tried;
  } finally {
    await checkout.dispose();
  }
}

function hurried(criterion: MachineCriterion, healthy: readonly Tried[]): MachineCriterion {
  const { check } = criterion;
  if (!('timeoutMs' in check)) return criterion;
  const tookMs = healthy.find(({ id }) => id === criterion.id)?.durationMs ?? 0;
  const timeoutMs = Math.min(check.timeoutMs, Math.max(patienceMsMin, patience * tookMs));
  return { ...criterion, check: { ...check, timeoutMs } };
}

function probedCriterion(
  criterion: MachineCriterion,
  sound: readonly MachineCriterion[],
  probed: readonly ProbedMutant[],
): ProbedCriterion {
  const { id, check } = criterion;
  const noticed = probed.filter(({ noticedBy }) => noticedBy.includes(id)).length;
  const isSound = sound.includes(criterion);
  const finding = !isSound ? 'left out' : noticed === 0 ? 'weak' : 'noticed';
  return { id, check: describeCheck(check), finding, noticed };
}
