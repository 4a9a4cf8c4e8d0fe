// Tests that came with the work: they must fail on the base, by an assertion, and not because of a marker file.
import { describeCheck } from '#kernel/check.ts';
import type { Calibration } from '#kernel/model/calibration.ts';
import { isCode, names, namesStem } from '#analysis/tampering/test-material.ts';
import { withLocks } from './attribution.ts';
import { openBench, type Subject, type Trial } from './bench.ts';
import { tryBroken, type WithBroken } from './broken-work.ts';
import { type Change, type Changes, goalOf, type Span, taking } from './changed-material.ts';
import { tooSlow } from './limits.ts';
import { reportsOf } from './planting.ts';
import type { TestFile, TestFiles } from './test-files.ts';

export interface AddedOn extends Span {
  readonly tests: TestFiles;
  readonly changes: Changes;
  readonly recheck: Trial | null;
  /** The check on the base with the work's test material, where that ran already. */
  readonly onBase: Trial | null;
}

export async function tryAddedTests(subject: Subject, on: AddedOn): Promise<Calibration> {
  const bench = openBench(subject, 'added-tests');
  const { trees, baseTree, workTree, changes } = on;
  const check = `\`${describeCheck(subject.criterion.check)}\``;
  const paths = new Set(changes.material.map(({ path }) => path));
  const added = on.tests.files.filter(({ path }) => paths.has(path));
  const files = added.map(({ path }) => path);
  if (added.length === 0) return bench.conclude('none', 'The work brought no tests of a known test runner.');
  const slow = tooSlow(describeCheck(subject.criterion.check), subject.now.durationMs);
  if (slow !== null) return bench.conclude('none', slow);
  const material = taking(withLocks(changes.material, changes.rest), workTree);
  const trial = on.onBase ?? (await bench.run(await trees.replace(baseTree, material)));
  if (trial === null)
    return bench.conclude('none', 'The base with the added tests could not be checked out.');
  if (trial.verdict === 'pass')
    return bench.conclude('none', `${check} passes on the base with the added tests: they prove nothing.`, {
      files,
    });
  const { data, asked } = dataOf(subject, changes.rest);
  const withData =
    data.length === 0
      ? trial
      : await bench.run(await trees.replace(baseTree, [...material, ...taking(data, workTree)]));
  if (withData?.verdict === 'pass') {
    const reason = `The added tests pass on the base with ${data[0]?.path ?? ''} alone: no code of the work is tested.`;
    // Data that a test names is a marker; other data is read by the product.
    if (!data.some(({ path }) => added.some(({ text }) => names(text, path))))
      return bench.conclude('none', reason, { files });
    const asks = changes.rest.some(({ path }) => isCode(path)) ? {} : ({ asks: 'person' } as const);
    return bench.conclude('refused', reason, { files, ...asks });
  }
  const isLoaded = failsByAssertion(trial, on.recheck, added);
  const withBroken = await tryBroken(bench, subject, {
    ...on,
    tests: { ...on.tests, files: added },
    asked,
  });
  const doubt = isLoaded ? loadedDoubts[withBroken] : unloadedDoubts[withBroken];
  if (doubt !== undefined)
    return bench.conclude('none', `Added tests ${doubt}: they prove nothing.`, { files });
  const reason = isLoaded
    ? 'Added tests fail on the base and pass now.'
    : 'Added tests do not load on the base, pass now, and fail with the code of the work broken.';
  return bench.conclude('passed', reason, { files });
}

/** Tests that fail on the base by an assertion count, unless they are shown to look at no code of the work. */
const loadedDoubts: { readonly [found in WithBroken]?: string } = {
  pass: 'pass with the code of the work broken',
  nothing: 'fail on the base, and the work has no code that they could test',
};

const unloadedDoubts: { readonly [found in WithBroken]?: string } = {
  pass: 'do not load on the base, and pass with the code of the work broken',
  crash: 'do not load on the base, and have no known assertion',
  'pass negated': 'do not load on the base, and pass when negated',
  unloaded: 'load neither on the base nor with the code of the work broken',
  nothing: 'do not load on the base, and no code of the work could be broken',
};

interface Data {
  readonly data: readonly Change[];
  /** Data and documents that the goal asks for: they are work. */
  readonly asked: readonly Change[];
}

/** Manifests only say what can be loaded. */
function dataOf(subject: Subject, rest: readonly Change[]): Data {
  const goal = goalOf(subject);
  const manifest =
    /(^|\/)(\w+[.-]lock(b|\.json|\.ya?ml)?|npm-shrinkwrap\.json|package\.json|go\.(mod|sum)|Cargo\.toml|pyproject\.toml|setup\.(cfg|py)|requirements[^/]*\.txt)$/i;
  const isAskedFor = ({ path }: Change): boolean =>
    names(goal, path) || (/\.(html?|s?css)$/.test(path) && namesStem(goal, path));
  const all = rest.filter(
    ({ path, status }) => status !== 'deleted' && !isCode(path) && !manifest.test(path),
  );
  return { data: all.filter((one) => !isAskedFor(one)), asked: all.filter(isAskedFor) };
}

/** By tests that did not fail before: the base may be red for another reason. */
function failsByAssertion(trial: Trial, recheck: Trial | null, added: readonly TestFile[]): boolean {
  const before = reportsOf(recheck?.output ?? '', added);
  return [...reportsOf(trial.output, added)].some(([runner, { failed }]) => {
    const known = new Set((before.get(runner)?.failed ?? []).map(({ name }) => name));
    return failed.some(({ name, cause }) => cause === 'assertion' && !known.has(name));
  });
}
