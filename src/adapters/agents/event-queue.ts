// From callbacks to an async iterable that holds its writer back: for drivers whose client talks when it likes.
import type { AgentEvent } from '#ports/agent.ts';

export interface EventQueue {
  readonly events: AsyncIterable<AgentEvent>;
  /** Returns a promise while the reader is behind: wait for it before handing over more. */
  push(event: AgentEvent): void | Promise<void>;
  /** Nobody need read any more: what comes now is kept, and its writer no longer waits. */
  letGo(): void;
  /** Resolves when the reader has dealt with everything that was pushed before, or has left. */
  allRead(): Promise<void>;
  end(): void;
}

/** A few events may wait, so that neither side stops for every single one. */
const waitingMax = 8;

export function createEventQueue(): EventQueue {
  const waiting: AgentEvent[] = [];
  let isEnded = false;
  let isLetGo = false;
  let isLeft = false;
  let reader: (() => void) | null = null;
  let writers: (() => void)[] = [];
  let onAllRead: (() => void)[] = [];

  const wake = (): void => {
    const woken = reader;
    reader = null;
    woken?.();
  };
  const release = (): void => {
    const released = writers;
    writers = [];
    for (const writer of released) writer();
  };
  const tellAllRead = (): void => {
    const told = onAllRead;
    onAllRead = [];
    for (const one of told) one();
  };
  async function* read(): AsyncGenerator<AgentEvent> {
    try {
      for (;;) {
        for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
          if (waiting.length < waitingMax) release();
          yield event;
        }
        tellAllRead();
        if (isEnded) return;
        await new Promise<void>((resolve) => {
          reader = resolve;
        });
      }
    } finally {
      // A reader that leaves early must not hold the client for ever.
      isEnded = true;
      release();
      isLeft = true;
      tellAllRead();
    }
  }

  return {
    events: read(),
    push: (event) => {
      if (isEnded) return;
      waiting.push(event);
      wake();
      if (isLetGo || waiting.length < waitingMax) return;
      return new Promise<void>((resolve) => writers.push(resolve));
    },
    letGo: () => {
      isLetGo = true;
      release();
    },
    allRead: () =>
      new Promise<void>((resolve) => {
        onAllRead.push(resolve);
        if (isLeft) tellAllRead();
        else wake();
      }),
    end: () => {
      isEnded = true;
      wake();
      release();
    },
  };
}
