// What was seen when files were checked as a whole.
import type { BrokenPin, Evidence } from '#kernel/model/criterion.ts';
import type { RunsAfterLanding } from '#kernel/model/after-landing.ts';

export interface Checked {
  readonly tree: string;
  readonly treeAfter: string;
  readonly brokenPins: readonly BrokenPin[];
}

export interface Acceptance extends Checked {
  readonly stepId: string;
  /** It was recorded as passed, for the very tree and driver that it names. */
  readonly isPassed: boolean;
  readonly epoch: number;
  /** Absent in runs that did not look for it. */
  readonly runsAfterLanding?: readonly RunsAfterLanding[];
}

/** Checks of the work of a live session: a preview for its agent, which proves nothing. */
export interface Previews {
  /** Requests that wait for one. */
  asked: string[];
  newest: Look | null;
}

export interface Look extends Checked {
  /** Requests that it answers. */
  readonly answers: readonly string[];
}

/** How often a criterion was really looked at in attempts, and how often it failed there or at the acceptance. */
export interface Tries {
  readonly runs: number;
  readonly failures: number;
}

/** What was seen before and only repeated is no try. `before`: the last evidence for the same purpose. */
export function countTry(tries: Map<string, Tries>, seen: Evidence, before: Evidence | undefined): void {
  const isOfWork = seen.purpose === 'attempt' || seen.purpose === 'acceptance';
  if (!isOfWork || seen.reusedFrom !== undefined) return;
  // One look may be recorded twice: once more with how its check was tested.
  const isSame = before?.stepId === seen.stepId && before.tree === seen.tree;
  const isFailure = seen.verdict === 'fail' && !(isSame && before.verdict === 'fail');
  const { runs, failures } = tries.get(seen.criterionId) ?? { runs: 0, failures: 0 };
  tries.set(seen.criterionId, {
    runs: runs + (seen.purpose === 'attempt' && !isSame ? 1 : 0),
    failures: failures + (isFailure ? 1 : 0),
  });
}
