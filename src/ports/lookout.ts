// Watches the world for what a run waits for: times by the wall clock, files, and commands that exit 0.
import type { Awaited } from '#kernel/waiting/condition.ts';

export interface Lookout {
  /**
   * Contract: resolves with the first of `awaited` that is met or can never be met; with null when `signal` aborts. Never
   * rejects. A time is judged by the clock of the machine. Nothing expires without a look made after the call. Looks of one
   * condition never overlap, also not with those of another process, and are at least its interval apart, whatever the
   * number of calls; only the last look, at the limit of a poll, may come sooner. A look under way when `signal` aborts goes on, and its result counts for the next call.
   */
  wait(awaited: readonly Awaited[], signal: AbortSignal): Promise<Sighting | null>;
  /**
   * One look at everything, now: what is met or can never be met; null when nothing is. Contract: as `wait`; a poll whose
   * interval is not over is not looked at again.
   */
  look(awaited: readonly Awaited[]): Promise<Sighting | null>;
  /** Ends the looks under way, with everything they started. */
  close(): Promise<void>;
}

export interface Sighting {
  readonly awaited: Awaited;
  readonly kind: 'met' | 'expired';
  /** What was seen, in words. */
  readonly what: string;
  /** By the wall clock. */
  readonly seenAt: number;
  /** When it could be seen first, where that is known. */
  readonly due?: number;
  /** Why it was seen so much later than that. */
  readonly late?: string;
  /** How often a poll was looked at, where that is why it expired. */
  readonly looks?: number;
}
