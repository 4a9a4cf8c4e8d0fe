// Finds the test files that a check may run, with the runner of each.
import { describeCheck } from '#kernel/model/check.ts';
import { isCode } from '#analysis/tampering/test-material.ts';
import { isTest } from '#analysis/test-files/test-names.ts';
import { runnerOf } from '#analysis/test-runners/test-runners.ts';
import type { RunnerContext, SourceText, TestRunner } from '#analysis/test-runners/test-runner.ts';
import type { Trees } from '#ports/trees.ts';
import type { Subject, Trial } from './bench.ts';
import type { Changes, Span } from './changed-material.ts';
import { readRecipes } from './recipes.ts';

export interface TestFile extends SourceText {
  readonly runner: TestRunner;
}

export interface TestFiles {
  readonly files: readonly TestFile[];
  readonly context: RunnerContext;
}

export interface TrialInput extends Span {
  readonly changes: Changes;
  readonly tests: TestFiles;
  /** The check on the untouched base; null if it did not run again. */
  readonly recheck: Trial | null;
}

export interface NoticedInput extends TrialInput {
  /** Files in which the check noticed a planted failure, so it runs them. */
  readonly noticed: ReadonlySet<string>;
}

/** Hints about which files a check runs, from its run on the base. */
export interface KnownReads {
  readonly output: string;
  readonly reads: readonly string[] | null;
  /** Missing on the base, so no check could have read them there. */
  readonly added: readonly string[];
  /** On both trees, with different bytes. */
  readonly changed: readonly string[];
}

/** Reading and planting cost time per file; a larger check is judged by its first files. */
const filesMax = 400;
export const vendored = /(^|\/)(node_modules|vendor|third_party|dist|build|target|\.[^/]+)\//;

export async function testFilesOf(
  subject: Subject,
  { trees, tree }: { readonly trees: Trees; readonly tree: string },
  known: KnownReads,
): Promise<TestFiles> {
  const all = [...(await trees.list(tree)).keys()].filter((path) => mayBeTest(path) && !vendored.test(path));
  const texts = await trees.read(tree, candidates(all, known));
  const context = {
    command: describeCheck(subject.criterion.check),
    output: known.output,
    changed: known.changed,
    changedTexts: known.changed.flatMap((path): SourceText[] => {
      const text = texts.get(path);
      return text === undefined ? [] : [{ path, text }];
    }),
    ...(await readRecipes(subject, trees, tree)),
  };
  const files = [...texts].flatMap(([path, text]): TestFile[] => {
    const runner = runnerOf({ path, text }, context);
    return runner === null ? [] : [{ path, text, runner }];
  });
  return { files, context };
}

export function textsIn(
  { trees }: Pick<Span, 'trees'>,
  tree: string,
  files: readonly { readonly path: string }[],
): Promise<ReadonlyMap<string, string>> {
  return trees.read(
    tree,
    files.map(({ path }) => path),
  );
}

/** Scripts often have no suffix. */
function mayBeTest(path: string): boolean {
  return isCode(path) || (isTest(path) && !/\.[^/]*$/.test(path));
}

/** Files named as tests come first; any other may hold tests too. */
function candidates(all: readonly string[], { reads, added }: KnownReads): string[] {
  const isRead = reads === null ? () => true : (path: string) => reads.includes(path) || added.includes(path);
  const read = all.filter(isRead);
  return [...read.filter((path) => isTest(path)), ...read.filter((path) => !isTest(path))].slice(0, filesMax);
}
