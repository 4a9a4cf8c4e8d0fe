// What a reviewer said of the work, and what came of it.
import type { ReviewVerdict, Trial } from '#kernel/model/review.ts';

export type ReviewFact =
  | {
      readonly type: 'reviewer-failed';
      readonly taskId: string;
      readonly stepId: string;
      readonly reason: string;
    }
  /** What a reviewer's session amounts to; what it counts for is concluded from it. */
  | {
      readonly type: 'review-received';
      readonly taskId: string;
      readonly stepId: string;
      readonly verdict: ReviewVerdict;
    }
  /** We ran the command of a blocker ourselves; `stepId` is the review's. */
  | {
      readonly type: 'blocker-tried';
      readonly taskId: string;
      readonly stepId: string;
      readonly index: number;
      readonly trial: Trial;
    }
  /** Its word settles nothing as it stands: it is asked again. */
  | {
      readonly type: 'review-doubted';
      readonly taskId: string;
      readonly stepId: string;
      readonly reason: string;
    }
  | {
      readonly type: 'report-received';
      readonly taskId: string;
      readonly stepId: string;
      readonly text: string;
    };
