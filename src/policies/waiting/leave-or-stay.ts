// Decides whether the driver of a waiting run exits or keeps its process.
import { type AwaitedCondition, simpleConditions, stateOfCondition } from '#kernel/waiting/condition.ts';

export interface Wait {
  readonly awaited: readonly AwaitedCondition[];
  /** Wall clock time. */
  readonly now: number;
  readonly isTerminal: boolean;
  /** A live `untildone watch` would wake the run, with everything it needs. */
  readonly isWatched: boolean;
}

/** Below this, waiting costs less than starting a driver again. */
const nearMs = 600_000;

export type LeaveOrStay =
  | { readonly kind: 'leave' }
  /** A time was reached: the run continues at once, and there is nothing to report. */
  | { readonly kind: 'look' }
  | { readonly kind: 'stay'; readonly why: 'terminal' | 'soon' | 'not-woken' };

/** Only for runs that can continue without a person, or that have a reminder due. */
export function leaveOrStay({ awaited, now, isTerminal, isWatched }: Wait): LeaveOrStay {
  if (awaited.some((one) => isReached(one, now))) return { kind: 'look' };
  if (isTerminal) return { kind: 'stay', why: 'terminal' };
  if (awaited.every(({ kind }) => kind === 'reminder')) return { kind: 'leave' };
  if (nextTime(awaited, now) - now <= nearMs) return { kind: 'stay', why: 'soon' };
  if (!isWatched) return { kind: 'stay', why: 'not-woken' };
  return { kind: 'leave' };
}

/** Met by the clock or by an approval that is already given. */
function isReached(awaited: AwaitedCondition, now: number): boolean {
  if (awaited.kind !== 'suspension') return awaited.at <= now;
  const state = stateOfCondition(awaited.condition, (simple) =>
    (simple.kind === 'time' && simple.at <= now) || (simple.kind === 'manual' && awaited.isApproved)
      ? 'met'
      : 'pending',
  );
  return state === 'met';
}

/** The next time at which the run may continue; Infinity if no time is awaited. */
export function nextTime(awaited: readonly AwaitedCondition[], now: number): number {
  const times = awaited.flatMap((one) => {
    if (one.kind === 'reminder') return [];
    if (one.kind === 'limit') return [one.at];
    return simpleConditions(one.condition).flatMap((simple) => (simple.kind === 'time' ? [simple.at] : []));
  });
  return Math.min(Infinity, ...times.filter((at) => at > now));
}
