// A clock for tests: time passes only when it is told to, and it may lie as real clocks do.
import type { Clock } from '#ports/clock.ts';

export interface SimulatedClock extends Clock {
  /** Lets time pass; whoever waits for a time that is reached is woken, earliest first. */
  advance(ms: number): void;
  /** Sets the clock forward or back without any time passing, as an administrator or a sleeping laptop does. */
  jump(ms: number): void;
  /** What the clock must show before anybody is woken; null when nobody waits. */
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
