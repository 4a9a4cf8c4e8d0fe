// A test that judges with a helper of the work must fail when it expects another value.
import { isSameTest } from '#analysis/test-runners/reports.ts';
import type { Bench } from '#runtime/calibration/bench.ts';
import { reportsOf } from '#runtime/calibration/planting.ts';
import type { TestFiles } from '#runtime/calibration/test-files.ts';
import {
  changesFor,
  type Flipped,
  forFlipped,
  type NegatedFile,
  negationLimit,
  type NegationOrder,
  type NegationTrial,
  tryConfirmed,
} from './try-negated.ts';

export interface JudgedFile extends NegatedFile {
  /** Files changed by the work that judge these tests. */
  readonly judges: readonly string[];
}

export function changeExpectations({ files, context }: TestFiles, flipped: Flipped): JudgedFile[] {
  return forFlipped(files, flipped, (file, names) => {
    const changed = file.runner.changeExpectations?.(file, context, names);
    if (changed === undefined || changed.kind === 'none') return null;
    return { file, text: changed.text, tests: changed.tests, judges: changed.judges };
  });
}

/** A test that still passes counts against the work only if it fails with the helpers of the base. */
export function tryExpectations(bench: Bench, order: NegationOrder<JudgedFile>): Promise<NegationTrial> {
  return tryConfirmed(bench, { ...order, again: changeExpectations }, (left) =>
    failingByBase(bench, order, left),
  );
}

async function failingByBase(
  bench: Bench,
  { subject, on }: NegationOrder,
  judged: readonly JudgedFile[],
): Promise<ReadonlySet<string>> {
  const { trees, baseTree, workTree } = on;
  const judges = new Set(judged.flatMap((file) => file.judges));
  const asBefore = [...judges].map((path) => ({ path, asIn: baseTree }));
  const tree = await trees.replace(workTree, [...changesFor(judged), ...asBefore]);
  const trial = await bench.run(tree, negationLimit(subject));
  if (trial?.verdict !== 'fail') return new Set();
  const files = judged.map(({ file }) => file);
  const failed = [...reportsOf(trial.output, files).values()]
    .flatMap((report) => report.failed)
    .filter(({ cause }) => cause !== 'load');
  const tests = judged.flatMap((file) => file.tests);
  return new Set(tests.filter((test) => failed.some(({ name }) => isSameTest(name, test))));
}
