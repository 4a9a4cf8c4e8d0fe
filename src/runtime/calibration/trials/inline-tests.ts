// Tests inside of product code that came with the work. Where they can be separated from it, they are tried like other added tests.
import { isTest } from '#analysis/test-files/test-names.ts';
import type { Calibration } from '#kernel/model/calibration.ts';
import { openBench, type Subject } from '#runtime/calibration/bench.ts';
import type { Changes } from '#runtime/calibration/changed-material.ts';
import { tryTestModules } from './test-modules.ts';
import { reportsOf } from '#runtime/calibration/planting.ts';
import {
  type NoticedInput,
  type TestFile,
  textsIn,
  type TrialInput,
} from '#runtime/calibration/test-files.ts';

/** Where all tests that the check runs came with the work, and some of them inside of product code; null otherwise. */
export async function tryInlineFlip(subject: Subject, on: NoticedInput): Promise<Calibration | null> {
  const { tests, changes, recheck, noticed } = on;
  const reports = reportsOf(recheck?.output ?? '', tests.files);
  const isKnown = [...reports.values()].some(
    ({ failed, passed }) => (passed ?? 0) > 0 || failed.some(({ cause }) => cause !== 'load'),
  );
  if (isKnown) return null;
  const runners = new Set(tests.files.flatMap(({ path, runner }) => (noticed.has(path) ? [runner] : [])));
  const run = tests.files.filter(({ runner }) => runners.size === 0 || runners.has(runner));
  const old = await textsIn(on, on.baseTree, run);
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
export async function nameInlineTests(subject: Subject, on: TrialInput): Promise<Calibration | null> {
  const files = inProduct(on.tests.files, on.changes);
  const old = await textsIn(on, on.baseTree, files);
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
