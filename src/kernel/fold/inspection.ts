// What was seen of a task's work since its last builder session began; the next one starts with an empty one.
import type { Checked } from '#kernel/proof/looked.ts';
import type { ReviewState } from './review.ts';

export interface Inspection {
  /** The last check of the work. */
  checked: Checked | null;
  /** By role. */
  readonly reviews: Map<string, ReviewState>;
}

export function emptyInspection(): Inspection {
  return { checked: null, reviews: new Map() };
}
