// Makes a run and drives it in this process.
import type { Site } from '#compose/site.ts';
import type { ResolvedRun } from '#config/resolve-run.ts';
import type { PlanProposal } from '#kernel/plan.ts';
import { headerLines } from '#surfaces/cli/render/header.ts';
import { driveHere } from './drive-here.ts';
import { isInteractive, print, printJsonLine } from './output.ts';

export type WantedRun = ResolvedRun & { readonly plan?: PlanProposal };

/** A run that is created and not driven yet. */
export interface CreatedRun {
  readonly runId: string;
  readonly resolved: WantedRun;
}

export async function startHere(
  site: Site,
  wanted: WantedRun,
  isJson: boolean,
  isPassing = false,
): Promise<number> {
  return driveCreated(site, await createHere(site, wanted), isJson, isPassing);
}

export async function createHere(site: Site, wanted: WantedRun): Promise<CreatedRun> {
  const { startRun } = await import('#compose.ts');
  const { settleSandbox } = await import('#compose/sandbox.ts');
  await (await import('#config/check-programs.ts')).refuseMissingPrograms(site, wanted);
  const resolved = { ...wanted, config: settleSandbox(wanted.config) };
  return { runId: await startRun(site, { ...resolved, isHeld: true }), resolved };
}

export async function driveCreated(
  site: Site,
  { runId, resolved }: CreatedRun,
  isJson: boolean,
  isPassing = false,
): Promise<number> {
  if (isJson)
    printJsonLine({
      type: 'run',
      runId,
      isResumed: false,
      sandbox: resolved.config.sandbox?.kind ?? 'none',
      notes: resolved.notes,
    });
  else for (const line of headerLines({ runId, ...resolved })) print(line);
  const asksReview = resolved.isReviewOpen && !isJson && !isPassing && isInteractive();
  return driveHere(site, runId, { isJson, isPassing, asksReview });
}
