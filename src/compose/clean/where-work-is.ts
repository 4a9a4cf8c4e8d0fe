// Whether removing what a run left would lose work: what is on no branch of the user is never removed unasked.
import { isOnUsersRef, keptRefs } from '#adapters/git/run-refs.ts';
import { mergeTrees } from '#adapters/landing/merge-trees.ts';
import type { Git } from '#adapters/workspaces/git/git.ts';
import { branchOf, readRef } from '#adapters/workspaces/git/refs.ts';
import type { Site } from '#compose/site.ts';
import type { Run } from '#kernel/run.ts';
import { OperatorError } from '#ports/operator-error.ts';

export type WhereWorkIs =
  /** On a branch, remote branch or tag of the user. */
  | { readonly kind: 'landed' }
  /** The run left no work. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unlanded'; readonly why: string };

export async function whereWorkIs(site: Site, git: Git, run: Run): Promise<WhereWorkIs> {
  const { base, tip } = run;
  if (base === null) return { kind: 'nothing' };
  const branch = branchOf(run.id);
  const now = await readRef(git, site.commonDir, `refs/heads/${branch}`);
  const made = tip === null || tip.commit === base.commit ? null : tip.commit;
  if (now !== null && now !== (made ?? base.commit) && !(await isOnUsersRef(git, site.commonDir, now)))
    return { kind: 'unlanded', why: `its branch ${branch} has commits that are on no other branch` };
  if (made !== null)
    return (await isLanded(site, git, run, made))
      ? { kind: 'landed' }
      : { kind: 'unlanded', why: 'its commits are on no branch of yours' };
  return (await leftFiles(site, git, run, base.tree))
    ? { kind: 'unlanded', why: 'it left work that was never committed' }
    : { kind: 'nothing' };
}

async function isLanded(site: Site, git: Git, run: Run, made: string): Promise<boolean> {
  const { commonDir } = site;
  for (const commit of [made, ...run.landings.map((landed) => landed.commit)])
    if (await isOnUsersRef(git, commonDir, commit)) return true;
  return brought(site, git, made);
}

/** Squashed by a person or by a pull request: merging it into where they stand changes nothing. */
async function brought({ commonDir, head }: Site, git: Git, made: string): Promise<boolean> {
  if (head.branch?.startsWith('untildone/') === true || head.branch === null) return false;
  try {
    const merged = await mergeTrees(git, commonDir, head.commit, made);
    const tree = await git.tell(['rev-parse', `${head.commit}^{tree}`], { gitDir: commonDir });
    return merged.kind === 'clean' && merged.tree === tree;
  } catch (error) {
    // A commit that is no longer there cannot be compared.
    if (error instanceof OperatorError) return false;
    throw error;
  }
}

/** Of a run without commits: files that a session left, as git keeps them or as the run remembers them. */
async function leftFiles(site: Site, git: Git, run: Run, baseTree: string): Promise<boolean> {
  const isOther = (tree: string | null): boolean => tree !== null && tree !== baseTree;
  if ([...run.tasks.values()].some((task) => isOther(task.workTree))) return true;
  return (await keptRefs(git, site.commonDir, run.id)).some(({ tree }) => isOther(tree));
}
