// Makes a run, and shows what is seen of its start before anything is paid.
import type { Site } from '#compose/site.ts';
import type { ResolvedRun } from '#config/resolve-run.ts';
import type { PlanProposal } from '#kernel/plan.ts';
import { headerLines } from '#surfaces/cli/render/header.ts';
import { print, printJsonLine } from './output.ts';

export type WantedRun = ResolvedRun & { readonly plan?: PlanProposal };

/** A run that is created and not driven yet. */
export interface CreatedRun {
  readonly runId: string;
  readonly resolved: WantedRun;
  /** What the first lines tell of, where that is not what was made. */
  readonly shown?: ResolvedRun['config'];
}

export async function createHere(site: Site, wanted: WantedRun): Promise<CreatedRun> {
  const { startRun } = await import('#compose.ts');
  const { settleSandbox } = await import('#compose/sandbox.ts');
  await (await import('#config/check-programs.ts')).refuseMissingPrograms(site, wanted);
  const resolved = { ...wanted, config: settleSandbox(wanted.config) };
  return { runId: await startRun(site, { ...resolved, isHeld: true }), resolved };
}

/** The list before anything is paid; clients are asked for their version once nothing is refused. */
export async function showStart(site: Site, created: CreatedRun, isJson: boolean): Promise<void> {
  const { readPreflight } = await import('#compose/run/preflight.ts');
  const { runId, resolved } = created;
  const { notes, plan } = resolved;
  const { sandbox } = resolved.config;
  const config = { ...(created.shown ?? resolved.config), ...(sandbox === undefined ? {} : { sandbox }) };
  const items = await readPreflight(site, { config, notes, tasks: plan?.tasks ?? resolved.tasks });
  if (isJson) {
    const kind = sandbox?.kind ?? 'none';
    printJsonLine({ type: 'run', runId, isResumed: false, sandbox: kind, notes, preflight: items });
  } else for (const line of headerLines({ runId, preset: config.preset, items })) print(line);
}
