// How a run can end, and the exit code for each end.

export type Outcome = 'completed' | 'failed' | 'exhausted' | 'blocked' | 'stopped' | 'unverified';

/** The end of a run; `proof` and `refused` as in the event. */
export interface EndedRun {
  readonly outcome: Outcome;
  readonly reason: string;
  readonly proof?: ProofKind;
  readonly refused?: 'preflight';
}

/** `usage` is the operator's mistake, `parked` a run that waits for a named condition. */
export const exitCodes = {
  completed: 0,
  failed: 1,
  usage: 2,
  exhausted: 3,
  blocked: 4,
  stopped: 5,
  parked: 6,
  unverified: 7,
} as const satisfies Record<Outcome | 'usage' | 'parked', number>;

/** A run refused before its first session is the operator's mistake, like a wrong flag. */
export function exitCodeOf(ended: Pick<EndedRun, 'outcome' | 'refused'> | null): number {
  if (ended?.refused !== undefined) return exitCodes.usage;
  return exitCodes[ended?.outcome ?? 'failed'];
}

/** Strongest first. */
export const proofKinds = ['checks', 'held-out', 'added-tests', 'person', 'review'] as const;

/**
 * - `checks`: a required check was red on the task's base and is green at the acceptance.
 * - `held-out`: the same for a held-out check.
 * - `added-tests`: tests that came with the work fail on the base, pass now, and every reviewer passed them.
 * - `person`: a person approved it.
 * - `review`: only a reviewer's pass.
 */
export type ProofKind = (typeof proofKinds)[number];
