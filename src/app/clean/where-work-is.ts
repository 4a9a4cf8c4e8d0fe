// Decides whether removal would lose work: work that is on no branch of the user is never removed unasked.
import { isOnUsersRef, keptRefs } from '#adapters/git/refs/run-refs.ts';
import { mergeTrees } from '#adapters/git/landing/merge-trees.ts';
import { type Git, split } from '#adapters/git/repo/git.ts';
import { branchOf, readRef } from '#adapters/git/refs/refs.ts';
import type { Site } from '#app/site.ts';
import { withoutFullStop } from '#base/without-full-stop.ts';
import type { Run } from '#kernel/fold/run.ts';
import { OperatorError } from '#base/operator-error.ts';
import { openRunWorktree } from './run-worktree.ts';
import type { CommittedTree } from '#kernel/model/base.ts';

export type WhereWorkIs =
  /** On a branch, remote branch or tag of the user. */
  | { readonly kind: 'landed' }
  /** The run left no work. */
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'unlanded';
      readonly why: string;
      /** `land` would bring it to a branch. */
      readonly isLandable: boolean;
    };

export async function whereWorkIs(site: Site, git: Git, run: Run): Promise<WhereWorkIs> {
  const { base, tip } = run;
  if (base === null) return { kind: 'nothing' };
  const branch = branchOf(run.id);
  const now = await readRef(git, site.commonDir, `refs/heads/${branch}`);
  const made = tip === null || tip.commit === base.commit ? null : tip.commit;
  const isLandable = made !== null && run.outcome?.outcome === 'completed';
  if (now !== null && now !== (made ?? base.commit) && !(await isOnUsersRef(git, site.commonDir, now)))
    return {
      kind: 'unlanded',
      why: `its branch ${branch} has commits that are on no other branch`,
      isLandable,
    };
  if (made !== null && !(await isLanded(site, git, run, made)))
    return { kind: 'unlanded', why: 'its commits are on no branch of yours', isLandable };
  const why = await leftFiles(site, git, run, await committedTrees(site, git, base, made));
  if (why !== null) return { kind: 'unlanded', why, isLandable: false };
  return { kind: made === null ? 'nothing' : 'landed' };
}

async function isLanded(site: Site, git: Git, run: Run, made: string): Promise<boolean> {
  const { commonDir } = site;
  for (const commit of [made, ...run.landings.map((landed) => landed.commit)])
    if (await isOnUsersRef(git, commonDir, commit)) return true;
  return brought(site, git, made);
}

/** Squashed by a person or by a pull request: merging it into their HEAD changes nothing. */
async function brought({ commonDir, head }: Site, git: Git, made: string): Promise<boolean> {
  if (head.branch?.startsWith('untildone/') === true || head.branch === null) return false;
  try {
    const merged = await mergeTrees(git, commonDir, head.commit, made);
    const tree = await git.tell(['rev-parse', `${head.commit}^{tree}`], { gitDir: commonDir });
    return merged.kind === 'clean' && merged.tree === tree;
  } catch (error) {
    // A commit that no longer exists cannot be compared.
    if (error instanceof OperatorError) return false;
    throw error;
  }
}

/** Trees of the base and of every commit that the run made, newest first. */
async function committedTrees(
  { commonDir }: Site,
  git: Git,
  base: CommittedTree,
  made: string | null,
): Promise<readonly string[]> {
  if (made === null) return [base.tree];
  const args = ['log', '--format=%T', `${base.commit}..${made}`];
  // Commits that git has already collected have no trees to compare with.
  const { stdout } = await git.ask(args, { gitDir: commonDir });
  return [...stdout.split('\n').filter((tree) => tree !== ''), base.tree];
}

/** Why uncommitted files would be lost: those of a task, those kept by a ref, those in the worktree. */
async function leftFiles(
  site: Site,
  git: Git,
  run: Run,
  committed: readonly string[],
): Promise<string | null> {
  const isOther = (tree: string | null): boolean => tree !== null && !committed.includes(tree);
  // A dropped task was replaced by a later plan.
  const open = [...run.tasks.values()].filter(
    ({ commit, status }) => commit === null && status.is !== 'dropped',
  );
  const refs = await keptRefs(git, site.commonDir, run.id);
  // Once something is committed, trees of earlier sessions are attempts that a later session replaced.
  const asked = committed.length === 1 ? refs : refs.filter(({ ref }) => /\/released(?:\.\d+)?$/.test(ref));
  if (open.some((task) => isOther(task.workTree)) || asked.some(({ tree }) => isOther(tree)))
    return 'it left work that was never committed';
  return inWorktree(site, git, run, committed);
}

/** The files themselves: a person or a process may have written there after the last session. */
async function inWorktree(
  site: Site,
  git: Git,
  run: Run,
  committed: readonly string[],
): Promise<string | null> {
  const worktree = openRunWorktree(site, run);
  if (worktree === null) return null;
  const { root } = worktree.own;
  try {
    const tree = await worktree.files.snapshot();
    if (committed.includes(tree)) return null;
    // A file that is missing is in a commit. `clean` or `land` may have been killed while they removed files.
    const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--diff-filter=d'];
    const paths = split(await git.tell([...args, committed[0] ?? '', tree], { gitDir: site.commonDir }));
    if (paths.length === 0) return null;
    return `its worktree ${root} has files that are in no commit (${someOf(paths)})`;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return `its worktree ${root} cannot be read (${withoutFullStop(error.message)})`;
  }
}

const namesMax = 3;

function someOf(paths: readonly string[]): string {
  const names = paths.slice(0, namesMax).join(', ');
  return paths.length > namesMax ? `${names} and ${paths.length - namesMax} more` : names;
}
