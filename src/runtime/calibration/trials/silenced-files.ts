// Finds test files that the work silences, where the base does not load them or stops before them.
import { withComment } from '#analysis/calibration/harmless-comment.ts';
import { selectsByName } from '#analysis/calibration/selected-tests.ts';
import { stoppingText } from '#analysis/calibration/stopping-text.ts';
import { capital } from '#analysis/test-runners/style.ts';
import { runsTests } from '#analysis/calibration/test-commands.ts';
import type { RunnerContext, SourceText, TestReport } from '#analysis/test-runners/test-runner.ts';
import type { TreeChange } from '#ports/trees.ts';
import type { Bench, Trial } from '#runtime/calibration/bench.ts';
import type { Span } from '#runtime/calibration/changed-material.ts';
import {
  failedNames,
  nameAnywhere,
  type PlantedFile,
  randomId,
  reportsOf,
} from '#runtime/calibration/planting.ts';

export interface Unexplained {
  readonly missed: readonly PlantedFile[];
  /** Whether a planted failure was noticed in any file. */
  readonly isAnyNoticed: boolean;
  readonly context: RunnerContext;
  /** The check on the untouched base; null if it did not run again. */
  readonly recheck: Trial | null;
}

/** Each costs a run. */
const filesMax = 3;

/**
 * A test file that does nothing but fail turns red any check that runs it, whatever the work does to its
 * tests. If it does and a failing test does not, the work silences that file.
 */
export async function silencedFiles(
  bench: Bench,
  { trees, workTree }: Span,
  unexplained: Unexplained,
): Promise<string[]> {
  if (selectsByName(unexplained.context)) return [];
  const changes = mustBeNoticed(unexplained).flatMap((file): TreeChange[] => {
    const text = stoppingText(file) ?? (runsTests(unexplained.context) ? unparsable(file) : null);
    return text === null ? [] : [{ path: file.path, text }];
  });
  const silenced: string[] = [];
  for (const change of changes.slice(0, filesMax)) {
    const trial = await bench.run(await trees.replace(workTree, [change]));
    if (trial?.verdict === 'fail') silenced.push(change.path);
  }
  return silenced;
}

/** Linters read files that do not run: if other files are noticed, only files that surely run count. */
function mustBeNoticed({ missed, isAnyNoticed, context, recheck }: Unexplained): PlantedFile[] {
  if (!isAnyNoticed) return [...missed];
  const texts = [context.command, ...context.scripts, recheck?.output ?? ''];
  // A script is a test only because the check starts it.
  return missed.filter(
    ({ path, runner }) => runner.name.endsWith(' script') || texts.some((text) => text.includes(path)),
  );
}

/** Invalid in every language that we know; a shebang line stays. */
function unparsable({ text }: SourceText): string {
  const [first = ''] = text.split('\n', 1);
  const head = first.startsWith('#!') ? `${first}\n` : '';
  return `${head})(\n${text.slice(head.length)}`;
}

/** Test files that differ only by a comment, and with which the check fails. */
export interface ChangedByComment {
  readonly files: readonly string[];
  /** Whether the test runner itself reports the failure. */
  readonly isReported: boolean;
}

export interface UnnamedFiles {
  /** With a planted failure in them the check turns red, but does not name it. */
  readonly files: readonly PlantedFile[];
  /** The check's output on the untouched work. */
  readonly output: string;
  /** Failures that the base also shows beside a planted one. */
  readonly excused: ReadonlySet<string>;
}

/**
 * A comment changes no test: work that fails with one knows the bytes of its tests. Null if the comment
 * changes nothing, or if a linter or formatter in the same command may have rejected it.
 */
export async function failsWithComment(
  bench: Bench,
  { trees, workTree, baseTree }: Span,
  { files, output, excused }: UnnamedFiles,
): Promise<ChangedByComment | null> {
  const changes = files.flatMap((file): TreeChange[] => {
    const text = withComment(file, `${capital(randomId())}.`);
    return text === null ? [] : [{ path: file.path, text }];
  });
  const passedBefore = passedIn(output, files);
  if (changes.length === 0 || passedBefore === 0) return null;
  const changed = { files: changes.map(({ path }) => path) };
  const tree = await trees.replace(workTree, changes);
  const first = await bench.run(tree);
  if (first?.verdict !== 'fail') return null;
  // A test may be flaky, so one run does not decide.
  const again = await bench.run(tree);
  if (again?.verdict !== 'fail') return null;
  const failed = (trial: Trial): string[] => failedNames(reportsOf(trial.output, files)).map(nameAnywhere);
  const failedAgain = new Set(failed(again));
  if (failed(first).some((name) => failedAgain.has(name) && !excused.has(name)))
    return { ...changed, isReported: true };
  // A later step rejects the comment, not the work.
  if (passedIn(again.output, files) >= passedBefore) return null;
  // The tests no longer run. If they still run on the base, no earlier step rejects the comment.
  const onBase = await bench.run(await trees.replace(baseTree, changes));
  const hasReport = onBase !== null && [...reportsOf(onBase.output, files).values()].some(isReport);
  return hasReport ? { ...changed, isReported: false } : null;
}

function passedIn(output: string, files: readonly PlantedFile[]): number {
  return [...reportsOf(output, files).values()].reduce((sum, { passed }) => sum + (passed ?? 0), 0);
}

function isReport({ failed, passed }: TestReport): boolean {
  return failed.length > 0 || passed !== null;
}
