// Reads what is known of a run's waits: results of its polls, and why it could not be woken.
import { type PollRecords, readPollRecords } from '#adapters/waiting/poll-records.ts';
import { readWakeRecord, wakeFileOf } from '#adapters/waiting/wake-file.ts';
import { runPathsOf, type Site } from '#app/site.ts';

/** Contract: never rejects. */
export function pollRecordsOf(site: Site, runId: string): Promise<PollRecords> {
  return readPollRecords(runPathsOf(site, runId).looks);
}

/** Why the last attempt to wake the run failed; null if there was none. Contract: never rejects. */
export async function wakeProblemOf({ stateHome, repoId }: Site, runId: string): Promise<string | null> {
  const record = await readWakeRecord(wakeFileOf(stateHome, { repoId, runId }));
  return record?.problem ?? null;
}
