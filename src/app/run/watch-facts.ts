// Passes facts to the caller's callbacks: their errors end the run cleanly and reach the caller.
import type { Event } from '#kernel/events/events.ts';
import type { Observer } from '#ports/world.ts';

export interface FactsWatch {
  readonly observer: Observer;
  readonly onNote: (text: string) => void;
  /** Aborted once a callback has thrown, or its promise has rejected. */
  readonly signal: AbortSignal;
  readonly throwIfFailed: () => void;
  /** Waits for every promise that a callback returned; then like `throwIfFailed`. */
  readonly settle: () => Promise<void>;
}

export function watchFacts(
  onEvent: ((event: Event) => unknown) | undefined,
  onNote: (text: string) => unknown,
): FactsWatch {
  const failed = new AbortController();
  const pending = new Set<Promise<void>>();
  const fail = (error: unknown): void => {
    if (!failed.signal.aborted) failed.abort(error);
  };
  const safely = <T>(give: (value: T) => unknown, value: T): void => {
    if (failed.signal.aborted) return;
    try {
      const replacement = give(value);
      if (!isThenable(replacement)) return;
      const settling: Promise<void> = Promise.resolve(replacement)
        .then(() => undefined, fail)
        .finally(() => pending.delete(settling));
      pending.add(settling);
    } catch (error) {
      fail(error);
    }
  };
  const giveAll = (events: readonly Event[]): void => {
    if (onEvent !== undefined) for (const event of events) safely(onEvent, event);
  };
  const giveNote = (text: string): void => safely(onNote, text);
  return {
    observer: { onReplayed: giveAll, onEvents: (_, events) => giveAll(events), onNote: giveNote },
    onNote: giveNote,
    signal: failed.signal,
    throwIfFailed: () => failed.signal.throwIfAborted(),
    settle: async () => {
      await Promise.all(pending);
      failed.signal.throwIfAborted();
    },
  };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
