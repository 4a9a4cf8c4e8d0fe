// Opens the repository of a command, and its runs.
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

/** For commands that only read: writes nothing, so they work in a read-only repository. */
export async function openHereToRead(): Promise<Site> {
  const { openSiteToRead } = await import('#app/site.ts');
  return openSiteToRead(startFolder(process.cwd(), process.env), process.env);
}

export const knownRuns = (site: Site) => known.knownRuns(site, printNote);
export const runsAtStart = (site: Site) => known.runsAtStart(site, printNote);
export const unfinishedRuns = (site: Site) => known.unfinishedRuns(site, printNote);
export const tryLoad = (site: Site, runId: string) => known.tryLoad(site, runId, printNote);
export const loadKnown = (site: Site, runId: string) => known.loadKnown(site, runId, printNote);
