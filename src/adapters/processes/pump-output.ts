// Passes output on as it comes, and slows the program down while its reader is busy. Keeps nothing.
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { errorText } from '#base/error-text.ts';
import type { ProcessSpec } from '#ports/processes.ts';

export interface PumpEvents {
  onOutput(): void;
  onHeld(change: 1 | -1): void;
  onRefused(reason: string): void;
}

/** A pipe that an escaped process holds is closed after this much silence. */
const stalePipeMs = 2_000;
/** Output from before the exit is read in a few turns; a leftover that prints endlessly gets no more time. */
const deliverMsMax = 250;
const quietTurns = 3;

export interface Pump {
  /** All output so far has been passed on; the pipes may still be open. */
  delivered(): Promise<void>;
  drained(): Promise<void>;
}

export function pumpOutput(
  child: ChildProcess,
  spec: Pick<ProcessSpec, 'onOutput'>,
  events: PumpEvents,
): Pump {
  const pumps = [
    pump(child.stdout, (chunk) => spec.onOutput(chunk, 'stdout'), events),
    pump(child.stderr, (chunk) => spec.onOutput(chunk, 'stderr'), events),
  ];
  return {
    delivered: async () => {
      await Promise.all(pumps.map((one) => one.delivered()));
    },
    drained: async () => {
      await Promise.all(pumps.map((one) => one.drained()));
    },
  };
}

function pump(
  stream: Readable | null,
  deliver: (chunk: Buffer) => void | Promise<void>,
  events: PumpEvents,
): Pump {
  if (stream === null) return { delivered: async () => {}, drained: async () => {} };
  let lastOutputAt = performance.now();
  let held: Promise<void> | null = null;
  const closed = new Promise<void>((resolve) => {
    stream.once('close', resolve);
  });
  const letGoAfter = (taken: Promise<void>): void => {
    held = taken.then(() => {
      events.onHeld(-1);
      events.onOutput();
      lastOutputAt = performance.now();
      if (held !== mine) return;
      held = null;
      stream.resume();
    });
    const mine = held;
  };
  stream.on('error', () => stream.destroy());
  stream.on('data', (chunk: Buffer) => {
    lastOutputAt = performance.now();
    events.onOutput();
    const give = (): void | Promise<void> => take(() => deliver(chunk), events);
    // When the program exits, Node resumes a paused stream; chunks still come in order.
    const taken = held === null ? give() : held.then(give);
    if (taken === undefined) return;
    stream.pause();
    events.onHeld(1);
    letGoAfter(taken);
  });

  return {
    delivered: async () => {
      const deadline = performance.now() + deliverMsMax;
      // Node reads a pipe at every turn of its loop: after some quiet turns it is empty.
      for (let quiet = 0; quiet < quietTurns && !stream.closed && performance.now() < deadline; quiet += 1) {
        const before = lastOutputAt;
        const isHeld = held !== null;
        await (isHeld ? sleep(1) : nextTurn());
        if (isHeld || lastOutputAt !== before) quiet = -1;
      }
    },
    drained: async () => {
      const watch = setInterval(() => {
        if (held === null && performance.now() - lastOutputAt > stalePipeMs) stream.destroy();
      }, 250);
      await closed;
      clearInterval(watch);
      while (held !== null) await held;
    },
  };
}

/** Never rejects: a failing reader ends the program, not us. */
function take(deliver: () => void | Promise<void>, events: PumpEvents): void | Promise<void> {
  const refuse = (error: unknown): void => events.onRefused(errorText(error));
  try {
    return deliver()?.catch(refuse);
  } catch (error) {
    refuse(error);
  }
}
