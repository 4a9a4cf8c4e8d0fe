// Test files in which a failing test goes unnoticed on the work, and the base cannot say why: it does not load them, or stops before.
import { linesOf } from '#analysis/test-runners/reports.ts';
import { stoppingText } from '#analysis/test-runners/stopping-text.ts';
import type { RunnerContext, SourceText } from '#analysis/test-runners/test-runner.ts';
import type { TreeChange } from '#ports/workspace.ts';
import type { Bench, Trial } from './bench.ts';
import type { Span } from './changed-material.ts';
import type { PlantedFile } from './planting.ts';

export interface Unexplained {
  readonly missed: readonly PlantedFile[];
  /** Whether a planted failure was noticed in any file. */
  readonly isAnyNoticed: boolean;
  readonly context: RunnerContext;
  /** The check on the untouched base; null where it did not run again. */
  readonly recheck: Trial | null;
}

/** Each costs a run. */
const filesMax = 3;

/**
 * A test file that only fails turns a check red that runs it, whatever the work does to its tests. If it does and a failing test
 * does not, the work silences that file.
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

/** A linter reads files that the check does not run: where other files are noticed, only those that the check surely runs count. */
function mustBeNoticed({ missed, isAnyNoticed, context, recheck }: Unexplained): PlantedFile[] {
  if (!isAnyNoticed) return [...missed];
  const texts = [context.command, ...context.scripts, recheck?.output ?? ''];
  // A script is a test only because the check starts it.
  return missed.filter(
    ({ path, runner }) => runner.name.endsWith(' script') || texts.some((text) => text.includes(path)),
  );
}

/** Then a planted test may simply not be selected. */
export function selectsByName({ command, scripts }: RunnerContext): boolean {
  const long =
    /--test-name-pattern|--testNamePattern|--grep\b|--fgrep\b|--filter\b|\.py::|\.py +(?:-\S+ +)*[A-Z]\w|\.[cm]?[jt]sx?:\d|\bunittest +\S*\.[A-Z]/;
  const short =
    /\b(?:node|np[mx]|pnpm|yarn|bun|vitest|jest|mocha|ava|tap|py\.?test|python[\d.]*|go|rspec|phpunit|bats|ctest)\b[^\n;&|]*?\s-(?:(?:t|k|g|f|n|R|run)[ =]|m[ =](?!unittest|pytest))/;
  return [command, ...scripts].some((text) => long.test(text) || short.test(text) || filtersCargo(text));
}

/** Words of `cargo test` that are neither options nor their values; where make fills them in, the base tells. */
function filtersCargo(text: string): boolean {
  const calls = text.matchAll(/\bcargo\s+(?:\+\S+\s+)?(?:test|t|nextest\s+run)(?=\s)([^\n;&|<>]*)/g);
  const withValue =
    /(?:^|\s)(?:-[pFjZ]|--(?:package|exclude|test|bin|example|bench|features|jobs|profile|target|target-dir|manifest-path|color|message-format|config|test-threads|format))[ =]\s*\S+/g;
  return [...calls].some(([, words = '']) =>
    words
      .replace(withValue, ' ')
      .split(/\s+/)
      .some((word) => /^["']?\w/.test(word)),
  );
}

/** Tests that cargo or pytest says it left out by name; tests called skipped may come after the failure that stopped it. */
export function leftOut(output: string): number {
  const counts = linesOf(output).flatMap((line) => [
    ...line.matchAll(/\b(\d+) (?:filtered out|deselected)\b/g),
  ]);
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Only then is a compiler's error a sign that tests run. */
function runsTests({ command, scripts }: RunnerContext): boolean {
  const tools = /\b(?:go|cargo|mvnw?|gradlew?|phpunit|rspec|rake|ruby)\b[^\n;&|]*(?:test|verify|spec)/;
  return [command, ...scripts].some((text) => tools.test(text));
}

/** Valid in no language that we know; a first line that names the interpreter stays. */
function unparsable({ text }: SourceText): string {
  const [first = ''] = text.split('\n', 1);
  const head = first.startsWith('#!') ? `${first}\n` : '';
  return `${head})(\n${text.slice(head.length)}`;
}
