// Picks the finished work that a command means: of a run or a commit, else of the run that ended last.
import type { Proof } from '#app/prove/find-proof.ts';
import type { Site } from '#app/site.ts';
import { OperatorError } from '#base/operator-error.ts';
import { openHere } from '#surfaces/cli/open-here.ts';

export async function pickProof(
  name: string | undefined,
): Promise<{ readonly site: Site; readonly proof: Proof }> {
  const { findProof } = await import('#app/prove/find-proof.ts');
  const site = await openHere();
  return { site, proof: await findProof(site, name ?? (await newestOver(site))) };
}

async function newestOver(site: Site): Promise<string> {
  const { loadRun, openStore } = await import('#app/site.ts');
  const store = openStore(site);
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
