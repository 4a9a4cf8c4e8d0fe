import { gitOf } from './find-proof.ts';
import type { Site } from './site.ts';
import type { Run } from '#kernel/run.ts';

/** Whether the branch of a run that is over was removed: by `land`, by `clean` or by the user. */
export async function isBranchGone(site: Site, { base, outcome }: Run): Promise<boolean> {
  if (base === null || outcome === null) return false;
  const { readRef } = await import('#adapters/workspaces/git/refs.ts');
  return (await readRef(await gitOf(site), site.commonDir, `refs/heads/${base.branch}`)) === null;
}
