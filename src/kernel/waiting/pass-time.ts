// Decides how much of the passing time counts as work.
import type { Event } from '#kernel/events/events.ts';
import type { Run } from '#kernel/fold/run.ts';
import { suspensionFor } from './suspension.ts';

export function passTime(run: Run, event: Event): void {
  const at = Math.max(run.now, event.at);
  if (isAtWork(run) && event.type !== 'driver-started') run.activeMs += at - run.now;
  run.now = at;
  run.lagMs = event.lagMs ?? 0;
}

/** The machine's clock at the newest event. */
export function wallNow({ now, lagMs }: Run): number {
  return now - lagMs;
}

function isAtWork(run: Run): boolean {
  return run.isDriven && run.paused === null && !isResting(run);
}

/** Waiting for a provider or a condition uses no budget, unless something runs meanwhile. */
export function isResting(run: Run): boolean {
  if (suspensionFor(run, null) !== null) return true;
  return run.running.size === 0 && (run.limitedUntil !== null || run.suspensions.size > 0);
}
