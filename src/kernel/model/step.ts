// One deed that the kernel asks for: plain data, so that any machine could perform it.
import type { Reserve, SessionLimits, Usage } from './budget.ts';
import type { BrokenPin, Pin, Place, Purpose } from './criterion.ts';
import type { SessionEnding } from './ending.ts';
import type { RunsAfterLanding } from './after-landing.ts';
import type { SettledPlan, SettlePlanDeed, Survey, SurveyDeed } from '#kernel/planning/plan.ts';
import type { Signal, SignalWords } from './signal.ts';
import type { Turn } from '#kernel/actions/action.ts';

export interface Step {
  readonly stepId: string;
  /** The task it serves; null for deeds of the whole run. */
  readonly taskId: string | null;
  /** The tree it starts from; null only for `prepare` and for a look, which find it. */
  readonly baseTree: string | null;
  readonly reserve: Reserve;
  readonly deed: Deed;
}

/** Names logs, receipts and refs: `0003-builder-main`, `0009-check-acceptance`. */
export function stepIdOf(number: number, { taskId, deed }: Pick<Step, 'taskId' | 'deed'>): string {
  const what =
    deed.kind === 'session' ? deed.role : deed.kind === 'check' ? `check-${deed.purpose}` : deed.kind;
  return `${String(number).padStart(4, '0')}-${what}${taskId === null ? '' : `-${taskId}`}`;
}

/** Stands for a step in evidence that a person gave. */
export const personStepId = 'person';

export type Deed =
  | PrepareDeed
  | SessionDeed
  | CheckDeed
  | ReproduceDeed
  | CommitDeed
  | SurveyDeed
  | SettlePlanDeed;

/** Makes the run's workspace and says what it is based on. */
export interface PrepareDeed {
  readonly kind: 'prepare';
}

export interface SessionDeed {
  readonly kind: 'session';
  readonly role: string;
  readonly attempt: number;
  /** Number in log names and on the screen: `builder_003`. */
  readonly ordinal: number;
  readonly agent: AgentChoice;
  readonly prompt: string;
  readonly readOnly: boolean;
  readonly words: SignalWords;
  readonly limits: SessionLimits;
  /** The client's own id of a conversation that goes on. */
  readonly resume: string | null;
  /** The criterion that it is about, where a loop takes them one by one. */
  readonly criterionId?: string;
  /** Of the action loop: what this turn is. */
  readonly turn?: Turn;
  /** What the prompt's `{{files}}` and `{{memory}}` show; filled in when the session starts. `before` is null for a first attempt. */
  readonly shows?: { readonly files: readonly string[]; readonly before: string | null };
  /** The tree from which the prompt's `{{diff}}` shows the change; it is filled in when the session starts. */
  readonly diffFrom?: string;
}

export interface AgentChoice {
  /** Name under which the agent is configured. */
  readonly name: string;
  readonly model: string | null;
}

export interface CheckDeed {
  readonly kind: 'check';
  readonly purpose: Exclude<Purpose, 'pinned'>;
  readonly place: Place;
  /** Which of the task's checks, for a check of the base. */
  readonly when: 'attempt' | 'acceptance';
  /** Criteria to decide, cheapest first, as (task, criterion) pairs. */
  readonly criteria: readonly { readonly taskId: string; readonly criterionId: string }[];
  /** Which questions a look answers. */
  readonly looks?: readonly string[];
}

/** Runs the commands of a reviewer's blockers on a clean checkout, to see for ourselves. */
export interface ReproduceDeed {
  readonly kind: 'reproduce';
  /** The step of the review that named them. */
  readonly review: string;
  readonly commands: readonly { readonly index: number; readonly run: string }[];
  readonly timeoutMs: number;
}

/** Commits exactly `baseTree` on `parent`; recognised afterwards by its trailers. */
export interface CommitDeed {
  readonly kind: 'commit';
  readonly parent: string;
  readonly message: string;
  /** Criteria that pass on a tree which is not proven yet: it is kept, and nothing has landed. */
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
      /** Differs from the tree before when a check changed what it looked at: then it proved nothing. */
      readonly treeAfter: string;
      /** The tree that a look found. */
      readonly tree?: string;
      readonly brokenPins: readonly BrokenPin[];
      /** What the pre-commit hook made of the tree, where it changed something: that one is checked next. */
      readonly hookTree?: string;
      /** Of an acceptance: what runs on the user's machine once this tree has landed. */
      readonly runsAfterLanding?: readonly RunsAfterLanding[];
    }
  | { readonly kind: 'commit'; readonly commit: string }
  | { readonly kind: 'reproduce' }
  | ({ readonly kind: 'survey' } & Survey)
  | ({ readonly kind: 'settle-plan' } & SettledPlan)
  /** The world would not do it: a full disk, a lost repository, a moved branch. */
  | { readonly kind: 'refused'; readonly reason: string; readonly hint: string };

/** Clients' ids are short; a longer one is no id. */
export const resumeIdLengthMax = 512;

export interface SessionResult {
  readonly kind: 'session';
  readonly ending: SessionEnding;
  readonly signal: Signal | null;
  readonly usage: Usage;
  /** The tree as the session left it, also kept under a ref; null when it could not be read. */
  readonly endTree: string | null;
  /** File name inside the run's log folder. */
  readonly log: string;
  /** Which agent really ran. */
  readonly ran: { readonly driver: string; readonly model: string | null };
  /**
   * The client's own id by which a later session can continue this conversation: only of an agent that can resume, and once
   * the client has acknowledged a turn. Where it is absent from a session that resumed another one, nothing new is known of
   * that conversation, unless the ending says that it is gone.
   */
  readonly resumeId?: string;
  /** No client was started, because a usage limit is known: it counts as no session, and nothing was heard of its prompt. */
  readonly notAdmitted?: true;
}

/** To a running step. */
export type Steer =
  | { readonly stepId: string; readonly kind: 'interrupt' }
  | { readonly stepId: string; readonly kind: 'kill'; readonly reason: string }
  | { readonly stepId: string; readonly kind: 'text'; readonly text: string };
