import { withStartLock } from '#adapters/stores/embedded/start-lock.ts';
import type { Holder } from '#ports/store.ts';
import { pathsOf, type Site } from './site.ts';

/** Contract: of all processes of this machine, one at a time is in `act` for a repository. Killed dry runs are gone then. */
export async function oneStartAtATime<T>(
  site: Site,
  act: () => Promise<T>,
  onWait: (holder: Holder | null) => void,
): Promise<T> {
  // First: where it cannot be written, another state folder does not help.
  await (await import('#adapters/stores/embedded/writable.ts')).refuseReadOnly(site.commonDir);
  const { removeKilledDryRuns } = await import('#compose/clean/killed-dry-runs.ts');
  const start = async (): Promise<T> => {
    await removeKilledDryRuns(site);
    return act();
  };
  return withStartLock(pathsOf(site), start, onWait);
}
