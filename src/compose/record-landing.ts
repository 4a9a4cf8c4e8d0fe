// A run that is over is told where its work went: one more fact, under the lock of the run, and nothing else changes.
import { setTimeout as sleep } from 'node:timers/promises';
import { replay } from '#kernel/apply.ts';
import type { LandedWork } from '#kernel/landing.ts';
import type { Journal } from '#ports/store.ts';
import type { Site } from './site.ts';
import { openStore } from './site.ts';

/** Somebody who answers late requests of a run that is over is soon done. */
const lockMsMax = 5000;

/** Contract: once for each commit on a branch, however often it is asked. False when another process held the run all the time. */
export async function recordLanding(site: Site, runId: string, landed: LandedWork): Promise<boolean> {
  const journal = await lockRun(site, runId);
  if (journal === null) return false;
  try {
    const run = replay(journal.events);
    const isKnown = run.landings.some(
      ({ target, commit }) => target === landed.target && commit === landed.commit,
    );
    if (isKnown) return true;
    const at = Math.max(run.now, Date.now());
    await journal.append([{ at, type: 'run-landed', ...landed }], { sync: true });
    return true;
  } finally {
    await journal.close();
  }
}

/** Null when another process held it all the time. */
export async function lockRun(site: Site, runId: string): Promise<Journal | null> {
  const store = await openStore(site);
  for (const until = performance.now() + lockMsMax; performance.now() < until; await sleep(100)) {
    const found = await store.open(runId);
    if (!('heldBy' in found)) return found;
  }
  return null;
}
