// What a run waits for, by its journal alone: for processes that do not drive it.
import { present } from '#base/assert.ts';
import { decide } from '#kernel/decide/decide.ts';
import { isOnlyAttached } from '#kernel/decide/attached.ts';
import type { Run } from '#kernel/fold/run.ts';
import { presets } from '#policies/presets/index.ts';
import type { AwaitedCondition } from '#kernel/waiting/condition.ts';

export type WaitOfRun =
  /** Something other than a person can end the wait, or a reminder is due. */
  | { readonly kind: 'waits'; readonly awaited: readonly AwaitedCondition[]; readonly waitingFor: string }
  /** Only a person can end the wait. */
  | { readonly kind: 'for-person' }
  /** A driver would work at once. */
  | { readonly kind: 'can-work' }
  | { readonly kind: 'over' };

export function waitOfRun(run: Run): WaitOfRun {
  if (run.outcome !== null) return { kind: 'over' };
  const { policy } = present(presets[run.config.preset], `preset ${run.config.preset} is known`);
  const { until, waitingFor, record, start } = decide(run, policy);
  if (record.length > 0 || start.length > 0) return { kind: 'can-work' };
  if (until.length > 0) return { kind: 'waits', awaited: until, waitingFor: waitingFor ?? '' };
  // Steps of a driver that died: the next driver finds out how they ended.
  return isOnlyAttached(run) ? { kind: 'for-person' } : { kind: 'can-work' };
}

/** A driver would send a reminder, start no agent, and leave. */
export function isOnlyReminded(wait: WaitOfRun): boolean {
  return wait.kind === 'waits' && wait.awaited.every(({ kind }) => kind === 'reminder');
}
