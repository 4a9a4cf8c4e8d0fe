// Events about single criteria: a loop works on them one by one, and people change them.
import type { CriteriaChange } from '#kernel/model/criterion.ts';

export type LoopFact =
  /** A session worked on a criterion that cannot be decided at once. */
  | { readonly type: 'criterion-attempted'; readonly taskId: string; readonly criterionId: string }
  | {
      readonly type: 'criterion-passed';
      readonly taskId: string;
      readonly criterionId: string;
      readonly tree: string;
    }
  | {
      readonly type: 'criterion-failed';
      readonly taskId: string;
      readonly criterionId: string;
      readonly reason: string;
    }
  /** It had passed, and no longer does. */
  | {
      readonly type: 'criterion-reopened';
      readonly taskId: string;
      readonly criterionId: string;
      readonly reason: string;
    }
  /** A pass over all criteria begins. */
  | { readonly type: 'iteration-started'; readonly taskId: string; readonly iteration: number }
  /** The settings ask for a stop here; a person resumes the run. */
  | { readonly type: 'run-parked'; readonly taskId: string; readonly why: string };

/** A change of criteria. Removing something needs a person, or a policy that allows it. */
export type CriteriaFact =
  | {
      readonly type: 'criteria-changed';
      readonly taskId: string;
      readonly change: CriteriaChange;
      readonly by: string;
      readonly why: string;
      readonly approvedBy: 'person' | 'policy';
    }
  | {
      readonly type: 'criterion-proposed';
      readonly taskId: string;
      readonly proposalId: string;
      readonly change: CriteriaChange;
      readonly by: string;
      readonly why: string;
    }
  | {
      readonly type: 'proposal-settled';
      readonly taskId: string;
      readonly proposalId: string;
      readonly isAccepted: boolean;
      readonly by: string;
      readonly why: string;
    };
