// The results of checking a whole tree.
import type { BrokenPin, Evidence } from '#kernel/model/criterion.ts';
import type { RunsAfterLanding } from '#kernel/model/after-landing.ts';

export interface Checked {
  readonly tree: string;
  readonly treeAfter: string;
  readonly brokenPins: readonly BrokenPin[];
}

export interface Acceptance extends Checked {
  readonly stepId: string;
  /** It was recorded as passed, for this very tree and driver. */
  readonly isPassed: boolean;
  readonly epoch: number;
  /** Absent in older runs. */
  readonly runsAfterLanding?: readonly RunsAfterLanding[];
}

/** Checks of the work of a running session: a preview for its agent, which proves nothing. */
export interface Previews {
  /** Requests that wait for a preview. */
  asked: string[];
  newest: Preview | null;
}

export interface Preview extends Checked {
  /** Requests that it answers. */
  readonly answers: readonly string[];
}

/** How often a criterion really ran in attempts, and how often it failed there or at the acceptance. */
export interface Tries {
  readonly runs: number;
  readonly failures: number;
}

/** Reused evidence is no try. `before`: the last evidence for the same purpose. */
export function countTry(tries: Map<string, Tries>, evidence: Evidence, before: Evidence | undefined): void {
  const isOfWork = evidence.purpose === 'attempt' || evidence.purpose === 'acceptance';
  if (!isOfWork || evidence.reusedFrom !== undefined) return;
  // One run can be recorded twice: the second time with its calibration.
  const isSame = before?.stepId === evidence.stepId && before.tree === evidence.tree;
  const isFailure = evidence.verdict === 'fail' && !(isSame && before.verdict === 'fail');
  const { runs, failures } = tries.get(evidence.criterionId) ?? { runs: 0, failures: 0 };
  tries.set(evidence.criterionId, {
    runs: runs + (evidence.purpose === 'attempt' && !isSame ? 1 : 0),
    failures: failures + (isFailure ? 1 : 0),
  });
}
