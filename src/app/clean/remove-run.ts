// Removes a run with everything that was made for it, as if it had never existed.
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sweepCleanCheckouts } from '#adapters/git/checkouts/clean-checkout.ts';
import { gitOf } from '#app/git-of.ts';
import { removeLinkedCheckout } from '#adapters/git/checkouts/linked-checkout.ts';
import { branchOf, keptRef } from '#adapters/git/refs/refs.ts';
import { removeWakeRecord } from '#adapters/waiting/wake-file.ts';
import { cacheDirOf, pathsOf, type Site, worktreeOf } from '#app/site.ts';

/**
 * Worktree, checkouts, branch, refs, views, mirror, state. Keeps shared dependencies and others' statements.
 * Contract: no process drives the run, and its work may be lost. Killed and called again, it finishes.
 */
export async function removeRun(site: Site, runId: string): Promise<void> {
  const { commonDir } = site;
  const { folder, mirror, views } = pathsOf(site).run(runId);
  const worktree = worktreeOf(site, runId);
  await sweepCleanCheckouts({ cacheDir: cacheDirOf(site), runId, commonDir }, 'all');
  await removeLinkedCheckout({ commonDir, folder: worktree, readyFile: join(folder, 'index.ready') });
  await removeRefs(site, runId);
  await removeWakeRecord(site.stateHome, { repoId: site.repoId, runId });
  // The state goes last: after a kill, the next command still finds the run.
  for (const path of [dirname(worktree), views.folder, mirror, folder])
    await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

async function removeRefs(site: Site, runId: string): Promise<void> {
  const { commonDir } = site;
  const git = await gitOf(site);
  const args = ['for-each-ref', '--format=%(refname)', `refs/heads/${branchOf(runId)}`, keptRef(runId)];
  const list = async (): Promise<string[]> =>
    (await git.tell(args, { gitDir: commonDir })).split('\n').filter((ref) => ref !== '');
  for (const ref of await list())
    await git
      .tell(['update-ref', '--no-deref', '-d', ref], { gitDir: commonDir })
      .catch(async (error: unknown) => {
        // Another process may remove the same run.
        if ((await list()).includes(ref)) throw error;
      });
}
