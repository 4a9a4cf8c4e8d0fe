// The events of a run that plans.
import type { PlanCause, PlanProposal } from '#kernel/planning/plan.ts';

export type PlanFact =
  | { readonly type: 'plan-wanted'; readonly cause: PlanCause; readonly why: string }
  /** The architect's answer is unusable; the architect gets the reasons. */
  | { readonly type: 'plan-refused'; readonly stepId: string; readonly problems: readonly string[] }
  | { readonly type: 'plan-proposed'; readonly proposal: PlanProposal }
  /** No usable plan came: the run continues with the tasks it has. */
  | { readonly type: 'plan-given-up'; readonly why: string }
  /** A person approved it while a task was active; `plan-adopted` follows. */
  | { readonly type: 'plan-approved'; readonly version: number; readonly by: string }
  /** From here on, its tasks are the tasks of the run; finished tasks stay. */
  | { readonly type: 'plan-adopted'; readonly version: number; readonly by: string }
  | { readonly type: 'plan-rejected'; readonly version: number; readonly by: string; readonly why: string }
  /** A provider's limit delays the plan. */
  | { readonly type: 'plan-delayed'; readonly until: number; readonly reason: string }
  | { readonly type: 'milestones-crossed'; readonly percents: readonly number[] }
  /** `isFinal` is false only in older journals: the reflector was asked again after an unreadable answer. */
  | {
      readonly type: 'drift-judged';
      readonly stepId: string;
      readonly percents: readonly number[];
      readonly isAligned: boolean | null;
      readonly reason: string;
      readonly isFinal: boolean;
      /** The plan drifted, and no further plan may be requested. */
      readonly isDeadEnd?: true;
    };
