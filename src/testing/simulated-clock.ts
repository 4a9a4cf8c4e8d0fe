// A clock for tests: time passes only when the test says so, and it may be wrong as real clocks are.
import type { Clock } from '#ports/clock.ts';

export interface SimulatedClock extends Clock {
  /** Lets time pass; wakes the waits that are due, earliest first. */
  advance(ms: number): void;
  /** Sets the clock forward or back, as an administrator or a sleeping laptop does; wakes the waits due. */
  jump(ms: number): void;
  /** The time at which the next wait is due; null if there is none. */
  nextDue(): number | null;
}

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

export function simulatedClock(startAt: number): SimulatedClock {
  let time = startAt;
  let sleepers: Sleeper[] = [];
  const wakeDue = (): void => {
    const due = sleepers.filter((one) => one.until <= time);
    if (due.length === 0) return;
    sleepers = sleepers.filter((one) => one.until > time);
    for (const one of due.toSorted((a, b) => a.until - b.until)) one.wake();
  };
  const move = (ms: number): void => {
    time += ms;
    wakeDue();
  };
  return {
    now: () => time,
    advance: move,
    jump: move,
    nextDue: () =>
      sleepers.reduce<number | null>((least, one) => Math.min(least ?? one.until, one.until), null),
    async waitUntil(until, signal) {
      if (until <= time || signal.aborted) return;
      await new Promise<void>((resolve) => {
        const sleeper: Sleeper = { until, wake: resolve };
        sleepers.push(sleeper);
        signal.addEventListener('abort', () => {
          sleepers = sleepers.filter((one) => one !== sleeper);
          resolve();
        });
      });
    },
  };
}
