// A dry run does everything that a run does before its first session, and nothing that costs.
import type { Run } from '#kernel/fold/run.ts';
import type { Operation } from '#kernel/model/step.ts';

/** What a dry run is parked on when no free step is left. */
export const dryRunWait = 'its first session, which a dry run does not start';

export function isHeldBack({ config }: Run, { kind }: Operation): boolean {
  return kind === 'session' && config.dryRun === true;
}
