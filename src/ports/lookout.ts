// Watches the conditions that a run waits for: times by the wall clock, files, and commands that exit 0.
import type { AwaitedCondition } from '#kernel/waiting/condition.ts';

export interface Lookout {
  /**
   * Contract: resolves with the first of `awaited` that is met or can never be met; with null when `signal`
   * aborts. Never rejects. A time is judged by the machine's clock. Nothing expires without a test made after
   * the call. Tests of one condition never overlap, not even across processes. They are at least its interval
   * apart, however many calls there are; only the last one, at the limit of a poll, may come sooner. A test
   * that runs when `signal` aborts continues, and its result counts for the next call.
   */
  wait(awaited: readonly AwaitedCondition[], signal: AbortSignal): Promise<Sighting | null>;
  /**
   * Tests every condition once, now; null if none is met or impossible. Contract: as `wait`; a poll whose
   * interval is not over is not run again.
   */
  probe(awaited: readonly AwaitedCondition[]): Promise<Sighting | null>;
  /** Ends the running tests, with every process they started. */
  close(): Promise<void>;
}

export interface Sighting {
  readonly awaited: AwaitedCondition;
  readonly kind: 'met' | 'expired';
  readonly what: string;
  /** By the wall clock. */
  readonly seenAt: number;
  /** When it could be seen first, if that is known. */
  readonly due?: number;
  /** Why it was seen so much later than `due`. */
  readonly late?: string;
  /** How often a poll ran, if it expired for that reason. */
  readonly looks?: number;
}
