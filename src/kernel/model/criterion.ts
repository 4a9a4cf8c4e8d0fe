// What must be true, how it is decided, and what was seen.
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
  /** False: its program may run beside others in one checkout. Absent means that it needs the checkout for itself. */
  readonly alone?: boolean;
  /** Of the whole, not of the task: it must stay green where it was, and says nothing where it was red. */
  readonly guard?: true;
  /** Where it comes from and how its check was found; absent for a plain check. */
  readonly origin?: CriterionOrigin;
}

export type MachineCriterion = Criterion & { readonly check: MachineCheck };

/** Decided by checks of our own, not by a reviewer or a person. */
export function isByMachine(criterion: Criterion): criterion is MachineCriterion {
  return isMachineCheck(criterion.check);
}

export function isExit({ kind }: Pick<Criterion, 'kind'>): boolean {
  return kind === 'exit';
}

/** Decided after each attempt, not at the acceptance alone. */
export function isAtAttempt({ when }: Pick<Criterion, 'when'>): boolean {
  return when === 'attempt';
}

export interface CriterionOrigin {
  /** `tasks.md:12`, `the goal, line 4`, `--check`, or who proposed it. */
  readonly from: string;
  /** `none`: nothing could be inferred, so a person has to say. */
  readonly check: 'given' | 'inferred' | 'none';
  /** How sure an inference is, from 0 to 1; null where nothing was inferred. */
  readonly confidence: number | null;
  /** Why this check, in a sentence. */
  readonly why: string;
  /** A better check that a person could write, in a sentence. */
  readonly suggestion?: string;
}

/** Where a check looked: the run's own worktree, or a clean checkout without any leftovers. */
export type Place = 'workspace' | 'clean';

/**
 * `pinned` is for information: the work with every pinned file as it was on the base. `look` was taken while a session
 * lived: it may open or shut an exit. Neither of them proves anything.
 */
export type Purpose = 'base' | 'attempt' | 'acceptance' | 'pinned' | 'look';

export interface Evidence {
  readonly taskId: string;
  readonly criterionId: string;
  readonly stepId: string;
  readonly purpose: Purpose;
  readonly place: Place;
  /** The tree that was looked at; evidence speaks of no other. */
  readonly tree: string;
  readonly verdict: Verdict;
  /** One sentence for a person. */
  readonly reason: string;
  /** What was run or looked for, null for a reviewer or a person; and how a process ended, if there was one. */
  readonly command: string | null;
  readonly ending: ProcessEnding | null;
  /** The end of the output, bounded; the whole of it is in `log`. */
  readonly tail: string;
  /** What failed, out of the whole output and bounded; absent where the check passed, and where the whole output is short. */
  readonly excerpt?: string;
  /** How many tests a runner that we know named as failed; absent where none did. */
  readonly failing?: number;
  /** On the base alone: why no work can turn it green, as far as its output tells. */
  readonly cause?: RedCause;
  /** File name inside the run's log folder. */
  readonly log: string | null;
  readonly durationMs: number;
  /** A hash of what decided beside tree and place: the check, the pins, the environment. Absent where nobody could tell. */
  readonly conditions?: string;
  /** A digest of each variable and of each other part of the environment; at the acceptance alone, and never exported. */
  readonly environment?: { readonly [name: string]: string };
  /** The step that really looked, where the same had been seen before under the same conditions. */
  readonly reusedFrom?: string;
  /** A test runner that we know told of tests that it executed; absent where none did. */
  readonly ranTests?: boolean;
  /** How many they were; absent where no runner told, and in runs that were made before it was read. */
  readonly tests?: TestTally;
  /** How often it was looked at for this verdict, where that was more than once. */
  readonly looks?: number;
  /** Set for a check that both passed and failed on this tree; a person's approval repeats what they were told of it. */
  readonly flaky?: FlakyRuns;
  /** How the check itself was tested for this evidence, in the order of the tests; absent where it was not. */
  readonly calibration?: readonly Calibration[];
  /** The log that lists the files which the check read, one path a line; absent where that was not seen. */
  readonly reads?: string;
}

/**
 * A check that is red for want of a program or a package stops the run before its first session. `suspicious`: it looks
 * like a broken set-up, and a person should know.
 */
export interface RedCause {
  readonly kind: 'missing-program' | 'missing-package' | 'suspicious';
  /** A clause: "there is no program …". */
  readonly text: string;
}

/** What test runners told of all the tests of a check. */
export interface TestTally {
  readonly executed: number;
  readonly skipped: number;
}

/** A file, or one script of a package, that is taken from the base and that the worker may not change. */
export interface Pin {
  readonly path: string;
  readonly hash: string;
  readonly why: string;
}

export interface BrokenPin {
  readonly path: string;
  readonly change: 'changed' | 'deleted' | 'added';
  readonly why: string;
  /** Mode and hash of what stands there now, '' when nothing does. Absent in runs that were made before it was kept. */
  readonly content?: string;
  /** What the change takes away, in words. */
  readonly weakening?: readonly string[];
  /** It may be honest: noted for whoever reviews, and nothing is refused for it. */
  readonly isSuspicion?: true;
  /** Of a deleted file: the new file with the same or similar content. */
  readonly renamedTo?: { readonly path: string; readonly similarPercent: number };
  /** Of a changed test file: every line that it had is still there, in the same order. */
  readonly keepsLines?: true;
}

export interface FlakyRuns {
  readonly passed: number;
  readonly failed: number;
  /** By the policy; a person's word is evidence of its own. */
  readonly isAccepted: boolean;
}

export type CriteriaChange =
  | { readonly kind: 'add'; readonly criterion: Criterion }
  /** Takes the place of the one with its id. */
  | { readonly kind: 'replace'; readonly criterion: Criterion }
  | { readonly kind: 'remove'; readonly criterionId: string }
  /** It stays listed, and nobody waits for it any more. */
  | { readonly kind: 'skip'; readonly criterionId: string };
