import type { Check, Criterion, Verdict } from '#kernel/criterion.ts';
import type { ProcessEnding } from '#kernel/ending.ts';

export type CommandCriterion = Criterion & { readonly check: Check & { readonly kind: 'command' } };

export interface CheckRequest {
  readonly criterion: CommandCriterion;
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
  readonly ending: ProcessEnding;
  readonly tail: string;
  readonly durationMs: number;
}

export interface Checker {
  /** Contract: never rejects for what the command does; `pass` only for exit 0 that ran at least one test where tests are recognised. */
  check(request: CheckRequest): Promise<Finding>;
}
