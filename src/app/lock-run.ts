// Writes to a run that has no driver: locks, replays and unlocks it.
import { setTimeout as sleep } from 'node:timers/promises';
import { type OpenedRun, openRun } from '#runtime/open-run.ts';
import { openStore, type Site } from './site.ts';

/** A process that answers late requests of a finished run is soon done. */
export const lateLockMsMax = 5000;

/** Contract: `act` runs under the run's lock. 'held' if another process kept the lock for `waitMsMax`. */
export async function withLockedRun<T>(
  site: Site,
  runId: string,
  act: (opened: OpenedRun) => Promise<T>,
  waitMsMax = 0,
): Promise<T | 'held'> {
  const store = openStore(site);
  for (const until = performance.now() + waitMsMax; ; await sleep(100)) {
    const opened = await openRun(store, runId);
    if ('journal' in opened)
      try {
        return await act(opened);
      } finally {
        await opened.journal.close();
      }
    if (performance.now() >= until) return 'held';
  }
}
