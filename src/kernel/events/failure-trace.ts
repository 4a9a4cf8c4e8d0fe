// The record of a failed attempt, from which the policy chooses the next one.

/** A slip, a wrong idea, a conflict with other work, an impossible task: the kind decides who tries next. */
export type FailureKind = 'syntax' | 'logic' | 'integration' | 'strategic';

export interface FailureTrace {
  readonly kind: FailureKind;
  /** The failure without random parts: times, paths of checkouts, addresses. */
  readonly signature: string;
  /** The tree after the attempt; null if it could not be read. */
  readonly tree: string | null;
  /** Criteria that passed on it. */
  readonly passing: readonly string[];
  /** Whether another agent makes the next attempt. */
  readonly hand: 'same-agent' | 'next-agent';
}
