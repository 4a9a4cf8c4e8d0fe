// Events about a reviewer's verdict and its consequences.
import type { ReviewVerdict, Trial } from '#kernel/model/review.ts';

export type ReviewFact =
  | {
      readonly type: 'reviewer-failed';
      readonly taskId: string;
      readonly stepId: string;
      readonly reason: string;
    }
  /** The parsed result of a reviewer's session; its weight is decided later. */
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
  /** The verdict settles nothing in this form: the reviewer is asked again. */
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
