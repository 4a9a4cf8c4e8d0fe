// Removes a run's branch and worktree after a landing, when they are no longer used. The proof refs stay.
import { keptRefs, removeRunBranch } from '#adapters/git/refs/run-refs.ts';
import type { Git } from '#adapters/git/repo/git.ts';
import { branchOf, keepObject, keptRef, readRef } from '#adapters/git/refs/refs.ts';
import { releaseCheckout } from '#adapters/git/checkouts/release-checkout.ts';
import { gitOf } from '#app/git-of.ts';
import { lateLockMsMax, withLockedRun } from '#app/lock-run.ts';
import { cacheDirOf, type Site } from '#app/site.ts';
import type { Run } from '#kernel/fold/run.ts';
import { openRunWorktree } from './run-worktree.ts';

export interface Released {
  readonly removed: readonly ('branch' | 'worktree')[];
  /** Why something was kept, in sentences. */
  readonly notes: readonly string[];
}

/** Contract: `proven` is on a user's branch. Idempotent, also after a kill. Saves uncommitted files first. */
export async function releaseLanded(site: Site, runId: string, proven: string): Promise<Released> {
  const stays = (why: string): Released => ({
    removed: [],
    notes: [`${why}: its branch and worktree stay.`],
  });
  const released = await withLockedRun(
    site,
    runId,
    async ({ run }) =>
      run.outcome === null ? stays(`Run ${runId} was reopened`) : release(site, run, proven),
    lateLockMsMax,
  );
  return released === 'held' ? stays(`Another process holds the run ${runId}`) : released;
}

async function release(site: Site, run: Run, proven: string): Promise<Released> {
  const git = await gitOf(site);
  const { commonDir } = site;
  const branch = branchOf(run.id);
  const worktree = openRunWorktree(site, run);
  const hadBranch = (await readRef(git, commonDir, `refs/heads/${branch}`)) !== null;
  const place = { commonDir, cacheDir: cacheDirOf(site), runId: run.id };
  if (worktree !== null) await releaseCheckout(place, worktree.own, worktree.files);
  if (hadBranch) await keepProven(git, commonDir, run.id, proven);
  const stays = hadBranch ? await removeRunBranch(git, commonDir, run.id, proven) : null;
  return {
    removed: [
      ...(hadBranch && stays === null ? (['branch'] as const) : []),
      ...(worktree === null ? [] : (['worktree'] as const)),
    ],
    notes: stays === null ? [] : [`The branch ${branch} stays: ${stays}.`],
  };
}

/** A squashed commit has another id: without a ref, git would eventually collect the proven commit. */
async function keepProven(git: Git, gitDir: string, runId: string, proven: string): Promise<void> {
  const isKept = (await keptRefs(git, gitDir, runId)).some(({ object }) => object === proven);
  if (!isKept) await keepObject(git, gitDir, keptRef(runId, 'commit', 'landed'), proven);
}
