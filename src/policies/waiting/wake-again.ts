// Decides when to wake a run again that was woken and still waits for the same condition.
import { type AwaitedCondition, simpleConditions } from '#kernel/waiting/condition.ts';

const leastMs = 5_000;
const mostMs = 600_000;

/** Doubles with each try, up to ten minutes; never sooner than the run's own polls are due. */
export function wakeAgainAfterMs(awaited: readonly AwaitedCondition[], tries: number): number {
  const everyMs = awaited.flatMap((one) =>
    one.kind === 'suspension'
      ? simpleConditions(one.condition).flatMap((simple) => (simple.kind === 'poll' ? [simple.everyMs] : []))
      : [],
  );
  const baseMs = Math.max(leastMs, Math.min(Infinity, ...everyMs) === Infinity ? 0 : Math.min(...everyMs));
  return Math.max(baseMs, Math.min(mostMs, leastMs * 2 ** Math.min(tries, 20)));
}
