import { refuseCleaned } from '#compose/clean/refuse-cleaned.ts';
import type { Site } from '#compose/site.ts';
import type { Run } from '#kernel/run.ts';
import { OperatorError } from '#ports/operator-error.ts';
import { isReviewedOnly } from '#views/proof.ts';
import { wayOn } from '#views/again.ts';

export async function refuseFinished(site: Site, run: Run): Promise<void> {
  if (run.outcome === null) return;
  await refuseCleaned(site, run, 'its branch and files are gone, so it cannot go on');
  const how = isReviewedOnly(run) ? ': reviewed, not proven' : ` (${run.outcome.outcome})`;
  throw new OperatorError('run-is-over', `The run ${run.id} is over${how}.`, wayOn(run));
}
