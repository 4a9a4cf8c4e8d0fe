// Which simulated runs wait, and how often their world fails.
import type { Random } from '../random.ts';

export interface WaitPlan {
  /** A stream of its own: lives without waiting are as they were. */
  readonly random: Random;
  /** At each moment: a person suspends a run or task, or decides about a suspension. */
  readonly suspendRate: number;
  /** The clock is set by days. */
  readonly jumpRate: number;
  /** The machine sleeps for hours. */
  readonly sleepRate: number;
  /** Of sessions: the provider refuses until a time. */
  readonly limitRate: number;
  /** Processes that wake parked runs, at the start. */
  readonly wakers: number;
  readonly wakersDie: boolean;
  /** The entry that a driver saves is lost on its way to the disk. */
  readonly entryLossRate: number;
}

export function planWaits(random: Random): WaitPlan | null {
  if (!random.chance(0.2)) return null;
  return {
    random,
    suspendRate: random.pick([0.005, 0.01, 0.03]),
    jumpRate: random.pick([0, 0.001, 0.004]),
    sleepRate: random.pick([0, 0.001]),
    limitRate: random.pick([0, 0.1]),
    wakers: random.weighted([
      [2, 0],
      [6, 1],
      [2, 2],
    ]),
    wakersDie: random.chance(0.4),
    entryLossRate: random.pick([0, 0, 0.2]),
  };
}
