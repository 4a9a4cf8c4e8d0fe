// Creates a run and drives it in this process.
import type { Site } from '#app/site.ts';
import { type CreatedRun, createHere, showStart, type WantedRun } from './create-here.ts';
import { driveHere } from './drive-here.ts';
import { refusedGoal } from './dry-run-here.ts';
import { isInteractive } from '#surfaces/cli/output.ts';

export async function startHere(
  site: Site,
  wanted: WantedRun,
  isJson: boolean,
  isTemporary = false,
): Promise<number> {
  return driveCreated(site, await createHere(site, wanted), isJson, isTemporary);
}

export async function driveCreated(
  site: Site,
  created: CreatedRun,
  isJson: boolean,
  isTemporary = false,
): Promise<number> {
  const { runId, resolved } = created;
  await showStart(site, created, isJson);
  const refused = await refusedGoal(site, created, isJson);
  if (refused !== null) return refused;
  const asksReview = resolved.isReviewOpen && !isJson && !isTemporary && isInteractive();
  return driveHere(site, runId, { isJson, isTemporary, asksReview, isNew: true });
}
