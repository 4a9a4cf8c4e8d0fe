// A reviewer's verdict, and what our own runs of its blockers showed.
import type { ProcessEnding } from './ending.ts';

/** As the reviewer gave it: a claim. The policy decides how much it counts. */
export interface ReviewVerdict {
  /** `warn` passes with remarks. */
  readonly verdict: 'pass' | 'fail' | 'warn';
  /** 0 to 1; null if the reviewer gave none. */
  readonly confidence: number | null;
  readonly blockers: readonly Blocker[];
  /** In the reviewer's own words. */
  readonly text: string;
}

export interface Blocker {
  readonly what: string;
  readonly severity: 'critical' | 'major' | 'minor';
  readonly isSecurity: boolean;
  /** Fails as long as the blocker exists; null if the blocker has no command. */
  readonly command: string | null;
}

/** The result of our own run of a blocker's command. */
export interface Trial {
  /** `unknown`: it did not run to its end, or it changed the files that it tested. */
  readonly outcome: 'reproduced' | 'not reproduced' | 'unknown';
  readonly reason: string;
  readonly ending: ProcessEnding | null;
  readonly tail: string;
  readonly excerpt?: string;
  readonly log: string | null;
}
