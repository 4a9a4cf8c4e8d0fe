// Makes a run and drives it in this process.
import type { Site } from '#compose/site.ts';
import type { ResolvedRun } from '#config/resolve-run.ts';
import type { PlanProposal } from '#kernel/plan.ts';
import { headerLines } from '#surfaces/cli/render/header.ts';
import { driveHere } from './drive-here.ts';
import { print, printJsonLine } from './output.ts';

export async function startHere(
  site: Site,
  wanted: ResolvedRun & { readonly plan?: PlanProposal },
  isJson: boolean,
  isPassing = false,
): Promise<number> {
  const { startRun } = await import('#compose.ts');
  const { settleSandbox } = await import('#compose/sandbox.ts');
  const config = settleSandbox(wanted.config);
  const resolved = { ...wanted, config };
  const runId = await startRun(site, resolved);
  if (isJson)
    printJsonLine({
      type: 'run',
      runId,
      isResumed: false,
      sandbox: config.sandbox?.kind ?? 'none',
      notes: resolved.notes,
    });
  else for (const line of headerLines({ runId, ...resolved })) print(line);
  return driveHere(site, runId, { isJson, isPassing });
}
