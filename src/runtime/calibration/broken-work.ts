// Whether added tests measure the work: its code is broken, and they must fail.
import { breakCode } from '#analysis/tampering/mutate-code.ts';
import { isCode } from '#analysis/tampering/test-material.ts';
import type { FailedTest } from '#analysis/test-runners/test-runner.ts';
import type { TreeChange } from '#ports/workspace.ts';
import type { Bench, Subject, Trial } from './bench.ts';
import { type Change, type Changes, type Span, taking } from './changed-material.ts';
import { failedNames, reportsOf } from './planting.ts';
import type { TestFiles } from './test-files.ts';
import { negate, negationLimit, tryNegated } from './try-negated.ts';

export interface Measured extends Span {
  /** The added tests. */
  readonly tests: TestFiles;
  readonly changes: Changes;
  /** Data that the goal asks for. */
  readonly asked: readonly Change[];
}

/**
 * What added tests do with the code of the work broken. `fail`: by an assertion, or by an error and when negated as well. `crash`: by
 * an error, and nothing known can be negated. `unloaded`: broken code does not load. `nothing`: there is no code to break.
 */
export type WithBroken = 'fail' | 'pass' | 'crash' | 'pass negated' | 'unloaded' | 'nothing';

export async function tryBroken(bench: Bench, subject: Subject, on: Measured): Promise<WithBroken> {
  const sets = await breakWork(on);
  let isCalled = false;
  let isDeaf = false;
  for (const ways of sets)
    for (const broken of ways) {
      const trial = await bench.run(await on.trees.replace(on.workTree, broken), negationLimit(subject));
      const causes = trial === null ? [] : await newCauses(bench, { ...on, broken, trial });
      if (causes.includes('assertion')) return 'fail';
      isCalled ||= causes.includes('unknown');
      isDeaf ||= trial !== null && causes.length === 0;
      // The other way is for code that does not load in this one.
      if (!causes.includes('load')) break;
    }
  if (sets.length === 0) return 'nothing';
  if (!isCalled) return isDeaf ? 'pass' : 'unloaded';
  const negated = negate(on.tests, () => null);
  if (negated.length === 0) return 'crash';
  const { failed } = await tryNegated(bench, { subject, on, negated });
  return failed.length > 0 ? 'fail' : 'pass negated';
}

/** New files, then all code of the work; each broken in one or two ways, the one that surely loads first. */
async function breakWork({ trees, workTree, changes, asked }: Measured): Promise<TreeChange[][][]> {
  const work = [...changes.rest.filter(({ path }) => isCode(path)), ...asked];
  const code = work.filter(({ status }) => status !== 'deleted');
  const texts = await trees.read(
    workTree,
    code.map(({ path }) => path),
  );
  const all = code.flatMap(({ path, status }) => {
    const ways = breakCode(path, texts.get(path) ?? '');
    return ways.length === 0 ? [] : [{ path, status, ways }];
  });
  const fresh = all.filter(({ status }) => status === 'added');
  const sets = fresh.length === all.length ? [all] : [fresh, all];
  return sets
    .filter((files) => files.length > 0)
    .map((files) => {
      const most = Math.max(...files.map(({ ways }) => ways.length));
      return Array.from({ length: most }, (_, way) =>
        files.map(({ path, ways }): TreeChange => ({ path, text: ways[way] ?? ways[0] ?? '' })),
      );
    });
}

interface BrokenTrial extends Measured {
  readonly broken: readonly TreeChange[];
  readonly trial: Trial;
}

/** Why tests failed that came with the work; others fail without them as well, once old code is broken. A red check that names no test did not load. */
async function newCauses(bench: Bench, on: BrokenTrial): Promise<FailedTest['cause'][]> {
  const { trees, workTree, baseTree, changes, broken, tests, trial } = on;
  if (trial.verdict === 'pass') return [];
  const failures = [...reportsOf(trial.output, tests.files).values()].flatMap(({ failed }) => failed);
  if (failures.length === 0) return ['load'];
  const isNew = new Set(changes.rest.flatMap(({ path, status }) => (status === 'added' ? [path] : [])));
  const old = broken.every(({ path }) => isNew.has(path))
    ? null
    : await bench.run(await trees.replace(workTree, [...broken, ...taking(changes.material, baseTree)]));
  const known = new Set(old === null ? [] : failedNames(reportsOf(old.output, tests.files)));
  const isFile = (name: string): boolean => tests.files.some(({ path }) => name.endsWith(path));
  return failures
    .filter(({ name }) => !known.has(name))
    .map(({ name, cause }) => (isFile(name) ? 'load' : cause));
}
