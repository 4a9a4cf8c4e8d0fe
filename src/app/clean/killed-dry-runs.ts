// Removes killed dry runs: they could not remove themselves, so the next start or `clean` does it.
import { loadRun, openStore, type Site } from '#app/site.ts';
import { removeRun } from './remove-run.ts';

/**
 * `except`: a run that is known to be no killed dry run. Contract: touches no run that has a driver.
 * A run that cannot be removed stays for the next time, and nothing fails.
 */
export async function removeKilledDryRuns(site: Site, except?: string): Promise<void> {
  const store = openStore(site);
  for (const runId of await store.list()) {
    if (runId === except || (await store.isEnded?.(runId)) === true || (await store.holder(runId)) !== null)
      continue;
    const known = await loadRun(site, runId).catch(() => null);
    if (known?.run.config.dryRun === true) await removeRun(site, runId).catch(() => undefined);
  }
}
