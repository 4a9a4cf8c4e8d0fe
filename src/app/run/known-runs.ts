// Lists the runs of a repository, for starts and for commands that show them.
import type { Run } from '#kernel/fold/run.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Holder, Store } from '#ports/store.ts';
import type { Site } from '#app/site.ts';
import { utcMinute } from '#views/words.ts';

export interface KnownRun {
  readonly run: Run;
  readonly holder: Holder | null;
}

/** Receives a problem that is worth a line and stops nothing. */
export type OnNote = (text: string) => void;

/** Oldest first. An unreadable run is reported and skipped, so that it never hides the others. */
export async function knownRuns(site: Site, onNote: OnNote): Promise<KnownRun[]> {
  const { openStore } = await import('#app/site.ts');
  const found: KnownRun[] = [];
  for (const runId of await openStore(site).list()) {
    const known = await tryLoad(site, runId, onNote);
    if (known !== null && !isKilledDryRun(known)) found.push(known);
  }
  return found;
}

/** For a start: unfinished runs, oldest first. Killed dry runs are removed in the same pass. */
export async function runsAtStart(site: Site, onNote: OnNote): Promise<KnownRun[]> {
  const { openStore } = await import('#app/site.ts');
  const store = openStore(site);
  const found: KnownRun[] = [];
  for (const known of await notOver(site, store, await store.list(), onNote))
    if (isKilledDryRun(known)) await removeKilled(site, known.run.id);
    else if (known.run.outcome === null) found.push(known);
  return found;
}

/** Without reading the many finished runs. */
async function notOver(
  site: Site,
  store: Store,
  runIds: readonly string[],
  onNote: OnNote,
): Promise<KnownRun[]> {
  const found: KnownRun[] = [];
  for (const runId of runIds) {
    if ((await store.isEnded?.(runId)) === true) continue;
    const known = await tryLoad(site, runId, onNote);
    if (known !== null) found.push(known);
  }
  return found;
}

/** A run that cannot be removed stays for the next time, and nothing fails. */
async function removeKilled(site: Site, runId: string): Promise<void> {
  const { removeRun } = await import('#app/clean/remove-run.ts');
  await removeRun(site, runId).catch(() => undefined);
}

/** The next start removes it. */
function isKilledDryRun({ run, holder }: KnownRun): boolean {
  return run.config.dryRun === true && holder === null;
}

/** Unfinished runs, oldest first, without reading the finished ones; if there are none, the newest run. */
export async function unfinishedRuns(site: Site, onNote: OnNote): Promise<KnownRun[]> {
  const { openStore } = await import('#app/site.ts');
  const store = openStore(site);
  const runIds = await store.list();
  const found = (await notOver(site, store, runIds, onNote)).filter(
    (known) => known.run.outcome === null && !isKilledDryRun(known),
  );
  for (let at = runIds.length - 1; found.length === 0 && at >= 0; at -= 1) {
    const known = await tryLoad(site, runIds[at] ?? '', onNote);
    if (known !== null && !isKilledDryRun(known)) found.push(known);
  }
  return found;
}

/** Null for an unreadable run, which is reported. */
export async function tryLoad(site: Site, runId: string, onNote: OnNote): Promise<KnownRun | null> {
  try {
    return await loadKnown(site, runId, onNote);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    onNote(`Run ${runId} cannot be read: ${error.message} ${error.hint}`);
    return null;
  }
}

export async function loadKnown(site: Site, runId: string, onNote: OnNote): Promise<KnownRun> {
  const { loadRun, openStore } = await import('#app/site.ts');
  const { run, notes } = await loadRun(site, runId);
  for (const note of notes) onNote(note);
  const store = openStore(site);
  return { run, holder: run.outcome === null ? await store.holder(runId) : null };
}

export function holderName(holder: Holder | null): string | null {
  return holder === null ? null : `pid ${holder.pid} on ${holder.host}, since ${utcMinute(holder.since)}`;
}
