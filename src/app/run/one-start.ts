import { withStartLock } from '#adapters/store/start-lock.ts';
import type { Holder } from '#ports/store.ts';
import { pathsOf, type Site } from '#app/site.ts';

/** Contract: of all processes of this machine, one at a time is in `act` for a repository. */
export async function oneStartAtATime<T>(
  site: Site,
  act: () => Promise<T>,
  onWait: (holder: Holder | null) => void,
): Promise<T> {
  // First: where it cannot be written, another state folder does not help.
  await (await import('#adapters/store/writable.ts')).refuseReadOnly(site.commonDir);
  return withStartLock(pathsOf(site), act, onWait);
}
