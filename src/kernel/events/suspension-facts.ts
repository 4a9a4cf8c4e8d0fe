// The events of a suspension. Single tests of its condition are not recorded.
import type { Condition } from '#kernel/waiting/condition.ts';

export type SuspensionFact =
  | {
      readonly type: 'suspended';
      readonly suspensionId: string;
      /** Absent for the whole run. */
      readonly taskId?: string;
      readonly condition: Condition;
      readonly why: string;
      readonly by: string;
      readonly since: number;
      readonly remindAt?: number;
      readonly isNow?: true;
      /** An agent asked for it. */
      readonly isByAgent?: true;
    }
  /** `due`: when it could be seen first, if known. `late`: why it was seen only at `seenAt`. */
  | {
      readonly type: 'condition-met';
      readonly suspensionId: string;
      readonly what: string;
      readonly seenAt: number;
      readonly due?: number;
      readonly late?: string;
    }
  | {
      readonly type: 'suspension-expired';
      readonly suspensionId: string;
      readonly looks: number;
      readonly last: string;
    }
  /** A person approved, but the condition has further parts. */
  | { readonly type: 'suspension-approved'; readonly suspensionId: string; readonly by: string }
  | {
      readonly type: 'suspension-ended';
      readonly suspensionId: string;
      readonly by: string;
      readonly how: 'forced' | 'approved' | 'rejected';
      readonly why?: string;
    }
  | { readonly type: 'reminded'; readonly suspensionId: string };
