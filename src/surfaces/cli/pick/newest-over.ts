import type { Site } from '#app/site.ts';
import { OperatorError } from '#base/operator-error.ts';

/** The id of the run that ended last, for commands that speak of finished work. */
export async function newestOver(site: Site): Promise<string> {
  const { loadRun, openStore } = await import('#app/site.ts');
  const store = await openStore(site);
  for (const runId of (await store.list()).toReversed()) {
    if ((await store.isEnded?.(runId)) === true) return runId;
    if ((await loadRun(site, runId)).run.outcome !== null) return runId;
  }
  throw new OperatorError(
    'no-run',
    'There is no finished run in this repository.',
    'Name a commit, or see `untildone list`.',
  );
}
