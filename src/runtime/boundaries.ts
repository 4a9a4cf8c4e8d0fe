import type { FactType } from '#kernel/events/events.ts';

/** Facts with outside effects: they are synced to disk before anything follows from them. */
export const boundaries: ReadonlySet<FactType> = new Set([
  'driver-started',
  'step-started',
  'step-ended',
  'step-lost',
  'control-received',
  'acceptance-passed',
  'suspended',
  'condition-met',
  'suspension-expired',
  'suspension-ended',
  'reminded',
  'run-ended',
]);
