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
  /** The reader has had everything, has left, or was dismissed: a result is told only then, however fast the client ended. */
  readonly done: Promise<void>;
  /** Nobody need read to the end any more. */
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
      // A reader that leaves early must not hold the client for ever.
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

/** Resolves the waits that began before it is sent; a later wait needs another one. */
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
