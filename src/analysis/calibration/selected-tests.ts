// Decides whether a check selects single tests by name. Pure.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { linesOf } from '#analysis/test-runners/reports.ts';
import type { RunnerContext } from '#analysis/test-runners/test-runner.ts';

const selecting = factsOf('tests').flatMap((each) => each.selecting ?? []);
const programs = selecting.flatMap((each) => each.programs ?? []).join('|');
const started = selecting.flatMap((each) => each.started?.split(' ') ?? []).join('|');
const patterns = [
  /--filter\b/,
  new RegExp(String.raw`\b(?:${programs})\b[^\n;&|]*?\s-(?:(?:t|k|g|f|n|R|run)[ =]|m[ =](?!${started}))`),
  ...selecting.flatMap((each) => each.others ?? []),
];

/** If true, a planted test may simply not be selected. */
export function selectsByName({ command, scripts }: RunnerContext): boolean {
  return [command, ...scripts].some(
    (text) =>
      patterns.some((pattern) => pattern.test(text)) ||
      selecting.some(({ selects }) => selects?.(text) === true),
  );
}

const leftOutWords = selecting.flatMap((each) => each.leftOut ?? []).join('|');

/** Tests that a runner reports as deselected; "skipped" does not count: a failure may have caused it. */
export function leftOut(output: string): number {
  const counts = linesOf(output).flatMap((line) => [
    ...line.matchAll(new RegExp(String.raw`\b(\d+) (?:${leftOutWords})\b`, 'g')),
  ]);
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
