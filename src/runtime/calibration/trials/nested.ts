// A test whose assertions all stand in loops or callbacks must fail when they are negated: else they never ran.
import { isSameTest } from '#analysis/test-runners/reports.ts';
import type { Bench } from '#runtime/calibration/bench.ts';
import { reportsOf } from '#runtime/calibration/planting.ts';
import type { TestFiles } from '#runtime/calibration/test-files.ts';
import {
  type Flipped,
  forFlipped,
  type NegatedFile,
  negationLimit,
  type NegationOrder,
  type NegationTrial,
  testsAmong,
  tryNegated,
} from './try-negated.ts';

export interface NestedFile extends NegatedFile {
  /** The file without the assertions that are negated. */
  readonly without: string;
}

export function negateNested({ files, context }: TestFiles, flipped: Flipped): NestedFile[] {
  return forFlipped(files, flipped, (file, names) => {
    const negated = file.runner.negateNested?.(file, context, names);
    if (negated === undefined || negated.kind === 'none') return null;
    return { file, text: negated.text, tests: negated.tests, without: negated.without };
  });
}

interface NestedOrder extends Omit<NegationOrder, 'negated' | 'again'> {
  readonly nested: readonly NestedFile[];
}

/** A test that passes all the same is held against the work only if these assertions failed on the base, and no other. */
export async function tryNested(bench: Bench, { subject, on, nested }: NestedOrder): Promise<NegationTrial> {
  const trial = await tryNegated(bench, { subject, on, negated: nested, again: negateNested });
  if (trial.passing.length === 0) return trial;
  const left = negateNested(
    on.tests,
    testsAmong(nested, (test) => trial.passing.includes(test)),
  );
  const green = await greenOnBase(bench, { subject, on, nested: left });
  return { failed: trial.failed, passing: trial.passing.filter((test) => green.has(test)) };
}

/** Tests that do not fail on the base once the negated assertions are left out. */
async function greenOnBase(bench: Bench, { subject, on, nested }: NestedOrder): Promise<ReadonlySet<string>> {
  const changes = nested.map(({ file, without }) => ({ path: file.path, text: without }));
  const trial = await bench.run(await on.trees.replace(on.baseTree, changes), negationLimit(subject));
  const tests = nested.flatMap((file) => file.tests);
  if (trial?.verdict === 'pass') return new Set(tests);
  if (trial?.verdict !== 'fail') return new Set();
  const files = nested.map(({ file }) => file);
  const failed = [...reportsOf(trial.output, files).values()].flatMap((report) => report.failed);
  if (failed.length === 0 || failed.some(({ cause }) => cause === 'load')) return new Set();
  return new Set(tests.filter((test) => !failed.some(({ name }) => isSameTest(name, test))));
}
