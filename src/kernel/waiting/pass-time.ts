// Which of the time that passes counts as work.
import type { Event } from '#kernel/events/events.ts';
import type { Run } from '#kernel/fold/run.ts';
import { suspensionFor } from './suspension.ts';

export function passTime(run: Run, event: Event): void {
  const at = Math.max(run.now, event.at);
  if (isAtWork(run) && event.type !== 'driver-started') run.activeMs += at - run.now;
  run.now = at;
  run.lagMs = event.lagMs ?? 0;
}

/** What the clock of the machine said at the newest fact. */
export function wallNow({ now, lagMs }: Run): number {
  return now - lagMs;
}

function isAtWork(run: Run): boolean {
  return run.isDriven && run.paused === null && !isResting(run);
}

/** Waiting for a provider or for a condition uses up no budget, unless something runs meanwhile. */
export function isResting(run: Run): boolean {
  if (suspensionFor(run, null) !== null) return true;
  return run.running.size === 0 && (run.limitedUntil !== null || run.suspensions.size > 0);
}
