// A queue of messages from running steps to the driver, in order; senders never wait.

export interface Mailbox<T> {
  post(items: readonly T[]): void;
  /** Everything that arrived; throws the error of a failed step, if there is one. */
  drain(): T[];
  hasSome(): boolean;
  wake(): void;
  fail(error: unknown): void;
  /** Resolves at once if something arrived since the last drain. */
  arrival(): Promise<void>;
}

export function createMailbox<T>(): Mailbox<T> {
  let items: T[] = [];
  let failure: { readonly error: unknown } | null = null;
  let isAwake = false;
  let ring: () => void = () => {};
  const wake = (): void => {
    isAwake = true;
    ring();
  };
  return {
    wake,
    post(more) {
      items.push(...more);
      wake();
    },
    drain() {
      isAwake = false;
      if (failure !== null) throw failure.error;
      const all = items;
      items = [];
      return all;
    },
    hasSome: () => isAwake,
    fail(error) {
      failure ??= { error };
      wake();
    },
    async arrival() {
      if (isAwake) return;
      await new Promise<void>((resolve) => {
        ring = resolve;
      });
    },
  };
}
