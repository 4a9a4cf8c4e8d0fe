// What a driver needs to wait: tests of conditions, and the record by which others wake the run.
import { createFileProbe } from '#adapters/waiting/file-probe.ts';
import { createLookout } from '#adapters/waiting/lookout.ts';
import { pollOnce } from '#adapters/waiting/poll-once.ts';
import { readNeeds, writeNeeds } from '#adapters/waiting/needs-file.ts';
import { noteRepoRoot } from '#adapters/waiting/repo-roots.ts';
import { createWakeEntry } from '#adapters/waiting/wake-file.ts';
import { createWhyLate } from '#adapters/waiting/why-late.ts';
import { allowedEnvironment } from '#config/agents/agent-env.ts';
import { createRedactor } from '#config/redact.ts';
import { isResumedByItself, type RunConfig } from '#kernel/model/config.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { Clock } from '#ports/clock.ts';
import type { Lookout } from '#ports/lookout.ts';
import type { Processes } from '#ports/processes.ts';
import type { WakeEntry } from '#ports/wake-list.ts';
import { runPathsOf, type Site } from '#app/site.ts';
import { isOnlyReminded, waitOfRun } from './wait-of-run.ts';

export interface RunOnSite {
  readonly runId: string;
  readonly config: RunConfig;
}

/** `processes` are those of the run's checks: sandboxed if the run is. */
export function lookoutOf(
  site: Site,
  { runId, config }: RunOnSite,
  {
    processes,
    clock,
    late = null,
  }: { readonly processes: Processes; readonly clock: Clock; readonly late?: string | null },
): Lookout {
  const place = pollPlaceOf(site, { runId, config }, processes);
  return createLookout({
    clock,
    whyLate: createWhyLate(late),
    probes: {
      poll: ({ suspensionId }, condition, signal) => pollOnce(place, suspensionId, condition, signal),
      file: createFileProbe(),
    },
  });
}

export function pollPlaceOf(site: Site, { runId, config }: RunOnSite, processes: Processes) {
  const { lookLock, looks } = runPathsOf(site, runId);
  return {
    runId,
    cwd: site.root,
    env: allowedEnvironment(site.env, config.checkEnv),
    processes,
    redactor: createRedactor(site.env),
    lockFile: lookLock,
    recordFile: looks,
  };
}

/** The run's needs are stored with its journal: the variables of this process say nothing about them. */
export async function wakeEntryOf(site: Site, run: RunOnSite): Promise<WakeEntry> {
  const needs = await readNeeds(runPathsOf(site, run.runId).needs);
  return entryWith(site, run, needs ?? neededVariables(run.config, site.env));
}

/** For a process that does not drive the run. */
export async function writeWakeRecord(
  site: Site,
  run: RunOnSite,
  wait: Parameters<WakeEntry['save']>[0] | null,
): Promise<void> {
  const entry = await wakeEntryOf(site, run);
  if (wait === null) entry.remove();
  else entry.save(wait);
  await entry.close();
}

function entryWith(site: Site, { runId, config }: RunOnSite, needs: readonly string[]): WakeEntry {
  const { stateHome, repoId, root } = site;
  return createWakeEntry(stateHome, { runId, repoId, root, needs, mayWake: isResumedByItself(config) });
}

/** Stores what a process that wakes the run needs: the repository's path, and the agents' variables. */
export async function rememberForWaking(site: Site, { runId, config }: RunOnSite, run?: Run): Promise<void> {
  await noteRepoRoot(site.stateHome, site);
  // A driver that only sends a reminder may lack what the agents need.
  if (run !== undefined && isOnlyReminded(waitOfRun(run))) return;
  await writeNeeds(runPathsOf(site, runId).needs, neededVariables(config, site.env));
}

/** Variables that agents get and this driver has: a driver that lacks one would fail where this one works. */
export function neededVariables({ agents }: RunConfig, env: Site['env']): string[] {
  const names = Object.values(agents).flatMap((agent) => agent.env.filter((entry) => !entry.includes('=')));
  return [...new Set(names)].filter((name) => (env[name] ?? '') !== '').toSorted();
}
