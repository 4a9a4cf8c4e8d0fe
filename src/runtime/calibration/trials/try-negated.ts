// Runs a check with negated tests, and reads which of them failed.
import { notFailed } from '#analysis/test-runners/reports.ts';
import type { TreeChange } from '#ports/trees.ts';
import type { Bench, Subject, Trial } from '#runtime/calibration/bench.ts';
import type { Span } from '#runtime/calibration/changed-material.ts';
import { reportsOf } from '#runtime/calibration/planting.ts';
import type { TestFile, TestFiles } from '#runtime/calibration/test-files.ts';

/** A negated condition may loop for ever, so the run has a time limit. */
const negationMsMin = 60_000;
const slower = 4;

export function negationLimit({ now }: Subject): number {
  return Math.max(negationMsMin, slower * now.durationMs);
}

export interface NegatedFile {
  readonly file: TestFile;
  readonly text: string;
  /** Tests that must fail. */
  readonly tests: readonly string[];
}

/** Names of the tests that failed on the base, per file; null means all tests of the file. */
export type Flipped = (file: TestFile) => readonly string[] | null;

export function negate({ files, context }: TestFiles, flipped: Flipped): NegatedFile[] {
  return forFlipped(files, flipped, (file, names) => {
    const negated = file.runner.negate(file, context, names);
    return negated.kind === 'none' ? null : { file, text: negated.text, tests: negated.tests };
  });
}

/** Calls `make` for each file with flipped tests; skips files for which it returns null. */
export function forFlipped<Made>(
  files: readonly TestFile[],
  flipped: Flipped,
  make: (file: TestFile, names: readonly string[] | null) => Made | null,
): Made[] {
  return files.flatMap((file): Made[] => {
    const names = flipped(file);
    const made = names?.length === 0 ? null : make(file, names);
    return made === null ? [] : [made];
  });
}

export function testsAmong(negated: readonly NegatedFile[], isTest: (test: string) => boolean): Flipped {
  return ({ path }) => (negated.find(({ file }) => file.path === path)?.tests ?? []).filter(isTest);
}

export interface NegationTrial {
  /** Negated tests that are reported as failed, and those that still pass; any other is unknown. */
  readonly failed: readonly string[];
  readonly passing: readonly string[];
}

export interface NegationOrder<File extends NegatedFile = NegatedFile> {
  readonly subject: Subject;
  readonly on: Span & { readonly tests: TestFiles };
  readonly negated: readonly File[];
  /** How to negate the rest if the check stops at its first failure. */
  readonly again?: (tests: TestFiles, flipped: Flipped) => File[];
}

export const nothing: NegationTrial = { failed: [], passing: [] };

export async function tryNegated(
  bench: Bench,
  { subject, on, negated, again = negate }: NegationOrder,
): Promise<NegationTrial> {
  if (negated.length === 0) return nothing;
  const limitMs = negationLimit(subject);
  const attempt = async (files: readonly NegatedFile[]): Promise<NegationTrial> => {
    const trial = await bench.run(await on.trees.replace(on.workTree, changesFor(files)), limitMs);
    if (trial === null || trial.verdict === 'unknown') return nothing;
    const all = files.flatMap(({ tests }) => tests);
    return trial.verdict === 'pass'
      ? { failed: [], passing: all }
      : { failed: failedIn(trial, files), passing: [] };
  };
  const first = await attempt(negated);
  const known = new Set([...first.failed, ...first.passing]);
  const missing = new Set(negated.flatMap(({ tests }) => tests).filter((test) => !known.has(test)));
  if (missing.size === 0 || first.failed.length === 0) return first;
  // The check may stop at its first failure: try the rest without the tests that failed.
  const rest = again(
    on.tests,
    testsAmong(negated, (test) => missing.has(test)),
  );
  const second = await attempt(rest);
  return { failed: [...first.failed, ...second.failed], passing: second.passing };
}

/** A negated test that passes counts against the work only if a run with files of the base confirms it. */
export async function tryConfirmed<File extends NegatedFile>(
  bench: Bench,
  order: Required<NegationOrder<File>>,
  confirm: (left: readonly File[]) => Promise<ReadonlySet<string>>,
): Promise<NegationTrial> {
  const { failed, passing } = await tryNegated(bench, order);
  if (passing.length === 0) return { failed, passing };
  const left = order.again(
    order.on.tests,
    testsAmong(order.negated, (test) => passing.includes(test)),
  );
  const confirmed = await confirm(left);
  return { failed, passing: passing.filter((test) => confirmed.has(test)) };
}

export function changesFor(negated: readonly NegatedFile[]): TreeChange[] {
  return negated.map(({ file, text }) => ({ path: file.path, text }));
}

function failedIn({ output }: Trial, negated: readonly NegatedFile[]): string[] {
  const reports = reportsOf(
    output,
    negated.map(({ file }) => file),
  );
  return negated.flatMap(({ file, tests }) => {
    const missing = new Set(notFailed(reports.get(file.runner.name) ?? { failed: [], passed: null }, tests));
    return tests.filter((test) => !missing.has(test));
  });
}
