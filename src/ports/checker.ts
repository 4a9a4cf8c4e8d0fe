import type { MachineCheck } from '#kernel/check.ts';
import type { Criterion, Verdict } from '#kernel/criterion.ts';
import type { ProcessEnding } from '#kernel/ending.ts';

export type MachineCriterion = Criterion & { readonly check: MachineCheck };

export interface CheckRequest {
  readonly criterion: MachineCriterion;
  /** Folder that the criterion's own `cwd` is relative to. */
  readonly cwd: string;
  readonly mark: string;
  /** Name of the log file to write, without folder. */
  readonly log: string;
  readonly signal: AbortSignal;
}

export interface Finding {
  readonly verdict: Verdict;
  readonly reason: string;
  /** Null where no process was needed. */
  readonly ending: ProcessEnding | null;
  readonly tail: string;
  readonly durationMs: number;
}

export interface Checker {
  /** Contract: never rejects for what it finds; `pass` only for exit 0 that ran at least one test where tests are recognised. */
  check(request: CheckRequest): Promise<Finding>;
}
