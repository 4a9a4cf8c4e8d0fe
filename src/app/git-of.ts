// Opens git for the repository of a site, with the user's settings.
import type { Git } from '#adapters/git/repo/git.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { Site } from './site.ts';

/** With the environment of runs, the repository's `.env` included. */
export async function gitOf({ commonDir, env }: Pick<Site, 'commonDir' | 'env'>): Promise<Git> {
  const { createGit } = await import('#adapters/git/repo/git.ts');
  return createGit(commonDir, env);
}

/** Whether the branch of a finished run was removed: by `land`, by `clean` or by the user. */
export async function isBranchGone(site: Site, { base, outcome }: Run): Promise<boolean> {
  if (base === null || outcome === null) return false;
  const { readRef } = await import('#adapters/git/refs/refs.ts');
  return (await readRef(await gitOf(site), site.commonDir, `refs/heads/${base.branch}`)) === null;
}
