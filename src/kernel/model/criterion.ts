// A criterion: what must be true, how it is decided, and the evidence for it.
import { type Check, isMachineCheck, type MachineCheck } from './check.ts';
import type { ProcessEnding } from './ending.ts';
import type { Calibration } from './calibration.ts';

export type Verdict = 'pass' | 'fail' | 'unknown';

export interface Criterion {
  readonly id: string;
  readonly text: string;
  readonly kind: 'entry' | 'exit';
  readonly required: boolean;
  /** `acceptance` keeps a slow check out of every attempt: it runs on the base and at the end. */
  readonly when: 'attempt' | 'acceptance';
  readonly check: Check;
  /** False: its program may run beside others in one checkout. Absent: it needs the checkout alone. */
  readonly alone?: boolean;
  /** About the whole, not the task: if it was green, it must stay green; if red, it decides nothing. */
  readonly guard?: true;
  /** Its source and how its check was found; absent for a plain check. */
  readonly origin?: CriterionOrigin;
}

export type MachineCriterion = Criterion & { readonly check: MachineCheck };

/** Decided by our own checks, not by a reviewer or a person. */
export function isByMachine(criterion: Criterion): criterion is MachineCriterion {
  return isMachineCheck(criterion.check);
}

export function isExit({ kind }: Pick<Criterion, 'kind'>): boolean {
  return kind === 'exit';
}

/** Decided after each attempt, not only at the acceptance. */
export function isAtAttempt({ when }: Pick<Criterion, 'when'>): boolean {
  return when === 'attempt';
}

/** An exit criterion that our checks decide after each attempt. */
export function isCheckedAtAttempt(criterion: Criterion): criterion is MachineCriterion {
  return isByMachine(criterion) && isExit(criterion) && isAtAttempt(criterion);
}

export interface CriterionOrigin {
  /** `tasks.md:12`, `the goal, line 4`, `--check`, or the name of the proposer. */
  readonly from: string;
  /** `none`: no check could be inferred, so a person has to decide. */
  readonly check: 'given' | 'inferred' | 'none';
  /** Confidence of an inference, from 0 to 1; null if nothing was inferred. */
  readonly confidence: number | null;
  /** Why this check, in a sentence. */
  readonly why: string;
  /** A better check that a person could write, in a sentence. */
  readonly suggestion?: string;
}

/** Where a check ran: in the run's own worktree, or in a clean checkout without any leftovers. */
export type Place = 'workspace' | 'clean';

/**
 * `pinned` is for information: the work with every pinned file as on the base. `look` is a preview during a
 * session, which blocks or allows its end at the stop gate. Neither of them proves anything.
 */
export type Purpose = 'base' | 'attempt' | 'acceptance' | 'pinned' | 'look';

export interface Evidence {
  readonly taskId: string;
  readonly criterionId: string;
  readonly stepId: string;
  readonly purpose: Purpose;
  readonly place: Place;
  /** The tree that was checked. Evidence says nothing about any other tree. */
  readonly tree: string;
  readonly verdict: Verdict;
  /** One sentence for a person. */
  readonly reason: string;
  /** What was run or searched for (null for a reviewer or a person), and how a process ended, if any. */
  readonly command: string | null;
  readonly ending: ProcessEnding | null;
  /** The end of the output, bounded; `log` has all of it. */
  readonly tail: string;
  /** The failures in the whole output, bounded; absent if the check passed or the output is short. */
  readonly excerpt?: string;
  /** How many tests a known runner named as failed; absent if none did. */
  readonly failing?: number;
  /** Only on the base: why no work can turn the check green, judged by its output. */
  readonly cause?: RedCause;
  /** File name inside the run's log folder. */
  readonly log: string | null;
  readonly durationMs: number;
  /** A hash of what decided besides tree and place: check, pins, environment. Absent if unknown. */
  readonly conditions?: string;
  /** A digest of each part of the environment, such as a variable; only at the acceptance, never exported. */
  readonly environment?: { readonly [name: string]: string };
  /** The step that really ran the check, if its evidence was reused under the same conditions. */
  readonly reusedFrom?: string;
  /** True if a known test runner reported executed tests; absent if none did. */
  readonly ranTests?: boolean;
  /** Absent if no runner reported a number, and in older runs. */
  readonly tests?: TestTally;
  /** How often the check ran for this verdict, if more than once. */
  readonly looks?: number;
  /** Set for a check that both passed and failed on this tree; a person's approval repeats it. */
  readonly flaky?: FlakyRuns;
  /** How the check itself was tested for this evidence, in order; absent if it was not. */
  readonly calibration?: readonly Calibration[];
  /** The log that lists the files which the check read, one path per line; absent if unknown. */
  readonly reads?: string;
}

/**
 * A check that is red because a program or a package is missing stops the run before its first session.
 * `suspicious`: the set-up seems broken, and a person should know.
 */
export interface RedCause {
  readonly kind: 'missing-program' | 'missing-package' | 'suspicious';
  /** A clause: "there is no program …". */
  readonly text: string;
}

/** The total that test runners reported for a check. */
export interface TestTally {
  readonly executed: number;
  readonly skipped: number;
}

/** A file, or one script of a package, that is taken from the base and that the builder may not change. */
export interface Pin {
  readonly path: string;
  readonly hash: string;
  readonly why: string;
}

export interface BrokenPin {
  readonly path: string;
  readonly change: 'changed' | 'deleted' | 'added';
  readonly why: string;
  /** Mode and hash of the present file, '' if it is gone. Absent in older runs. */
  readonly content?: string;
  /** What the change removes, in words. */
  readonly weakening?: readonly string[];
  /** It may be honest: shown to reviewers, and no reason to refuse the work. */
  readonly isSuspicion?: true;
  /** For a deleted file: the new file with the same or similar content. */
  readonly renamedTo?: { readonly path: string; readonly similarPercent: number };
  /** For a changed test file: every earlier line is still there, in the same order. */
  readonly keepsLines?: true;
}

export interface FlakyRuns {
  readonly passed: number;
  readonly failed: number;
  /** Accepted by the policy. A person's acceptance is separate evidence. */
  readonly isAccepted: boolean;
}

export type CriteriaChange =
  | { readonly kind: 'add'; readonly criterion: Criterion }
  /** Replaces the criterion with the same id. */
  | { readonly kind: 'replace'; readonly criterion: Criterion }
  | { readonly kind: 'remove'; readonly criterionId: string }
  /** It stays listed, but the run no longer waits for it. */
  | { readonly kind: 'skip'; readonly criterionId: string };
