// A repository of short strings: worktrees, one branch that moves by compare-and-swap, clean checkouts.
import type { CleanCheckout, ReviewCheckout } from '#ports/checkouts.ts';
import type { CommitOrder, Workspace } from '#ports/workspace.ts';
import { judgeCommit } from './oracle.ts';
import { pinnedPath } from './tasks.ts';
import { readTree, withTree } from './tree.ts';
import type { Incarnation, Universe } from './universe.ts';
import { call, filesIn, reviewWorktree, tipOf, worktreeOf } from './universe.ts';

export function simulatedWorkspace(universe: Universe, incarnation: Incarnation): Workspace {
  const { files, plan, random } = universe;
  return {
    root: 'workspace',
    cwd: 'workspace',
    prepare: async () =>
      call(
        universe,
        incarnation,
        () => ({
          baseCommit: 'c0',
          baseTree: plan.baseTree,
          branch: 'untildone/run',
          pins: [{ path: pinnedPath, hash: 'h', why: 'a test that was there before' }],
        }),
        { mayFail: true },
      ),
    snapshot: async () =>
      call(universe, incarnation, () => filesIn(universe, incarnation.worktree), { isQuick: true }),
    async restore(tree, name) {
      const worktree = worktreeOf(universe, incarnation, name.split('/')[0] ?? '');
      const restore = (): string | null => {
        const before = filesIn(universe, worktree);
        if (universe.faults.restoreDoesNothing !== true) files.set(worktree, tree);
        return before === tree ? null : `refs/untildone/run/${name}`;
      };
      return call(universe, incarnation, restore, { mayFail: true, worktree });
    },
    keep: async () => {},
    changedPaths: async (from, to) => call(universe, incarnation, () => changes(from, to), { isQuick: true }),
    removeAdded: async (tree) =>
      call(
        universe,
        incarnation,
        () => {
          files.set(incarnation.worktree, tree);
        },
        { isQuick: true },
      ),
    brokenPins: async (_pins, tree, mayChange) =>
      call(universe, incarnation, () =>
        readTree(tree).pinEdited && !mayChange.includes(pinnedPath)
          ? [{ path: pinnedPath, change: 'changed' as const, why: 'a test that was there before' }]
          : [],
      ),
    commit: async (order) => call(universe, incarnation, () => commit(universe, order), { mayFail: true }),
    guardRefs: async () => call(universe, incarnation, () => {}, { mayFail: true }),
    restoreRefs: async () =>
      call(
        universe,
        incarnation,
        () =>
          random.chance(0.03)
            ? [{ ref: 'refs/heads/main', action: 'moved-back' as const, keptAs: 'refs/untildone/kept' }]
            : [],
        { mayFail: true },
      ),
    cleanCheckout: async (tree) =>
      call(universe, incarnation, () => cleanCheckout(universe, incarnation, tree), { mayFail: true }),
    reviewCheckout: async (tree, name) =>
      call(universe, incarnation, () => reviewCheckout(universe, incarnation, tree, name), { mayFail: true }),
    reviewTree: async () => null,
    recentCommits: async () => ['c0 begin'],
    texts: async () => [],
    diff: async () => ({ stat: 'src', patch: 'a change' }),
    release: async () => {},
  };
}

/** One folder for each reviewer, beside the worktree; made again each time. */
function reviewCheckout(
  universe: Universe,
  incarnation: Incarnation,
  tree: string,
  name: string,
): ReviewCheckout {
  const cwd = reviewWorktree(universe, incarnation, name);
  universe.files.set(cwd, tree);
  return {
    root: cwd,
    cwd,
    record: cwd,
    asOnBase: [],
    snapshot: async () => call(universe, incarnation, () => filesIn(universe, cwd)),
    dispose: async () => call(universe, incarnation, () => {}),
  };
}

let checkouts = 0;

function cleanCheckout(universe: Universe, incarnation: Incarnation, tree: string): CleanCheckout {
  checkouts += 1;
  const cwd = `clean-${checkouts}`;
  universe.files.set(cwd, tree);
  return {
    root: cwd,
    cwd,
    snapshot: async () => call(universe, incarnation, () => filesIn(universe, cwd)),
    dispose: async () =>
      call(universe, incarnation, () => {
        universe.files.delete(cwd);
      }),
  };
}

function commit(
  universe: Universe,
  { stepId, tree, parent }: CommitOrder,
): { commit: string } | { refused: string; hint: string } {
  const { commits } = universe;
  const isForgetful = universe.faults.commitIsNotIdempotent === true;
  const own = isForgetful ? undefined : commits.find((one) => one.stepId === stepId);
  if (own !== undefined) return { commit: own.id };
  if (tipOf(universe).id !== parent && !isForgetful)
    return { refused: 'the branch was moved', hint: 'Put it back.' };
  judgeCommit(universe, stepId, tree);
  const id = `c${commits.length}`;
  commits.push({ id, tree, parent, stepId });
  universe.counts.commits += 1;
  universe.trace(() => `commit ${id} of ${tree} by ${stepId}`);
  return { commit: id };
}

function changes(from: string, to: string): { path: string; status: 'added' | 'changed' }[] {
  const isOnlyJunk = withTree(from, { junk: true }) === to;
  return isOnlyJunk ? [{ path: 'coverage', status: 'added' }] : [{ path: 'src', status: 'changed' }];
}
