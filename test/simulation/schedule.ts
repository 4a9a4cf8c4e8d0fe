// The planned events of the simulated time. They happen one at a time; between two, all promises settle.
import type { SimulatedClock } from '../../src/testing/simulated-clock.ts';

export interface Schedule {
  /** Time that has passed while the machine was awake. */
  now(): number;
  after(ms: number, happen: () => void): void;
  /** Lets the next thing happen; false when nothing is planned and no process waits for a time. */
  next(): boolean;
}

/** `standsStill` says whether the clock misses the time that passes now. */
export function createSchedule(clock: SimulatedClock, standsStill: () => boolean): Schedule {
  let time = 0;
  const planned: { readonly at: number; readonly happen: () => void }[] = [];
  return {
    now: () => time,
    after(ms, happen) {
      planned.push({ at: time + ms, happen });
    },
    next() {
      const due = clock.nextDue();
      const wakeAt = due === null ? Infinity : time + Math.max(0, due - clock.now());
      let soonest = -1;
      let at = wakeAt;
      for (const [index, one] of planned.entries()) {
        if (one.at < at) {
          at = one.at;
          soonest = index;
        }
      }
      if (at === Infinity) return false;
      const passed = at - time;
      time = at;
      if (soonest === -1) {
        clock.advance(passed);
        return true;
      }
      const [one] = planned.splice(soonest, 1);
      if (!standsStill()) clock.advance(passed);
      one?.happen();
      return true;
    },
  };
}

/** Resolves when no promise has anything left to do: the tick queue runs after the last of them. */
export async function settled(): Promise<void> {
  await new Promise<void>((resolve) => {
    process.nextTick(resolve);
  });
}
