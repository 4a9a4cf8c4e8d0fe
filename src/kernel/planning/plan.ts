// The data of planning: what the architect is asked, what it answers, and a proposed plan.
import type { Task } from '#kernel/model/task.ts';

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

/** Why a task was added or changed, if the planner said so. */
export type TaskReason = DroppedTask;

export interface PlanProposal {
  readonly version: number;
  /** Every task that is still to be done, in order. */
  readonly tasks: readonly Task[];
  readonly dropped: readonly DroppedTask[];
  readonly reasons?: readonly TaskReason[];
  readonly why: string;
  readonly by: string;
  /** A person's own plan: it comes into force without approval, as soon as no task is active. */
  readonly isApproved?: true;
  /** The architect's plan, approved by this person: it comes into force as soon as no task is active. */
  readonly approvedBy?: string;
}

/** Describes the repository for the architect. */
export interface SurveyOperation {
  readonly kind: 'survey';
  readonly tokens: number;
}

/** Reads the architect's answer as a plan: its problems, or tasks with checks. */
export interface SettlePlanOperation {
  readonly kind: 'settle-plan';
  readonly text: string;
}
