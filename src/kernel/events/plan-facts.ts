// The facts of a run that plans.
import type { PlanCause, PlanProposal } from '#kernel/planning/plan.ts';

export type PlanFact =
  | { readonly type: 'plan-wanted'; readonly cause: PlanCause; readonly why: string }
  /** The architect's answer cannot be used; it is told why. */
  | { readonly type: 'plan-refused'; readonly stepId: string; readonly problems: readonly string[] }
  | { readonly type: 'plan-proposed'; readonly proposal: PlanProposal }
  /** No usable plan came: what stands goes on as it is. */
  | { readonly type: 'plan-given-up'; readonly why: string }
  /** A person let it pass while a task was under way; `plan-adopted` follows. */
  | { readonly type: 'plan-approved'; readonly version: number; readonly by: string }
  /** From here on its tasks are the tasks; what is done stays. */
  | { readonly type: 'plan-adopted'; readonly version: number; readonly by: string }
  | { readonly type: 'plan-rejected'; readonly version: number; readonly by: string; readonly why: string }
  /** A provider's limit stands between the run and its plan. */
  | { readonly type: 'plan-delayed'; readonly until: number; readonly reason: string }
  | { readonly type: 'milestones-crossed'; readonly percents: readonly number[] }
  /** `isFinal` is false only in older journals: the reflector was asked once more, because its answer could not be read. */
  | {
      readonly type: 'drift-judged';
      readonly stepId: string;
      readonly percents: readonly number[];
      readonly isAligned: boolean | null;
      readonly reason: string;
      readonly isFinal: boolean;
      /** It drifted, and no new plan may be asked for any more. */
      readonly isDeadEnd?: true;
    };
