// Simulated providers that refuse until a time that they report.
import type { Behaviour } from '../agent.ts';
import type { Universe } from '../universe.ts';

const hourMs = 3_600_000;

export function limited({ waits, clock }: Universe, behaviour: Behaviour): Behaviour {
  if (waits === null || !waits.random.chance(waits.limitRate)) return behaviour;
  const resetAt = clock.now() + waits.random.pick([0, hourMs / 2, 5 * hourMs]);
  const known = waits.random.chance(0.8) ? { resetAt } : {};
  const ending = { kind: 'failed', errorClass: 'usage-limit', detail: 'enough for now', ...known } as const;
  return { ...behaviour, ending, signal: null };
}
