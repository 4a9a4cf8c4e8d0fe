// The repository that a command speaks of, and its runs.
import type { KnownRun } from '#app/run/known-runs.ts';
import * as known from '#app/run/known-runs.ts';
import type { Site } from '#app/site.ts';
import { startFolder } from '#config/environment.ts';
import { printNote } from './output.ts';

export type { KnownRun } from '#app/run/known-runs.ts';
export { holderName } from '#app/run/known-runs.ts';

export async function openHere(): Promise<Site> {
  const { openSite } = await import('#app/site.ts');
  return openSite(startFolder(process.cwd(), process.env), process.env);
}

/** For commands that only read: writes nothing, so that they work in a read-only repository. */
export async function openHereToRead(): Promise<Site> {
  const { openSiteToRead } = await import('#app/site.ts');
  return openSiteToRead(startFolder(process.cwd(), process.env), process.env);
}

export async function knownRuns(site: Site): Promise<KnownRun[]> {
  return known.knownRuns(site, printNote);
}

export async function runsAtStart(site: Site): Promise<KnownRun[]> {
  return known.runsAtStart(site, printNote);
}

export async function unfinishedRuns(site: Site): Promise<KnownRun[]> {
  return known.unfinishedRuns(site, printNote);
}

export async function tryLoad(site: Site, runId: string): Promise<KnownRun | null> {
  return known.tryLoad(site, runId, printNote);
}

export async function loadKnown(site: Site, runId: string): Promise<KnownRun> {
  return known.loadKnown(site, runId, printNote);
}
