// What was seen when files were checked as a whole.
import type { BrokenPin } from './criterion.ts';

export interface Checked {
  readonly tree: string;
  readonly treeAfter: string;
  readonly brokenPins: readonly BrokenPin[];
}

export interface Acceptance extends Checked {
  readonly stepId: string;
  readonly epoch: number;
}

export interface Look extends Checked {
  readonly answers: readonly string[];
}
