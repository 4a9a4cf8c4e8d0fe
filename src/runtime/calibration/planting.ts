// Plants failing tests into files, and reads whether a check reported them.
import { randomInt } from 'node:crypto';
import { isNamed } from '#analysis/test-runners/reports.ts';
import type { PlantedFailure, RunnerContext, TestReport } from '#analysis/test-runners/test-runner.ts';
import type { TreeChange } from '#ports/trees.ts';
import type { Trial } from './bench.ts';
import type { TestFile } from './test-files.ts';

export interface PlantedFile extends TestFile {
  readonly plantedText: string;
  readonly failures: readonly PlantedFailure[];
}

/** Skips files without a safe place for a test. */
export function plantIn(files: readonly TestFile[], context: RunnerContext): PlantedFile[] {
  return files.flatMap((file): PlantedFile[] => {
    const planted = file.runner.plant(file, context, randomId());
    if (planted.kind === 'none') return [];
    return [{ ...file, plantedText: planted.text, failures: planted.failures }];
  });
}

export function plantedChanges(planted: readonly PlantedFile[]): TreeChange[] {
  return planted.map(({ path, plantedText: text }) => ({ path, text }));
}

export interface PlantedReport {
  /** By path, the reported planted failures, as indexes into the file's list. */
  readonly named: ReadonlyMap<string, readonly number[]>;
  /** Failed tests that were not planted. */
  readonly others: readonly string[];
}

export function readPlanted({ output }: Trial, planted: readonly PlantedFile[]): PlantedReport {
  const reports = reportsOf(output, planted);
  const named = new Map<string, readonly number[]>();
  for (const { path, runner, failures } of planted) {
    const report = reports.get(runner.name) ?? { failed: [], passed: null };
    const places = failures.flatMap((failure, place) => (isNamed(report, output, failure) ? [place] : []));
    named.set(path, places);
  }
  const isPlanted = (name: string): boolean =>
    planted.some(({ failures }) => failures.some(({ test }) => name.includes(test)));
  // Some runners also report the file of a failed test as failed.
  const isFile = (name: string): boolean =>
    planted.some(({ path }) => name === path || name.endsWith(`/${path}`));
  const others = failedNames(reports).filter((name) => !isPlanted(name) && !isFile(name));
  return { named, others: others.map(nameAnywhere) };
}

export function reportsOf(output: string, files: readonly TestFile[]): ReadonlyMap<string, TestReport> {
  const runners = new Map(files.map(({ runner }) => [runner.name, runner]));
  return new Map([...runners].map(([name, runner]) => [name, runner.readReport(output)]));
}

export function failedNames(reports: ReadonlyMap<string, TestReport>): string[] {
  return [...new Set([...reports.values()].flatMap(({ failed }) => failed.map(({ name }) => name)))];
}

/** Node 20 names a failing file by its absolute path, which differs in each checkout. */
export function nameAnywhere(name: string): string {
  return /^\/\S+$/.test(name) ? name.split('/').slice(-2).join('/') : name;
}

export function isWholly({ path, failures }: PlantedFile, { named }: PlantedReport): boolean {
  return named.get(path)?.length === failures.length;
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Only letters, so that the work cannot tell it from any other name. */
export function randomId(): string {
  return Array.from({ length: 12 }, () => letters.charAt(randomInt(letters.length))).join('');
}
