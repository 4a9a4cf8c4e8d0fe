// A test with all assertions in loops or callbacks must fail when they are negated; otherwise they never ran.
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
  tryConfirmed,
} from './try-negated.ts';

export interface NestedFile extends NegatedFile {
  /** The file without the negated assertions. */
  readonly without: string;
}

export function negateNested({ files, context }: TestFiles, flipped: Flipped): NestedFile[] {
  return forFlipped(files, flipped, (file, names) => {
    const negated = file.runner.negateNested?.(file, context, names);
    if (negated === undefined || negated.kind === 'none') return null;
    return { file, text: negated.text, tests: negated.tests, without: negated.without };
  });
}

/** A test that still passes counts against the work only if exactly these assertions failed on the base. */
export function tryNested(bench: Bench, order: NegationOrder<NestedFile>): Promise<NegationTrial> {
  return tryConfirmed(bench, { ...order, again: negateNested }, (left) => greenOnBase(bench, order, left));
}

/** Tests that do not fail on the base once the negated assertions are removed. */
async function greenOnBase(
  bench: Bench,
  { subject, on }: NegationOrder,
  nested: readonly NestedFile[],
): Promise<ReadonlySet<string>> {
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
