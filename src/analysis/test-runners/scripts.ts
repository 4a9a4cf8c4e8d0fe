// Tests without a runner: scripts that the command names. Pure.
import { pathsIn } from '#analysis/test-files/started-scripts.ts';
import { isTest } from '#analysis/test-files/test-names.ts';
import { isAmong } from '#analysis/texts/path-words.ts';
import { readReportBy } from './report-reader.ts';
import { noAssertion } from './test-runner.ts';
import type { Planted, RunnerContext, SourceText, TestRunner } from './test-runner.ts';

/** A planted failure prints this before the id; scripts that report in TAP are read as well. */
const readMarks = readReportBy({ failed: [/^not ok(?: \d+)? - (.+)$/], assertion: /^/ });

export function createScriptRunner(
  name: string,
  isTestFile: TestRunner['isTestFile'],
  plant: (file: SourceText, id: string) => Planted,
): TestRunner {
  const negate: TestRunner['negate'] = ({ path }) => noAssertion(path);
  return { name, isTestFile, plant: (file, _, id) => plant(file, id), readReport: readMarks, negate };
}

/** Whether a command, script or Makefile starts the program with this file, or with a matching pattern. */
export function isStarted(path: string, program: string, context: RunnerContext): boolean {
  const starts = new RegExp(String.raw`(?:^|[\s;&|@"'(/])${program}(?:\s+-\S+)*\s+(\S+)`, 'gm');
  const files = startingTexts(context).flatMap((text) =>
    [...text.matchAll(starts)].map(([, file = '']) => file),
  );
  if (isAmong(files.flatMap(pathsIn), path)) return true;
  return files.some((file) => /^["']?\$/.test(file)) && isTest(path) && isMatched(path, context);
}

/** `for t in tests/*.sh`. */
export function isMatched(path: string, context: RunnerContext): boolean {
  const patterns = startingTexts(context)
    .flatMap(pathsIn)
    .filter((word) => /\*/.test(word) && /\w/.test(word));
  return patterns.some((word) => {
    const pattern = word.replace(/[$.+?^(){}|[\]\\]/g, String.raw`\$&`).replace(/\*+/g, '[^/]*');
    return new RegExp(`(?:^|/)${pattern}$`).test(path);
  });
}

export function startingTexts({ command, scripts, settings }: RunnerContext): readonly string[] {
  const makefiles = settings.filter((file) => /(?:^|\/)(?:GNU)?[Mm]akefile$/.test(file.path));
  return [command, ...scripts, ...makefiles.map(({ text }) => text)];
}
