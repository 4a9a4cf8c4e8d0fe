import { withStartLock } from '#adapters/store/start-lock.ts';
import type { Holder } from '#ports/store.ts';
import { pathsOf, type Site } from '#app/site.ts';

/** Contract: only one process of this machine at a time runs `act` for a repository. */
export async function oneStartAtATime<T>(
  site: Site,
  act: () => Promise<T>,
  onWait: (holder: Holder | null) => void,
): Promise<T> {
  // First: if it is read-only, another state folder does not help.
  await (await import('#adapters/store/writable.ts')).refuseReadOnly(site.commonDir);
  return withStartLock(pathsOf(site), act, onWait);
}
