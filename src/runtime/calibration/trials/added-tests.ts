// Tests that came with the work must fail on the base, by an assertion, and not because of a marker file.
import { describeCheck } from '#kernel/model/check.ts';
import type { Calibration } from '#kernel/model/calibration.ts';
import { isCode } from '#analysis/tampering/test-material.ts';
import type { TreeChange } from '#ports/trees.ts';
import { withLocks } from '#runtime/calibration/attribution.ts';
import { openBench, type Subject, type Trial } from '#runtime/calibration/bench.ts';
import { type AddedTests, tryBroken, type WithBroken } from './broken-work.ts';
import { taking } from '#runtime/calibration/changed-material.ts';
import { type InertFiles, inertFiles } from './inert-files.ts';
import { tooSlow } from '#runtime/calibration/limits.ts';
import { failedNames, reportsOf } from '#runtime/calibration/planting.ts';
import type { TrialInput } from '#runtime/calibration/test-files.ts';

export interface AddedOn extends TrialInput {
  /** The check on the base with the work's test material, if that ran already. */
  readonly onBase: Trial | null;
}

/** Whether tests that pass now prove anything: the work's test files, or tests separated from its code. */
export async function tryAddedTests(
  subject: Subject,
  on: AddedOn,
  separated?: AddedTests,
): Promise<Calibration> {
  const bench = openBench(subject, 'added-tests');
  const { trees, baseTree, workTree, changes } = on;
  const added = separated ?? (await addedFiles(on));
  if (added.files.length === 0)
    return bench.conclude('none', 'The work brought no tests of a known test runner.');
  const slow = tooSlow(describeCheck(subject.criterion.check), subject.now.durationMs);
  if (slow !== null) return bench.conclude('none', slow);
  const check = `\`${describeCheck(subject.criterion.check)}\``;
  const files = added.files.map(({ path }) => path);
  const onBase = async (more: readonly TreeChange[]): Promise<Trial | null> =>
    bench.run(await trees.replace(baseTree, [...added.toBase, ...more]));
  const trial = on.onBase ?? (await onBase([]));
  if (trial === null)
    return bench.conclude('none', 'The base with the added tests could not be checked out.');
  if (trial.verdict === 'pass')
    return bench.conclude('none', `${check} passes on the base with the added tests: they prove nothing.`, {
      files,
    });
  const inert = await inertFiles(subject, { ...on, tests: added.texts });
  const withData = inert.files.length === 0 ? trial : await onBase(taking(inert.files, workTree));
  if (withData?.verdict === 'pass') {
    const asks = changes.rest.some(({ path }) => isCode(path)) ? {} : ({ asks: 'person' } as const);
    return inert.marker === null
      ? bench.conclude('none', inertReason(inert), { files })
      : bench.conclude('refused', inertReason(inert), { files, ...asks });
  }
  const isLoaded = failsByAssertion(trial, on.recheck, added);
  const withBroken = await tryBroken(bench, subject, { ...on, added, inert });
  const isUnnamed = failedNames(reportsOf(trial.output, added.files)).length === 0;
  if (withBroken === 'unnamed' && isUnnamed) {
    const reason = `${check} does not print which tests failed: added tests cannot be proof.`;
    return bench.conclude('none', reason, { files });
  }
  const doubt = isLoaded ? loadedDoubts[withBroken] : unloadedDoubts[withBroken];
  if (doubt !== undefined)
    return bench.conclude('none', `Added tests ${doubt}: they prove nothing.`, { files });
  const reason = isLoaded
    ? 'Added tests fail on the base and pass now.'
    : 'Added tests do not load on the base, pass now, and fail with the code of the work broken.';
  return bench.conclude('passed', reason, { files });
}

async function addedFiles({ trees, workTree, tests, changes }: AddedOn): Promise<AddedTests> {
  const paths = new Set(changes.material.map(({ path }) => path));
  // Helpers of the tests also show what is read.
  const texts = await trees.read(workTree, [...paths].filter(isCode));
  return {
    files: tests.files.filter(({ path }) => paths.has(path)),
    texts: [...texts].map(([path, text]) => ({ path, text })),
    toBase: taking(withLocks(changes.material, changes.rest), workTree),
  };
}

function inertReason({ files, constants, marker }: InertFiles): string {
  const first = marker ?? files[0];
  const isConstant = first !== undefined && constants.includes(first);
  const which = isConstant ? ', which holds nothing but constants and is used by no product file' : '';
  return `The added tests pass on the base with ${first?.path ?? ''} alone${which}: no code of the work is tested.`;
}

/** Tests that fail on the base by an assertion count, unless they are shown to test no code of the work. */
const loadedDoubts: { readonly [found in WithBroken]?: string } = {
  pass: 'pass with the code of the work broken',
  nothing: 'fail on the base, and the work has no code that they could test',
};

const unloaded = 'load neither on the base nor with the code of the work broken';
const unloadedDoubts: { readonly [found in WithBroken]?: string } = {
  pass: 'do not load on the base, and pass with the code of the work broken',
  crash: 'do not load on the base, and have no known assertion',
  'pass negated': 'do not load on the base, and pass when negated',
  unloaded,
  unnamed: unloaded,
  nothing: 'do not load on the base, and no code of the work could be broken',
};

/** Only tests that did not fail before count: the base may be red for another reason. */
function failsByAssertion(trial: Trial, recheck: Trial | null, added: AddedTests): boolean {
  const isAdded = added.names?.reported ?? (() => true);
  const before = reportsOf(recheck?.output ?? '', added.files);
  return [...reportsOf(trial.output, added.files)].some(([runner, { failed }]) => {
    const known = new Set((before.get(runner)?.failed ?? []).map(({ name }) => name));
    return failed.some(({ name, cause }) => cause === 'assertion' && !known.has(name) && isAdded(name));
  });
}
