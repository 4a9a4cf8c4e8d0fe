// What became of the work after the run: where a person has taken it. It changes nothing of what was proven.
import type { Event } from './events.ts';
import type { Run } from './run.ts';

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

/** What was removed of a run after its end. */
export interface Cleaning {
  readonly by: string;
  readonly at: number;
  readonly kept: readonly string[];
  readonly removedBytes: number;
}

export function applyLanding(run: Run, event: Event & { readonly type: 'run-landed' }): void {
  const { how, target, commit, by, isProven, acceptedReview } = event;
  const landed = { how, target, commit, by, isProven };
  run.landings.push(acceptedReview === undefined ? landed : { ...landed, acceptedReview });
}
