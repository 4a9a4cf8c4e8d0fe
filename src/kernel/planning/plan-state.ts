// The state of a run's plan.
import type { Criterion } from '#kernel/model/criterion.ts';
import type { Event } from '#kernel/events/events.ts';
import type { PlanFact } from '#kernel/events/plan-facts.ts';
import type { SessionResult } from '#kernel/model/step.ts';
import type { DroppedTask, PlanCause, PlanProposal, SettledPlan, Survey, TaskReason } from './plan.ts';
import type { TransientError } from '#kernel/waiting/transient-error.ts';

export interface PlanState {
  /** The version in force; 0 before the first. */
  version: number;
  /** The newest version ever proposed: a number means one plan, even if it was rejected. */
  proposed: number;
  wanted: { readonly cause: PlanCause; readonly why: string } | null;
  /** Plans wanted after the first one came into force; requests of a person do not count. */
  replans: number;
  /** What the architect is shown; made again for every plan. */
  survey: Survey | null;
  /** The architect's last session, once it ended. */
  answer: PlanSession | null;
  settled: SettledPlan | null;
  /** Its last answer, as long as no plan came into force: an architect can only fix what it is shown. */
  draft: string | null;
  /** The problems of that answer, and how many answers in a row had problems. */
  problems: readonly string[];
  refusals: number;
  /** Waits for approval. */
  proposal: PlanProposal | null;
  /** Tasks that failed under the plan in force; a new plan covers them. */
  readonly broken: string[];
  /** How many of them got no new plan. */
  unanswered: number;
  /** Number of tasks that have landed, and of those that were skipped or dropped. */
  landed: number;
  gone: number;
  /** Milestones passed so far, those not yet judged, and the reflector's last session. */
  readonly crossed: number[];
  due: readonly number[];
  reflection: PlanSession | null;
  /** Tasks landed at the last crossing; the reflector is asked again only after another one. */
  reflectedAt: number;
  readonly drifts: Drift[];
  /** Why the plan in force leads away from the goal; only another plan resolves this. */
  astray: string | null;
  /** Transient error of the architect or the reflector. */
  transientError: TransientError | null;
  readonly history: PlanChange[];
}

/** An ended session of the whole run, and the tree that it was given. */
export interface PlanSession {
  readonly stepId: string;
  readonly tree: string;
  readonly result: SessionResult;
}

export interface Drift {
  readonly percents: readonly number[];
  /** Null if the reflector's answer was unreadable. */
  readonly isAligned: boolean | null;
  readonly reason: string;
}

/** The changes of one version, by task id. */
export interface PlanChange {
  readonly version: number;
  readonly at: number;
  readonly by: string;
  readonly why: string;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly dropped: readonly DroppedTask[];
  readonly reasons?: readonly TaskReason[];
  /** What tasks had to prove in the version before, and no longer have to. */
  readonly eased: readonly EasedTask[];
}

export interface EasedTask {
  readonly taskId: string;
  readonly lost: readonly Criterion[];
}

export type PlanEvent = Extract<Event, { readonly type: PlanFact['type'] }>;

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
    transientError: null,
    history: [],
  };
}
