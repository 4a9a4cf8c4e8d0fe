// A result is told only after the last event was read, however fast the client ended.
import type { AgentEvent } from '#ports/agent.ts';

export interface ReadOut {
  readonly events: AsyncIterable<AgentEvent>;
  /** The reader has had everything, or has left. */
  readonly done: Promise<void>;
  /** Nobody need read any more. */
  letGo(): void;
}

export function readOut(source: AsyncIterable<AgentEvent>): ReadOut {
  const done = Promise.withResolvers<void>();
  async function* read(): AsyncGenerator<AgentEvent> {
    try {
      yield* source;
    } finally {
      done.resolve();
    }
  }
  return { events: read(), done: done.promise, letGo: done.resolve };
}
