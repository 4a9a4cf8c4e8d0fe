// Removes a run's branch and worktree after a landing, when they are no longer used. The proof refs stay.
import { keptRefs, removeRunBranch } from '#adapters/git/run-refs.ts';
import type { Git } from '#adapters/workspaces/git/git.ts';
import { branchOf, keepObject, keptRef, readRef } from '#adapters/workspaces/git/refs.ts';
import { releaseCheckout } from '#adapters/workspaces/git/release-checkout.ts';
import { cacheDirOf } from '#compose/eyes.ts';
import { gitOf } from '#compose/find-proof.ts';
import { lockRun } from '#compose/record-landing.ts';
import type { Site } from '#compose/site.ts';
import { replay } from '#kernel/apply.ts';
import type { Run } from '#kernel/run.ts';
import { openRunWorktree } from './run-worktree.ts';

export interface Released {
  readonly removed: readonly ('branch' | 'worktree')[];
  /** Why something stays, in sentences. */
  readonly notes: readonly string[];
}

/** Contract: `proven` is on a branch of the user; called again, also after a kill, it finishes. Uncommitted files are kept first. */
export async function releaseLanded(site: Site, runId: string, proven: string): Promise<Released> {
  const journal = await lockRun(site, runId);
  if (journal === null)
    return { removed: [], notes: [`Another process holds the run ${runId}: its branch and worktree stay.`] };
  try {
    const run = replay(journal.events);
    if (run.outcome === null)
      return { removed: [], notes: [`The run ${runId} was taken up again: its branch and worktree stay.`] };
    return await release(site, run, proven);
  } finally {
    await journal.close();
  }
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

/** A squashed commit has another id: without a ref, git would one day forget what was proven. */
async function keepProven(git: Git, gitDir: string, runId: string, proven: string): Promise<void> {
  const isKept = (await keptRefs(git, gitDir, runId)).some(({ object }) => object === proven);
  if (!isKept) await keepObject(git, gitDir, keptRef(runId, 'commit', 'landed'), proven);
}
