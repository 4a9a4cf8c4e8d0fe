// What a reviewer said, and what came of the blockers that it named.
import type { ProcessEnding } from './ending.ts';

/** As the reviewer gave it. It is a claim: what it counts for is decided by the policy. */
export interface ReviewVerdict {
  /** `warn` passes with remarks. */
  readonly verdict: 'pass' | 'fail' | 'warn';
  /** 0 to 1; null where nothing was said of it. */
  readonly confidence: number | null;
  readonly blockers: readonly Blocker[];
  /** In the reviewer's own words. */
  readonly text: string;
}

export interface Blocker {
  readonly what: string;
  readonly severity: 'critical' | 'major' | 'minor';
  readonly isSecurity: boolean;
  /** Fails as long as the blocker is there; null where it can only be read. */
  readonly command: string | null;
}

/** What came of a blocker's command when we ran it ourselves. */
export interface Trial {
  /** `unknown`: it could not be run to its end, or it changed the files that it looked at. */
  readonly outcome: 'reproduced' | 'not reproduced' | 'unknown';
  readonly reason: string;
  readonly ending: ProcessEnding | null;
  readonly tail: string;
  readonly excerpt?: string;
  readonly log: string | null;
}
