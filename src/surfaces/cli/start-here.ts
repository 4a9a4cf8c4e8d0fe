// Makes a run and drives it in this process.
import type { Site } from '#compose/site.ts';
import type { ResolvedRun } from '#config/resolve-run.ts';
import type { PlanProposal } from '#kernel/plan.ts';
import { headerLines } from '#surfaces/cli/render/header.ts';
import type { PreflightItem } from '#views/preflight.ts';
import { driveHere } from './drive-here.ts';
import { isInteractive, print, printJsonLine } from './output.ts';

export type WantedRun = ResolvedRun & { readonly plan?: PlanProposal };

/** A run that is created and not driven yet. */
export interface CreatedRun {
  readonly runId: string;
  readonly resolved: WantedRun;
  /** Clients are asked for their version while the run is made. */
  readonly preflight: Promise<readonly PreflightItem[]>;
}

export async function startHere(
  site: Site,
  wanted: WantedRun,
  isJson: boolean,
  isPassing = false,
): Promise<number> {
  return driveCreated(site, await createHere(site, wanted), isJson, isPassing);
}

/** `shown` is what the first lines tell of, where that is not what is made. */
export async function createHere(
  site: Site,
  wanted: WantedRun,
  shown: ResolvedRun['config'] = wanted.config,
): Promise<CreatedRun> {
  const { startRun } = await import('#compose.ts');
  const { settleSandbox } = await import('#compose/sandbox.ts');
  await (await import('#config/check-programs.ts')).refuseMissingPrograms(site, wanted);
  const { readPreflight } = await import('#compose/run/preflight.ts');
  const resolved = { ...wanted, config: settleSandbox(wanted.config) };
  const tasks = wanted.plan?.tasks ?? wanted.tasks;
  const preflight = readPreflight(site, { ...wanted, config: settleSandbox(shown), tasks });
  return { runId: await startRun(site, { ...resolved, isHeld: true }), resolved, preflight };
}

export async function driveCreated(
  site: Site,
  created: CreatedRun,
  isJson: boolean,
  isPassing = false,
): Promise<number> {
  const { runId, resolved } = created;
  await showStart(created, isJson);
  const asksReview = resolved.isReviewOpen && !isJson && !isPassing && isInteractive();
  return driveHere(site, runId, { isJson, isPassing, asksReview });
}

/** The list before anything is paid. */
export async function showStart({ runId, resolved, preflight }: CreatedRun, isJson: boolean): Promise<void> {
  const { config, notes } = resolved;
  const items = await preflight;
  if (isJson) {
    const sandbox = config.sandbox?.kind ?? 'none';
    printJsonLine({ type: 'run', runId, isResumed: false, sandbox, notes, preflight: items });
  } else for (const line of headerLines({ runId, preset: config.preset, items })) print(line);
}
