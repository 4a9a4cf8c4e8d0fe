import type { MachineCriterion, TestTally, Verdict } from '#kernel/model/criterion.ts';
import type { ProcessEnding } from '#kernel/model/ending.ts';

export interface CheckRequest {
  readonly criterion: MachineCriterion;
  /** Folder that the criterion's own `cwd` is relative to. */
  readonly cwd: string;
  readonly mark: string;
  /** Name of the log file to write, without folder. */
  readonly log: string;
  readonly signal: AbortSignal;
  /** Which look at the same files in one go, from 1: what may differ by chance differs. */
  readonly look?: number;
  /** The program's output as it comes, in whole lines and without secrets. Contract: never throws. */
  readonly onOutput?: (text: string) => void;
}

export interface Finding {
  readonly verdict: Verdict;
  readonly reason: string;
  /** Null where no process was needed. */
  readonly ending: ProcessEnding | null;
  readonly tail: string;
  readonly excerpt?: string;
  readonly failing?: number;
  readonly durationMs: number;
  /** A test runner that we know told of tests that it executed; absent where none did. */
  readonly ranTests?: boolean;
  readonly tests?: TestTally;
}

export interface Checker {
  /** A hash of what a verdict depends on outside of the files, as it is now and as far as it is looked at; absent where nobody can tell, and then no evidence is used twice. */
  readonly environment?: string;
  /** The parts of that hash, each by its name, so that one that differs can be named. Contract: holds no value. */
  environmentParts?(): { readonly [name: string]: string };
  /** Absent where no logs are kept. */
  readonly reads?: ReadsLogs;
  /** Contract: never rejects for what it finds; what it cannot look at is `unknown`; nothing that it started is alive afterwards. */
  check(request: CheckRequest): Promise<Finding>;
}

/** Lists of the files that checks read, by name, beside their logs. */
export interface ReadsLogs {
  /** False where it could not be written: a check is worth as much without its list. */
  keep(name: string, paths: readonly string[]): Promise<boolean>;
  /** Null where there is none. */
  list(name: string): Promise<readonly string[] | null>;
}
