// Finds waiting runs whose wake record is missing, and writes it again from the journal.
import { readRepoRoots, isRepoAt } from '#adapters/waiting/repo-roots.ts';
import { readWakeRecords } from '#adapters/waiting/wake-file.ts';
import { isResumedByItself } from '#kernel/model/config.ts';
import { loadRun, openSiteToRead, openStore, type Site } from '#app/site.ts';
import { stateHome } from '#app/state-home.ts';
import { writeWakeRecord } from './run-waiting.ts';
import { waitOfRun } from './wait-of-run.ts';

/** Contract: an unreadable repository or run is skipped. Resolves with the runs it found. */
export async function findLost(env: NodeJS.ProcessEnv): Promise<string[]> {
  const found: string[] = [];
  const home = stateHome(env);
  for (const repository of await readRepoRoots(home)) {
    if (!(await isRepoAt(repository))) continue;
    const site = await openSiteToRead(repository.root, env).catch(() => null);
    if (site?.repoId !== repository.repoId) continue;
    const known = new Set((await readWakeRecords(home, site.repoId)).map(({ runId }) => runId));
    const store = openStore(site);
    for (const runId of await store.list().catch(() => []))
      if (!known.has(runId) && (await restore(site, runId).catch(() => false))) found.push(runId);
  }
  return found;
}

async function restore(site: Site, runId: string): Promise<boolean> {
  const store = openStore(site);
  if ((await store.isEnded?.(runId)) === true || (await store.holder(runId)) !== null) return false;
  const { run } = await loadRun(site, runId);
  const wait = waitOfRun(run);
  if (wait.kind !== 'waits' || run.config.dryRun === true || !isResumedByItself(run.config)) return false;
  const { awaited, waitingFor } = wait;
  await writeWakeRecord(site, { runId, config: run.config }, { awaited, waitingFor });
  return true;
}
