// The events after the end of a run: what a person did with it, and with its work.

export type AfterEndFact =
  /** A person landed the work on their own branch. */
  | ({ readonly type: 'run-landed' } & LandedWork)
  /** A person reopened an ended run: it continues from there. Finished work and spending stay. */
  | { readonly type: 'run-reopened'; readonly by: string }
  /** The events up to here are copies of another run's; later events and the budget are the fork's own. */
  | { readonly type: 'run-forked'; readonly from: string; readonly event: number; readonly by: string }
  /** In an unverified run: a person accepts the work of this very tree, if the acceptance still passes. */
  | { readonly type: 'run-approved'; readonly by: string; readonly tree: string }
  /** Its files, branch and logs are removed from here on; `kept` names what stays. */
  | {
      readonly type: 'run-cleaned';
      readonly by: string;
      readonly kept: readonly string[];
      readonly removedBytes: number;
    };

export interface LandedWork {
  /** `fast-forward`, `merged`, `squashed`, or `there already` if the branch had it. */
  readonly how: string;
  readonly target: string;
  readonly commit: string;
  readonly by: string;
  /** False for work that was landed without proof. */
  readonly isProven: boolean;
  /** A reviewer's pass is the only proof, and a person accepted that. */
  readonly acceptedReview?: true;
}

/** Events are numbered from 1, as `untildone show` prints them. */
export interface ForkOrigin {
  readonly runId: string;
  readonly event: number;
}
