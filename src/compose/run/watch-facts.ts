// Hands the facts of a run to a callback that is not ours: what it throws ends the run cleanly and reaches the caller.
import type { Event } from '#kernel/events.ts';
import type { Observer } from '#ports/world.ts';

export interface FactsWatch {
  readonly observer: Observer;
  /** Aborted once the callback has thrown. */
  readonly signal: AbortSignal;
  throwIfFailed(): void;
}

export function watchFacts(
  onEvent: ((event: Event) => void) | undefined,
  onNote: (text: string) => void,
): FactsWatch {
  const failed = new AbortController();
  const safely = <T>(give: (value: T) => void, value: T): void => {
    if (failed.signal.aborted) return;
    try {
      give(value);
    } catch (error) {
      failed.abort(error);
    }
  };
  const giveAll = (events: readonly Event[]): void => {
    if (onEvent !== undefined) for (const event of events) safely(onEvent, event);
  };
  return {
    observer: {
      onReplayed: giveAll,
      onEvents: (_, events) => giveAll(events),
      onNote: (text) => safely(onNote, text),
    },
    signal: failed.signal,
    throwIfFailed: () => failed.signal.throwIfAborted(),
  };
}
