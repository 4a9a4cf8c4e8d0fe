// The facts of a run that is over: what a person did with it, and with its work.

export type AfterEndFact =
  /** After the end: a person took the work to a branch of theirs. */
  | ({ readonly type: 'run-landed' } & LandedWork)
  /** A person wants more of a run that was over: it goes on from there. What is done and spent stays so. */
  | { readonly type: 'run-reopened'; readonly by: string }
  /** Up to here the events are copies of another run's; from here on the run has its own events and its own budget. */
  | { readonly type: 'run-forked'; readonly from: string; readonly event: number; readonly by: string }
  /** Of a run that ended as unverified: the work of this very tree is taken as done, if it is still accepted. */
  | { readonly type: 'run-approved'; readonly by: string; readonly tree: string }
  /** After the end: its files, branch and logs are removed from here on; `kept` names what stays. */
  | {
      readonly type: 'run-cleaned';
      readonly by: string;
      readonly kept: readonly string[];
      readonly removedBytes: number;
    };

export interface LandedWork {
  /** `fast-forward`, `merged`, `squashed`, or `there already` where it was found on the branch. */
  readonly how: string;
  /** The branch. */
  readonly target: string;
  readonly commit: string;
  readonly by: string;
  /** False for work that was landed though nothing proves it. */
  readonly isProven: boolean;
  /** Nothing but a reviewer's pass speaks for the work, and a person accepted that. */
  readonly acceptedReview?: true;
}

/** Events are numbered from 1, as `untildone show` prints them. */
export interface ForkOrigin {
  readonly runId: string;
  readonly event: number;
}
