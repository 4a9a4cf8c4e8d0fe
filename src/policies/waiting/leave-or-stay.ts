// Whether a driver leaves the run that it waits with, or keeps its process.
import { type Awaited, simpleConditions, stateOfCondition } from '#kernel/waiting/condition.ts';

export interface Wait {
  readonly awaited: readonly Awaited[];
  /** By the wall clock. */
  readonly now: number;
  readonly isTerminal: boolean;
  /** A living `untildone watch` would wake the run, with everything it needs. */
  readonly isWatched: boolean;
}

/** Starting a driver again costs more than waiting for so long. */
const nearMs = 600_000;

export type LeaveOrStay =
  | { readonly kind: 'leave' }
  /** A time is reached: it goes on in a moment, and there is nothing to say. */
  | { readonly kind: 'look' }
  | { readonly kind: 'stay'; readonly why: 'terminal' | 'soon' | 'not-woken' };

/** Only for a run that something other than a person lets go on, or that a reminder is due for. */
export function leaveOrStay({ awaited, now, isTerminal, isWatched }: Wait): LeaveOrStay {
  if (awaited.some((one) => isReached(one, now))) return { kind: 'look' };
  if (isTerminal) return { kind: 'stay', why: 'terminal' };
  if (awaited.every(({ kind }) => kind === 'reminder')) return { kind: 'leave' };
  if (nextTime(awaited, now) - now <= nearMs) return { kind: 'stay', why: 'soon' };
  if (!isWatched) return { kind: 'stay', why: 'not-woken' };
  return { kind: 'leave' };
}

/** Met by the clock alone. */
function isReached(awaited: Awaited, now: number): boolean {
  if (awaited.kind !== 'suspension') return awaited.at <= now;
  const state = stateOfCondition(awaited.condition, (simple) =>
    (simple.kind === 'time' && simple.at <= now) || (simple.kind === 'manual' && awaited.isApproved)
      ? 'met'
      : 'pending',
  );
  return state === 'met';
}

/** The next time at which the run may go on; Infinity where no time lets it. */
export function nextTime(awaited: readonly Awaited[], now: number): number {
  const times = awaited.flatMap((one) => {
    if (one.kind === 'reminder') return [];
    if (one.kind === 'limit') return [one.at];
    return simpleConditions(one.condition).flatMap((simple) => (simple.kind === 'time' ? [simple.at] : []));
  });
  return Math.min(Infinity, ...times.filter((at) => at > now));
}
