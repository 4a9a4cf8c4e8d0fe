// Picks the run that a command changes: a finished one is refused.
import { refuseCleaned } from '#app/clean/refuse-cleaned.ts';
import type { Site } from '#app/site.ts';
import type { Run } from '#kernel/fold/run.ts';
import { OperatorError } from '#base/operator-error.ts';
import { isReviewedOnly } from '#views/report/proof.ts';
import { openHere, type KnownRun } from '#surfaces/cli/open-here.ts';
import { wayOn } from '#views/status/again.ts';
import { type Picking, pickRun } from './pick-run.ts';

export async function pickUnfinished(
  name: string | undefined,
  picking: Picking,
): Promise<{ readonly site: Site; readonly known: KnownRun }> {
  const site = await openHere();
  const known = await pickRun(site, name, picking);
  await refuseFinished(site, known.run);
  return { site, known };
}

export async function refuseFinished(site: Site, run: Run): Promise<void> {
  if (run.outcome === null) return;
  await refuseCleaned(site, run, 'its branch and files were removed, so it cannot continue');
  const how = isReviewedOnly(run) ? ': reviewed, not proven' : ` (${run.outcome.outcome})`;
  throw new OperatorError('run-is-over', `The run ${run.id} is over${how}.`, wayOn(run));
}
