// Turns callbacks into an async iterable with backpressure, for drivers whose client sends at any time.
import type { AgentEvent } from '#ports/agent.ts';

export interface EventQueue {
  readonly events: AsyncIterable<AgentEvent>;
  /** Returns a promise while the reader is behind: wait for it before pushing more. */
  push(event: AgentEvent): void | Promise<void>;
  /** Reading becomes optional: later events are kept, and their writer no longer waits. */
  letGo(): void;
  /** Resolves when the reader has handled everything pushed before, or has left. */
  allRead(): Promise<void>;
  end(): void;
  /** The reader has had all, has left, or was dismissed; no result settles before, even of a fast client. */
  readonly done: Promise<void>;
  /** The reader need not read to the end any more. */
  dismiss(): void;
}

/** A few events may wait, so that neither side stops for every single one. */
const waitingMax = 8;

export function createEventQueue(): EventQueue {
  const waiting: AgentEvent[] = [];
  let isEnded = false;
  let isLetGo = false;
  let isLeft = false;
  const moreToRead = createSignal();
  const roomToWrite = createSignal();
  const everythingRead = createSignal();
  const done = Promise.withResolvers<void>();

  async function* read(): AsyncGenerator<AgentEvent> {
    try {
      for (;;) {
        for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
          if (waiting.length < waitingMax) roomToWrite.send();
          yield event;
        }
        everythingRead.send();
        if (isEnded) return;
        await moreToRead.wait();
      }
    } finally {
      // A reader that leaves early must not block the client for ever.
      isEnded = true;
      roomToWrite.send();
      isLeft = true;
      everythingRead.send();
      done.resolve();
    }
  }

  return {
    events: read(),
    push: (event) => {
      if (isEnded) return;
      waiting.push(event);
      moreToRead.send();
      if (isLetGo || waiting.length < waitingMax) return;
      return roomToWrite.wait();
    },
    letGo: () => {
      isLetGo = true;
      roomToWrite.send();
    },
    allRead: () => {
      const allRead = everythingRead.wait();
      if (isLeft) everythingRead.send();
      else moreToRead.send();
      return allRead;
    },
    end: () => {
      isEnded = true;
      moreToRead.send();
      roomToWrite.send();
    },
    done: done.promise,
    dismiss: done.resolve,
  };
}

/** Resolves the waits that began before the signal; a later wait needs another one. */
function createSignal() {
  let waiting: (() => void)[] = [];
  return {
    wait: (): Promise<void> => new Promise((resolve) => waiting.push(resolve)),
    send: (): void => {
      const reached = waiting;
      waiting = [];
      for (const resolve of reached) resolve();
    },
  };
}
