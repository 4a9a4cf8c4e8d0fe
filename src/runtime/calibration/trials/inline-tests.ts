// Tests inside of product code that came with the work. Where they can be separated from it, they are tried like other added tests.
import { isTest } from '#analysis/test-files/test-names.ts';
import type { Calibration } from '#kernel/model/calibration.ts';
import { openBench, type Subject, type Trial } from '#runtime/calibration/bench.ts';
import type { Changes, Span } from '#runtime/calibration/changed-material.ts';
import { tryTestModules } from './test-modules.ts';
import { reportsOf } from '#runtime/calibration/planting.ts';
import type { TestFile, TestFiles } from '#runtime/calibration/test-files.ts';

export interface InlineOn extends Span {
  readonly tests: TestFiles;
  readonly changes: Changes;
}

export interface InlineFlipOn extends InlineOn {
  /** The check on the untouched base; null where it did not run again. */
  readonly recheck: Trial | null;
  /** Files in which the check noticed a planted failure: it runs them. */
  readonly noticed: ReadonlySet<string>;
}

/** Where all tests that the check runs came with the work, and some of them inside of product code; null otherwise. */
export async function tryInlineFlip(subject: Subject, on: InlineFlipOn): Promise<Calibration | null> {
  const { tests, changes, recheck, noticed, trees, baseTree } = on;
  const reports = reportsOf(recheck?.output ?? '', tests.files);
  const isKnown = [...reports.values()].some(
    ({ failed, passed }) => (passed ?? 0) > 0 || failed.some(({ cause }) => cause !== 'load'),
  );
  if (isKnown) return null;
  const runners = new Set(tests.files.flatMap(({ path, runner }) => (noticed.has(path) ? [runner] : [])));
  const run = tests.files.filter(({ runner }) => runners.size === 0 || runners.has(runner));
  const old = await trees.read(
    baseTree,
    run.map(({ path }) => path),
  );
  const isNew = ({ path, runner }: TestFile): boolean => {
    const text = old.get(path);
    return text === undefined || !runner.isTestFile({ path, text }, tests.context);
  };
  const inline = run.every(isNew) ? inProduct(run, changes) : [];
  if (inline.length === 0) return null;
  const tried = await tryTestModules(subject, { ...on, onBase: null }, inline);
  return { ...(tried ?? notSeparated(subject, inline)), restsOnAddedFiles: true };
}

/** For a check that was green before: null where no product code has more tests than it had. */
export async function nameInlineTests(subject: Subject, on: InlineOn): Promise<Calibration | null> {
  const { tests, changes, trees, baseTree } = on;
  const files = inProduct(tests.files, changes);
  const old = await trees.read(
    baseTree,
    files.map(({ path }) => path),
  );
  const inline = files.filter(({ path, text }) => countTests(text) > countTests(old.get(path) ?? ''));
  if (inline.length === 0) return null;
  const tried = await tryTestModules(subject, { ...on, recheck: null, onBase: null }, inline);
  return tried ?? notSeparated(subject, inline);
}

/** A script is a test only because the check starts it; a test file that a person let the work rename is no product code. */
function inProduct(files: readonly TestFile[], { rest }: Changes): TestFile[] {
  const paths = new Set(rest.map(({ path }) => path));
  return files.filter(
    ({ path, runner }) => paths.has(path) && !isTest(path) && !runner.name.endsWith(' script'),
  );
}

function countTests(text: string): number {
  return text.match(/#\[(?:\w+::)?test\b|\b(?:it|test)(?:\.\w+)?\(/g)?.length ?? 0;
}

function notSeparated(subject: Subject, inline: readonly TestFile[]): Calibration {
  const files = inline.map(({ path }) => path);
  const reason = `${files[0] ?? ''} holds tests that came with the work inside of product code: they cannot be tried on the base.`;
  return openBench(subject, 'added-tests').conclude('none', reason, { files });
}
