// Tests that came with the work inside product files. If separable, they are tried like other added tests.
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

/** Null unless all tests that the check runs came with the work, some of them inside product code. */
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

/** For a check that was green before; null if no product file gained tests. */
export async function nameInlineTests(subject: Subject, on: TrialInput): Promise<Calibration | null> {
  const files = inProduct(on.tests.files, on.changes);
  const old = await textsIn(on, on.baseTree, files);
  const inline = files.filter(({ path, text }) => countTests(text) > countTests(old.get(path) ?? ''));
  if (inline.length === 0) return null;
  const tried = await tryTestModules(subject, { ...on, recheck: null, onBase: null }, inline);
  return tried ?? notSeparated(subject, inline);
}

/** A script is a test only because the check starts it; a test file renamed with permission is no product. */
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
