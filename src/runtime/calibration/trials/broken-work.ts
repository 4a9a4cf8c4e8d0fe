// Breaks the code of the work: added tests that measure it must then fail.
import { breakChangedFunctions } from '#analysis/calibration/break-changed-functions.ts';
import { separateModules, withTests } from '#analysis/test-files/inline-test-parts.ts';
import { breakCode, returnDefaults } from '#analysis/calibration/mutate-code.ts';
import { isCode } from '#analysis/tampering/test-material.ts';
import type { FailedTest, SourceText } from '#analysis/test-runners/test-runner.ts';
import type { TreeChange } from '#ports/trees.ts';
import type { Bench, Subject, Trial } from '#runtime/calibration/bench.ts';
import { type Change, taking } from '#runtime/calibration/changed-material.ts';
import type { InertFiles } from './inert-files.ts';
import { failedNames, reportsOf } from '#runtime/calibration/planting.ts';
import { type TestFile, textsIn, type TrialInput } from '#runtime/calibration/test-files.ts';
import { negate, negationLimit, tryNegated } from './try-negated.ts';

/** Tests that can be moved to the base without the product code of the work. */
export interface AddedTests {
  readonly files: readonly TestFile[];
  /** The tests alone, if the files also hold product code. */
  readonly texts: readonly SourceText[];
  /** The changes that move them to the base; none if the base has no place for them. */
  readonly toBase: readonly TreeChange[];
  /** Set if only some tests of the files came with the work: identifies those by name. */
  readonly names?: AddedNames;
}

export interface AddedNames {
  readonly reported: (name: string) => boolean;
  /** As named in this file. */
  readonly inFile: (file: TestFile) => readonly string[];
}

export interface Measured extends TrialInput {
  readonly added: Pick<AddedTests, 'files' | 'names'>;
  readonly inert: Pick<InertFiles, 'files' | 'asked'>;
}

/**
 * Result of added tests on broken work. `fail`: by an assertion, or by an error and also when negated.
 * `crash`: by an error, with no known assertion to negate. `unloaded`: broken code does not load. `unnamed`:
 * the check fails but names no test. `nothing`: there is no code to break.
 */
export type WithBroken = 'fail' | 'pass' | 'crash' | 'pass negated' | 'unloaded' | 'unnamed' | 'nothing';

export async function tryBroken(bench: Bench, subject: Subject, measured: Measured): Promise<WithBroken> {
  const { added } = measured;
  const on = { ...measured, tests: { ...measured.tests, files: added.files } };
  if (await failWithBrokenFunctions(bench, subject, on)) return 'fail';
  const sets = await breakWork(on);
  let isCalled = false;
  let isUnnoticed = false;
  let isNamed = false;
  for (const ways of sets)
    for (const broken of ways) {
      const trial = await bench.run(await on.trees.replace(on.workTree, broken), negationLimit(subject));
      const causes = trial === null ? [] : await newCauses(bench, { ...on, broken, trial });
      if (causes.includes('assertion')) return 'fail';
      isCalled ||= causes.includes('unknown');
      isUnnoticed ||= trial !== null && causes.length === 0;
      isNamed ||= trial?.verdict !== 'fail' || failedNames(reportsOf(trial.output, added.files)).length > 0;
      // The next way is for code that does not load in this one.
      if (!causes.includes('load')) break;
    }
  if (sets.length === 0) return 'nothing';
  if (!isCalled && isUnnoticed) return 'pass';
  if (!isCalled) return isNamed ? 'unloaded' : 'unnamed';
  const negated = negate(on.tests, added.names?.inFile ?? (() => null));
  if (negated.length === 0) return 'crash';
  const { failed } = await tryNegated(bench, { subject, on, negated });
  return failed.length > 0 ? 'fail' : 'pass negated';
}

/**
 * By an assertion, with only the changed functions of old files broken. A wholly broken file often ends the
 * runner before the added tests; so a failure here is enough, and a pass proves nothing.
 */
async function failWithBrokenFunctions(bench: Bench, subject: Subject, on: Measured): Promise<boolean> {
  const { trees, baseTree, workTree } = on;
  const paths = workCode(on).flatMap(({ path, status }) => (status === 'changed' ? [path] : []));
  const [before, after] = [await trees.read(baseTree, paths), await trees.read(workTree, paths)];
  const broken = paths.flatMap((path): TreeChange[] => {
    const text = after.get(path) ?? '';
    const now = separateModules(path, text) ?? { product: text, modules: [] };
    const made = breakChangedFunctions(path, before.get(path) ?? '', now.product);
    return made === now.product ? [] : [{ path, text: withTests(path, made, now.modules) }];
  });
  if (broken.length === 0) return false;
  const trial = await bench.run(await trees.replace(workTree, broken), negationLimit(subject));
  const causes = trial === null ? [] : await newCauses(bench, { ...on, broken, trial });
  return causes.includes('assertion');
}

/** New files, then all code of the work, each broken in one or more ways; the safest to load comes first. */
async function breakWork(on: Measured): Promise<TreeChange[][][]> {
  const { baseTree, workTree } = on;
  const code = workCode(on);
  const before = await textsIn(on, baseTree, code);
  const after = await textsIn(on, workTree, code);
  const all = code.flatMap(({ path, status }) => {
    const ways = breakProduct(path, before.get(path) ?? null, after.get(path) ?? '');
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

function workCode({ changes, inert }: Pick<Measured, 'changes' | 'inert'>): Change[] {
  const isInert = new Set(inert.files.map(({ path }) => path));
  const work = [...changes.rest.filter(({ path }) => isCode(path) && !isInert.has(path)), ...inert.asked];
  return [...new Map(work.map((one) => [one.path, one])).values()].filter(
    ({ status }) => status !== 'deleted',
  );
}

/** Tests inside the file stay intact; a file whose product code did not change is no work. */
function breakProduct(path: string, before: string | null, after: string): readonly string[] {
  const now = separateModules(path, after) ?? { product: after, modules: [] };
  const old = before === null ? null : separateModules(path, before);
  if (now.modules.length > 0 && old?.product.trim() === now.product.trim()) return [];
  const ways = [returnDefaults(path, now.product), ...breakCode(path, now.product)];
  const changed = new Set(ways.filter((way) => way !== now.product));
  return [...changed].map((way) => withTests(path, way, now.modules));
}

interface BrokenTrial extends Measured {
  readonly broken: readonly TreeChange[];
  readonly trial: Trial;
}

/** Why tests that came with the work failed. A red check that names no test did not load. */
async function newCauses(bench: Bench, on: BrokenTrial): Promise<FailedTest['cause'][]> {
  const { tests, trial } = on;
  if (trial.verdict === 'pass') return [];
  const failures = [...reportsOf(trial.output, tests.files).values()].flatMap(({ failed }) => failed);
  if (failures.length === 0) return ['load'];
  const isFile = (name: string): boolean => tests.files.some(({ path }) => name.endsWith(path));
  const known = new Set(await oldFailures(bench, on, failures));
  return failures
    .filter(({ name }) => !known.has(name))
    .map(({ name, cause }) => (isFile(name) ? 'load' : cause));
}

/** Without known names of added tests: a failure that also occurs without them is old. */
async function oldFailures(
  bench: Bench,
  { trees, workTree, baseTree, changes, broken, tests, added }: BrokenTrial,
  failures: readonly FailedTest[],
): Promise<string[]> {
  const { names } = added;
  if (names !== undefined)
    return failures.flatMap(({ name, cause }) => (names.reported(name) || cause === 'load' ? [] : [name]));
  const isNew = new Set(changes.rest.flatMap(({ path, status }) => (status === 'added' ? [path] : [])));
  if (broken.every(({ path }) => isNew.has(path))) return [];
  const old = await bench.run(
    await trees.replace(workTree, [...broken, ...taking(changes.material, baseTree)]),
  );
  return old === null ? [] : failedNames(reportsOf(old.output, tests.files));
}
