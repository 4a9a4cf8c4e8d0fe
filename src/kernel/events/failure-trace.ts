// What a failed attempt leaves to learn from.

/** Who is to blame steers who tries next: a slip, a wrong idea, a clash with other work, or a task that cannot be done so. */
export type FailureKind = 'syntax' | 'logic' | 'integration' | 'strategic';

export interface FailureTrace {
  readonly kind: FailureKind;
  /** What failed, without what differs by chance: times, paths of checkouts, addresses. */
  readonly signature: string;
  /** The tree that was left; null when it could not be read. */
  readonly tree: string | null;
  /** Criteria that passed on it. */
  readonly passing: readonly string[];
  /** Whether the next attempt is another agent's. */
  readonly hand: 'same-agent' | 'next-agent';
}
