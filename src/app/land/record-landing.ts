// Records in a finished run where its work landed: one more fact, under the lock of the run.
import type { LandedWork } from '#kernel/events/after-end-facts.ts';
import { lateLockMsMax, withLockedRun } from '#app/lock-run.ts';
import type { Site } from '#app/site.ts';

/** Contract: records each commit on a branch once. False if another process held the run all the time. */
export async function recordLanding(site: Site, runId: string, landed: LandedWork): Promise<boolean> {
  const recorded = await withLockedRun(
    site,
    runId,
    async ({ run, journal }) => {
      const isKnown = run.landings.some(
        ({ target, commit }) => target === landed.target && commit === landed.commit,
      );
      if (isKnown) return;
      const at = Math.max(run.now, Date.now());
      await journal.append([{ at, type: 'run-landed', ...landed }], { sync: true });
    },
    lateLockMsMax,
  );
  return recorded !== 'held';
}
