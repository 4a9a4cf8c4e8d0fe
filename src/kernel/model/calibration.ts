// How a check itself was tested: whether it still fails when it should.

/**
 * - `bytes`: pinned files in the checkout have the bytes of a checkout of the base.
 * - `base-recheck`: a check that was red on the base is red there again.
 * - `attribution`: the work turned the check green, not its new tests, fixtures, scripts or settings.
 * - `planted-failure`: a failing test in each test file turns the check red, by name; no other test changes.
 * - `negation`: a test that passes now fails when its assertions are negated.
 * - `added-tests`: tests that came with the work fail on the base and pass now.
 */
export type CalibrationKind = (typeof calibrationKinds)[number];

export const calibrationKinds = [
  'bytes',
  'base-recheck',
  'attribution',
  'planted-failure',
  'negation',
  'added-tests',
] as const;

export interface Calibration {
  readonly kind: CalibrationKind;
  /** `refused`: the check does not measure the work. `none`: it could not be tried; no agent is to blame. */
  readonly verdict: 'passed' | 'refused' | 'none';
  /** One sentence for a person. */
  readonly reason: string;
  /** How often the check ran for this test. */
  readonly runs: number;
  readonly durationMs: number;
  /** Names inside the run's log folder. */
  readonly logs: readonly string[];
  /** Test files that the verdict is about, bounded. */
  readonly files?: readonly string[];
  /** No builder can answer this refusal: a person is asked at once. */
  readonly asks?: 'person';
  /** The check is green only with files that the work added, so its flip counts as `added-tests` at most. */
  readonly restsOnAddedFiles?: true;
}
