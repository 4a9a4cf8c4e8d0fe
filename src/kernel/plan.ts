// Where tasks come from when a run plans: what the architect was asked and answered, which version is in force, how far it is.
import type { Criterion } from './criterion.ts';
import type { Event } from './events.ts';
import type { Setback } from './run.ts';
import type { SessionResult } from './step.ts';
import type { Task } from './task.ts';

/** Why a plan is wanted. */
export type PlanCause = 'start' | 'failed' | 'entry' | 'drift' | 'person';

export interface PlanState {
  /** The one in force; 0 before the first. */
  version: number;
  /** The newest that was ever proposed: a number means one plan, whatever became of it. */
  proposed: number;
  wanted: { readonly cause: PlanCause; readonly why: string } | null;
  /** Plans that were wanted after the first one came into force. */
  replans: number;
  /** What the architect is shown; looked up anew for every plan. */
  survey: Survey | null;
  /** The architect's last session, once it ended. */
  answer: PlanSession | null;
  settled: SettledPlan | null;
  /** Its last answer, as long as no plan came into force: nobody can mend what they are not shown. */
  draft: string | null;
  /** What was wrong with it, and how often in a row there was something. */
  problems: readonly string[];
  refusals: number;
  /** Waits for approval. */
  proposal: PlanProposal | null;
  /** Tasks that failed under the plan in force; a new one has an answer to them. */
  readonly broken: string[];
  /** So many of them had to do without one. */
  unanswered: number;
  /** Tasks that have landed, and those that nobody waits for any more. */
  landed: number;
  gone: number;
  /** Milestones passed so far, those that nobody has judged yet, and the reflector's last session. */
  readonly crossed: number[];
  due: readonly number[];
  reflection: PlanSession | null;
  /** Tasks that had landed at the last crossing; the reflector is asked again only after another one. */
  reflectedAt: number;
  readonly drifts: Drift[];
  /** Why the plan in force leads away from the goal; only another one is an answer to that. */
  astray: string | null;
  /** Passing trouble of the architect or the reflector. */
  setback: Setback | null;
  readonly history: PlanChange[];
}

/** A session of the whole run that is over, and the tree that it was given. */
export interface PlanSession {
  readonly stepId: string;
  readonly tree: string;
  readonly result: SessionResult;
}

export interface Survey {
  /** Tree and signatures, as markdown. */
  readonly map: string;
  /** The newest commits and the last change, from git. */
  readonly memory: string;
}

export interface SettledPlan {
  readonly problems: readonly string[];
  readonly tasks: readonly Task[];
  readonly dropped: readonly DroppedTask[];
  readonly reasons?: readonly TaskReason[];
  readonly notes: readonly string[];
}

export interface DroppedTask {
  readonly taskId: string;
  readonly why: string;
}

/** Why a task was added or changed, where whoever planned said so. */
export type TaskReason = DroppedTask;

export interface PlanProposal {
  readonly version: number;
  /** Every task that is still to be done, in order. */
  readonly tasks: readonly Task[];
  readonly dropped: readonly DroppedTask[];
  readonly reasons?: readonly TaskReason[];
  readonly why: string;
  readonly by: string;
  /** A person's own: it comes into force without another word, as soon as no task is under way. */
  readonly isApproved?: true;
  /** The architect's, and a person has let it pass: it comes into force as soon as no task is under way. */
  readonly approvedBy?: string;
}

export interface Drift {
  readonly percents: readonly number[];
  /** Null when nothing could be read from what the reflector said. */
  readonly isAligned: boolean | null;
  readonly reason: string;
}

/** What a version changed, by task id. */
export interface PlanChange {
  readonly version: number;
  readonly at: number;
  readonly by: string;
  readonly why: string;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly dropped: readonly DroppedTask[];
  readonly reasons?: readonly TaskReason[];
  /** What tasks had to prove in the version before, and need not any more. */
  readonly eased: readonly EasedTask[];
}

export interface EasedTask {
  readonly taskId: string;
  readonly lost: readonly Criterion[];
}

export type PlanEvent = Extract<
  Event,
  {
    readonly type:
      | 'plan-wanted'
      | 'plan-refused'
      | 'plan-given-up'
      | 'plan-proposed'
      | 'plan-approved'
      | 'plan-adopted'
      | 'plan-rejected'
      | 'plan-delayed'
      | 'milestones-crossed'
      | 'drift-judged';
  }
>;

export function emptyPlan(): PlanState {
  return {
    version: 0,
    proposed: 0,
    wanted: null,
    replans: 0,
    survey: null,
    answer: null,
    settled: null,
    draft: null,
    problems: [],
    refusals: 0,
    proposal: null,
    broken: [],
    unanswered: 0,
    landed: 0,
    gone: 0,
    crossed: [],
    due: [],
    reflection: null,
    reflectedAt: 0,
    drifts: [],
    astray: null,
    setback: null,
    history: [],
  };
}
