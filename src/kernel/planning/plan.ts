// Where tasks come from when a run plans: what the architect was asked and answered, which version is in force, how far it is.
import type { Task } from '#kernel/model/task.ts';

/** Why a plan is needed. */
export type PlanCause = 'start' | 'failed' | 'entry' | 'drift' | 'person';

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

/** Looks at the repository for whoever plans. */
export interface SurveyDeed {
  readonly kind: 'survey';
  readonly tokens: number;
}

/** Reads the architect's answer as a plan: what is wrong with it, or tasks with checks. */
export interface SettlePlanDeed {
  readonly kind: 'settle-plan';
  readonly text: string;
}
