// Reads what is known of a run's waits: results of its polls, and why it could not be woken.
import { type KnownLooks, readLooks } from '#adapters/waiting/looks-file.ts';
import { readWakeRecord, wakeFileOf } from '#adapters/waiting/wake-file.ts';
import { runPathsOf, type Site } from '#app/site.ts';

/** Contract: never rejects. */
export function looksOf(site: Site, runId: string): Promise<KnownLooks> {
  return readLooks(runPathsOf(site, runId).looks);
}

/** Why the last attempt to wake the run failed; null if there was none. Contract: never rejects. */
export async function wakeProblemOf({ stateHome, repoId }: Site, runId: string): Promise<string | null> {
  const record = await readWakeRecord(wakeFileOf(stateHome, { repoId, runId }));
  return record?.problem ?? null;
}
