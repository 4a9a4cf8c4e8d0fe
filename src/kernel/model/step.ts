// A step is one operation that the kernel asks for (its `deed`), as plain data: recorded with its possible
// cost before it starts, with its result when it ends. A tree is the content of a checkout, by its git id.
import type { Reserve, SessionLimits, Usage } from './budget.ts';
import type { BrokenPin, Pin, Place, Purpose } from './criterion.ts';
import type { SessionEnding } from './ending.ts';
import type { RunsAfterLanding } from './after-landing.ts';
import type { SettledPlan, SettlePlanOperation, Survey, SurveyOperation } from '#kernel/planning/plan.ts';
import type { Signal, SignalWords } from './signal.ts';
import type { Turn } from '#kernel/actions/action.ts';

export interface Step {
  readonly stepId: string;
  /** The task it serves; null for a step of the whole run. */
  readonly taskId: string | null;
  /** The tree it starts from; null for `prepare` and for a preview, which find it themselves. */
  readonly baseTree: string | null;
  /** Budget reserved before it starts; the unused part is returned when it ends. */
  readonly reserve: Reserve;
  readonly deed: Operation;
}

/** Names logs, receipts and refs: `0003-builder-main`, `0009-check-acceptance`. */
export function stepIdOf(number: number, { taskId, deed }: Pick<Step, 'taskId' | 'deed'>): string {
  const what =
    deed.kind === 'session' ? deed.role : deed.kind === 'check' ? `check-${deed.purpose}` : deed.kind;
  return `${String(number).padStart(4, '0')}-${what}${taskId === null ? '' : `-${taskId}`}`;
}

/** The step id of evidence that a person gave. */
export const personStepId = 'person';

/** Only runs that plan have `survey` (describes the repository) and `settle-plan` (reads the plan). */
export type Operation =
  | PrepareOperation
  | SessionOperation
  | CheckOperation
  | ReproduceOperation
  | CommitOperation
  | SurveyOperation
  | SettlePlanOperation;

/** Makes the run's branch and checkout, and pins the files that decide its checks. */
export interface PrepareOperation {
  readonly kind: 'prepare';
}

/** One session of an agent in one role: builder, verifier, another reviewer, or a planner. */
export interface SessionOperation {
  readonly kind: 'session';
  readonly role: string;
  readonly attempt: number;
  /** Number in log names and on the screen: `builder_003`. */
  readonly ordinal: number;
  readonly agent: AgentChoice;
  readonly prompt: string;
  /** For a reviewer: its changes are thrown away. */
  readonly readOnly: boolean;
  /** What its output is searched for, such as the marker for "done". */
  readonly words: SignalWords;
  readonly limits: SessionLimits;
  /** The client's own id of a conversation to continue. */
  readonly resume: string | null;
  /** The criterion that it works on, if a loop takes them one by one. */
  readonly criterionId?: string;
  /** Only in the action loop. */
  readonly turn?: Turn;
  /** Fills the prompt's `{{files}}` and `{{memory}}` at the start. `before` is null at a first attempt. */
  readonly shows?: { readonly files: readonly string[]; readonly before: string | null };
  /** The tree from which the prompt's `{{diff}}` shows the change; filled in when the session starts. */
  readonly diffFrom?: string;
}

export interface AgentChoice {
  /** Name under which the agent is configured. */
  readonly name: string;
  readonly model: string | null;
}

/** Runs checks of criteria, in our own processes. */
export interface CheckOperation {
  readonly kind: 'check';
  /** On the base, after an attempt, at the acceptance of the whole run, or as a preview (`look`). */
  readonly purpose: Exclude<Purpose, 'pinned'>;
  /** In the run's own checkout, or in a clean one. */
  readonly place: Place;
  /** Which of the task's checks, for a check of the base. */
  readonly when: 'attempt' | 'acceptance';
  /** Criteria to decide, cheapest first, as (task, criterion) pairs. */
  readonly criteria: readonly { readonly taskId: string; readonly criterionId: string }[];
  /** The requests that a preview answers. */
  readonly looks?: readonly string[];
}

/** Runs the commands that a reviewer named as proof that the work is broken, on a clean checkout. */
export interface ReproduceOperation {
  readonly kind: 'reproduce';
  /** The step of the review that named them. */
  readonly review: string;
  readonly commands: readonly { readonly index: number; readonly run: string }[];
  readonly timeoutMs: number;
}

/** Commits exactly `baseTree` on `parent`; found again after a crash by its trailers. */
export interface CommitOperation {
  readonly kind: 'commit';
  readonly parent: string;
  readonly message: string;
  /** Criteria that pass on a tree that is not proven yet: the commit keeps the work, nothing has landed. */
  readonly checkpoint?: readonly string[];
}

export type StepResult =
  | {
      readonly kind: 'prepare';
      readonly baseCommit: string;
      readonly baseTree: string;
      readonly branch: string;
      readonly pins: readonly Pin[];
    }
  | SessionResult
  | {
      readonly kind: 'check';
      /** Differs from `baseTree` if a check changed the files; the check then proved nothing. */
      readonly treeAfter: string;
      /** The tree that a preview found. */
      readonly tree?: string;
      /** Changed files that are pinned, because a check's verdict depends on them. */
      readonly brokenPins: readonly BrokenPin[];
      /** A check, or something meanwhile, changed pinned files outside the repository: no evidence is reused. */
      readonly isOutsideChanged?: true;
      /** The tree after the pre-commit hook, if the hook changed it; that tree is checked next. */
      readonly hookTree?: string;
      /** At an acceptance: files that run on the user's machine once this tree has landed. */
      readonly runsAfterLanding?: readonly RunsAfterLanding[];
    }
  | { readonly kind: 'commit'; readonly commit: string }
  | { readonly kind: 'reproduce' }
  | ({ readonly kind: 'survey' } & Survey)
  | ({ readonly kind: 'settle-plan' } & SettledPlan)
  /** The operation failed: a full disk, a lost repository, a moved branch. */
  | { readonly kind: 'refused'; readonly reason: string; readonly hint: string };

/** A longer text is not an id of a client's conversation. */
export const resumeIdLengthMax = 512;

export interface SessionResult {
  readonly kind: 'session';
  readonly ending: SessionEnding;
  /** The agent's claim: done, a question, a report, a verdict. It proves nothing. */
  readonly signal: Signal | null;
  readonly usage: Usage;
  /** The tree as the session left it, also kept under a ref; null if it could not be read. */
  readonly endTree: string | null;
  /** File name inside the run's log folder. */
  readonly log: string;
  /** The agent that really ran. */
  readonly ran: { readonly driver: string; readonly model: string | null };
  /** The client's own id by which a later session can continue this conversation; absent if unknown. */
  readonly resumeId?: string;
  /** A known usage limit kept the client from starting: no session is counted, no prompt was sent. */
  readonly notAdmitted?: true;
}

export type Steer =
  | { readonly stepId: string; readonly kind: 'interrupt' }
  | { readonly stepId: string; readonly kind: 'kill'; readonly reason: string }
  | { readonly stepId: string; readonly kind: 'text'; readonly text: string };
