// The calibration steps of one check, in order; the first refusal ends it.
import { reviewersOf } from '#kernel/proof/proof.ts';
import { commandOf } from '#kernel/model/check.ts';
import type { Evidence } from '#kernel/model/criterion.ts';
import type { Calibration } from '#kernel/model/calibration.ts';
import type { Trees } from '#ports/trees.ts';
import { tryAddedTests } from '#runtime/calibration/trials/added-tests.ts';
import { attribute } from './attribution.ts';
import { recheckBase } from './base-recheck.ts';
import type { Subject, Trial } from './bench.ts';
import { type Change, type Changes, changesOf, ownChanges, type Span } from './changed-material.ts';
import { nameInlineTests, tryInlineFlip } from '#runtime/calibration/trials/inline-tests.ts';
import { negateFlipped } from '#runtime/calibration/trials/negation.ts';
import { plantFailures } from '#runtime/calibration/trials/planted-failure.ts';
import { type TestFiles, testFilesOf } from './test-files.ts';
import { taskOf } from '#kernel/fold/run.ts';

export function isFlipped({ base }: Subject): boolean {
  return base !== null && base.verdict !== 'pass' && base.flaky === undefined;
}

/** `mayRestOnAdded`: no check of the task flipped, so only tests added by the work could prove it. */
export async function calibrateCheck(
  subject: Subject,
  trees: Trees,
  mayRestOnAdded: boolean,
): Promise<readonly Calibration[]> {
  const { base, now } = subject;
  const span = { trees, baseTree: base?.tree ?? now.tree, workTree: now.tree };
  if (base !== null && isFlipped(subject)) return calibrateFlip(subject, base, span);
  return runsItself(subject) ? calibrateGreen(subject, span, mayRestOnAdded) : [];
}

async function calibrateFlip(subject: Subject, base: Evidence, span: Span): Promise<readonly Calibration[]> {
  const { calibration: recheck, trial } = await recheckBase(subject, base);
  const found: Calibration[] = [recheck];
  if (recheck.verdict === 'refused') return found;
  const changes = await changesOf(subject, span, trial?.reads ?? null);
  const known = { ...span, changes, recheck: trial };
  const tests = runsItself(subject) ? await testsOf(subject, known) : null;
  const attribution = await attribute(subject, base, { ...known, tests });
  if (attribution !== null) found.push(attribution.calibration);
  if (tests === null || attribution?.calibration.verdict === 'refused') return found;
  const on = { ...known, tests, onBase: attribution?.onBase ?? null };
  const restsOnAdded = attribution?.calibration.restsOnAddedFiles === true;
  if (restsOnAdded)
    found.push(await tryAddedTests(subject, { ...on, changes: await ownChanges(subject, span, changes) }));
  if (found.at(-1)?.verdict === 'refused') return found;
  const planted = await plantFailures(subject, { ...on, noticedOnBase: [] });
  found.push(planted.calibration);
  if (planted.calibration.verdict === 'refused' || restsOnAdded) return found;
  const inline = await tryInlineFlip(subject, { ...on, noticed: planted.noticed });
  found.push(inline ?? (await negateFlipped(subject, { ...on, noticed: planted.noticed })));
  return found;
}

/** For a check green before and after: can it fail, and do tests that came with the work prove anything? */
async function calibrateGreen(
  subject: Subject,
  span: Span,
  mayRestOnAdded: boolean,
): Promise<readonly Calibration[]> {
  const changes = await changesOf(subject, span, null);
  const before = subject.base?.calibration?.find(({ kind }) => kind === 'planted-failure');
  const tests = await testsOf(subject, { ...span, changes, recheck: null });
  const on = { ...span, changes, tests: narrowed(tests, changes, before), recheck: null, onBase: null };
  const found: Calibration[] = [];
  if (mayRestOnAdded && isReviewed(subject)) {
    const own = await ownChanges(subject, span, changes);
    if (own.material.length > 0) found.push(await tryAddedTests(subject, { ...on, changes: own }));
    const isOpen = found.every(({ verdict }) => verdict === 'none');
    const inline = isOpen ? await nameInlineTests(subject, { ...on, tests, changes: own }) : null;
    if (inline !== null && (found.length === 0 || inline.verdict === 'passed')) found.push(inline);
  }
  if (found.at(-1)?.verdict === 'refused') return found;
  if (before?.verdict === 'refused')
    return [...found, { ...before, verdict: 'none', runs: 0, durationMs: 0 }];
  const noticedOnBase = before?.files ?? [];
  found.push((await plantFailures(subject, { ...on, noticedOnBase })).calibration);
  return found;
}

interface Known extends Span {
  readonly changes: Changes;
  readonly recheck: Trial | null;
}

function testsOf(subject: Subject, { trees, workTree, changes, recheck }: Known): Promise<TestFiles> {
  const all = [...changes.material, ...changes.accepted, ...changes.rest];
  const pathsOf = (wanted: Change['status']): string[] =>
    all.filter(({ status }) => status === wanted).map(({ path }) => path);
  const known = {
    output: recheck?.output ?? subject.base?.tail ?? '',
    reads: recheck?.reads ?? null,
    added: pathsOf('added'),
    changed: pathsOf('changed'),
  };
  return testFilesOf(subject, { trees, tree: workTree }, known);
}

/** If the base was calibrated, only files that its check ran, and new ones. */
function narrowed(tests: TestFiles, changes: Changes, before: Calibration | undefined): TestFiles {
  if (before?.verdict !== 'passed' || before.files === undefined || before.files.length >= listedMax)
    return tests;
  const added = new Set(changes.material.filter(({ status }) => status === 'added').map(({ path }) => path));
  const run = new Set(before.files);
  return { ...tests, files: tests.files.filter(({ path }) => run.has(path) || added.has(path)) };
}

/** A list of this length was cut. */
const listedMax = 50;

/** HTTP, browser and held-out checks have no test files of the repository. */
function runsItself({ criterion: { check } }: Subject): boolean {
  return commandOf(check) !== null && check.kind !== 'http' && check.kind !== 'browser';
}

/** Without a reviewer, added tests prove nothing. */
function isReviewed({ context, taskId }: Subject): boolean {
  return reviewersOf(taskOf(context.run, taskId)).length > 0;
}
