// Shared parts of the benchmarks: a line of the table, medians, and a temporary folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** One promise, compared with a raw operation on the same machine in the same run. */
export interface Line extends Limits {
  readonly name: string;
  /** Null if it could not be measured on this machine; then the note says why. */
  readonly measured: number | null;
  /** The raw operation to compare with; null if the limits are absolute. */
  readonly raw: number | null;
  readonly unit: 'µs' | 'ms' | 'kB' | 'MB' | '%' | 'processes' | 'logs' | 'runs' | 'tokens';
  readonly note?: string;
}

/** For measured / raw, or for `measured` if there is no raw value. A line without limits is only reported. */
export interface Limits {
  /** A benchmark above it fails. */
  readonly gate?: number;
  /** Never fails. */
  readonly aim?: number;
}

export type Benchmark = (options: BenchOptions) => Promise<readonly Line[]>;

export interface BenchOptions {
  /** The launcher of the built program. */
  readonly program: string;
  /** Below 1 for a quick run, 0 for the smallest sizes that still do everything; the gates hold for 1. */
  readonly scale: number;
  /** On the disk that is measured. */
  readonly folder: string;
}

/** A size at a scale. `least` is the smallest one at which a benchmark still does everything. */
export function sizeAt(scale: number, full: number, least: number): number {
  return Math.max(least, Math.round(full * scale));
}

/** Null if nothing was measured. */
export function valueOf({ measured, raw }: Line): number | null {
  if (measured === null) return null;
  return raw === null ? measured : measured / raw;
}

export type Verdict = 'ok' | 'over the aim' | 'MISSED' | 'NOT MEASURED' | 'no limit';

export function verdictOf(line: Line): Verdict {
  const value = valueOf(line);
  if (value === null) return 'NOT MEASURED';
  const { gate, aim } = line;
  if (gate !== undefined && value > gate) return 'MISSED';
  if (aim !== undefined && value > aim) return 'over the aim';
  return gate === undefined && aim === undefined ? 'no limit' : 'ok';
}

export type Outcome = 'passed' | 'failed' | 'skipped';

/** For a whole benchmark: `lines` is null if it threw. A tiny run shows that it works and judges no gate. */
export function outcomeOf(lines: readonly Line[] | null, { tiny }: { readonly tiny: boolean }): Outcome {
  if (lines === null) return 'failed';
  const verdicts = lines.map(verdictOf);
  if (verdicts.every((verdict) => verdict === 'NOT MEASURED')) return 'skipped';
  return !tiny && verdicts.includes('MISSED') ? 'failed' : 'passed';
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

export async function timeMs(act: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await act();
  return performance.now() - startedAt;
}

/** Not below the system's temporary folder, which may be in memory: under `place`, on a disk. */
export async function inFolder<T>(place: string, act: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(place, 'untildone-bench-'));
  try {
    return await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
