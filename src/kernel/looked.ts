// What was seen when files were checked as a whole.
import type { BrokenPin } from './criterion.ts';
import type { RunsAfterLanding } from '#kernel/model/after-landing.ts';

export interface Checked {
  readonly tree: string;
  readonly treeAfter: string;
  readonly brokenPins: readonly BrokenPin[];
}

export interface Acceptance extends Checked {
  readonly stepId: string;
  readonly epoch: number;
  /** Absent in runs that did not look for it. */
  readonly runsAfterLanding?: readonly RunsAfterLanding[];
}

export interface Look extends Checked {
  readonly answers: readonly string[];
}
