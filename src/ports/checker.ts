// Runs the check of one criterion in one checkout.
import type { MachineCriterion, TestTally, Verdict } from '#kernel/model/criterion.ts';
import type { ProcessEnding } from '#kernel/model/ending.ts';

export interface CheckRequest {
  readonly criterion: MachineCriterion;
  /** The folder that the criterion's `cwd` is relative to. */
  readonly cwd: string;
  readonly mark: string;
  /** Name of the log file to write, without its folder. */
  readonly log: string;
  readonly signal: AbortSignal;
  /** Counts the runs of one check on the same files, from 1, so that random choices differ. */
  readonly runNumber?: number;
  /** The program's output as it comes, in whole lines and without secrets. Contract: never throws. */
  readonly onOutput?: (text: string) => void;
}

export interface Finding {
  readonly verdict: Verdict;
  readonly reason: string;
  /** Null if no process was needed. */
  readonly ending: ProcessEnding | null;
  readonly tail: string;
  readonly excerpt?: string;
  readonly failing?: number;
  readonly durationMs: number;
  /** True if a test runner that we know reported executed tests; absent if none did. */
  readonly ranTests?: boolean;
  readonly tests?: TestTally;
}

export interface Checker {
  /** A hash of known things outside the files that a verdict depends on; if absent, no evidence is reused. */
  readonly environment?: string;
  /** The named parts of that hash, so that a message can name a difference. Contract: holds no value. */
  environmentParts?(): { readonly [name: string]: string };
  /** Absent if no logs are kept. */
  readonly reads?: ReadsLogs;
  /** Contract: a finding never rejects; a check that cannot run is `unknown`; nothing it started survives. */
  check(request: CheckRequest): Promise<Finding>;
}

/** Lists of the files that checks read, stored by name beside their logs. */
export interface ReadsLogs {
  /** False if the list could not be written; the check counts all the same. */
  keep(name: string, paths: readonly string[]): Promise<boolean>;
  /** Null if there is no such list. */
  list(name: string): Promise<readonly string[] | null>;
}
