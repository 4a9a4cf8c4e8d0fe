// Creates or finds a run, and shows the preflight before any session is paid.
import type { Start } from '#app/run/same-run.ts';
import type { Site } from '#app/site.ts';
import type { ResolvedRun } from '#config/resolve/resolve-run.ts';
import type { PlanProposal } from '#kernel/planning/plan.ts';
import { headerLines } from '#surfaces/cli/render/header.ts';
import { holderName } from '#surfaces/cli/open-here.ts';
import { print, printJsonLine, printNote } from '#surfaces/cli/output.ts';

export type WantedRun = ResolvedRun & { readonly plan?: PlanProposal };

/** A run that is created and not driven yet. */
export interface CreatedRun {
  readonly runId: string;
  readonly resolved: WantedRun;
  /** The settings shown in the first lines, if they differ from those of the run. */
  readonly shown?: ResolvedRun['config'];
}

export async function createHere(site: Site, wanted: WantedRun): Promise<CreatedRun> {
  const { createRun } = await import('#app/run/start-run.ts');
  await (await import('#config/resolve/check-programs.ts')).refuseMissingPrograms(site, wanted);
  const { runId, config } = await createRun(site, { ...wanted, isHeld: true });
  return { runId, resolved: { ...wanted, config } };
}

export type RunToDrive =
  | Exclude<Start, { readonly kind: 'new' }>
  | { readonly kind: 'created'; readonly created: CreatedRun };

/** Atomic: the same command may be started twice at the same moment. */
export async function findOrCreate(
  site: Site,
  wanted: WantedRun,
  find: () => Promise<Start>,
): Promise<RunToDrive> {
  const { oneStartAtATime } = await import('#app/run/one-start.ts');
  const act = async (): Promise<RunToDrive> => {
    const start = await find();
    return start.kind === 'new' ? { kind: 'created', created: await createHere(site, wanted) } : start;
  };
  return oneStartAtATime(site, act, (holder) =>
    printNote(`Another command (${holderName(holder) ?? 'unknown'}) is starting a run here. Waiting for it.`),
  );
}

/** The preflight; clients are asked for their version only if nothing is refused. */
export async function showStart(site: Site, created: CreatedRun, isJson: boolean): Promise<void> {
  const { readPreflight } = await import('#app/run/preflight.ts');
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
