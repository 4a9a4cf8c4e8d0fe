// The files that a run works on, as git trees. Replaced states stay reachable under refs/untildone/.
import type { BrokenPin, Criterion, Pin } from '#kernel/model/criterion.ts';
import type { RunsAfterLanding } from '#kernel/model/after-landing.ts';
import type { CleanCheckout, ReviewCheckout } from './checkouts.ts';
import type { FileText, TreeDiff, Trees } from './trees.ts';

export interface Workspace {
  /** Root of the run's own checkout. */
  readonly root: string;
  /** The folder in which agents and checks start: the root, or the subdirectory where the run was started. */
  readonly cwd: string;
  /**
   * Makes branch and checkout, or finds them again after a crash; runs `setup` in it.
   * Contract: idempotent. Rejects with an OperatorError in one sentence.
   */
  prepare(criteria: readonly Criterion[], known?: KnownOfRun): Promise<Prepared>;
  /** The current files as a tree, without ignored files, our state and secrets; the index stays untouched. */
  snapshot(): Promise<string>;
  /** Makes the files equal to `tree`; keeps the earlier ones under the returned ref (null if equal). */
  restore(tree: string, name: string): Promise<string | null>;
  /** Keeps a tree reachable as `refs/untildone/<run>/<name>`. */
  keep(tree: string, name: string): Promise<void>;
  /** Paths that differ between two trees, bounded. */
  changedPaths(
    from: string,
    to: string,
  ): Promise<readonly { readonly path: string; readonly status: 'added' | 'changed' | 'deleted' }[]>;
  /** Deletes untracked, unignored files that are not in `tree`. */
  removeAdded(tree: string): Promise<void>;
  /** The pinned files that `tree` changes. A check's verdict depends on a pinned file. */
  brokenPins(pins: readonly Pin[], tree: string, mayChange: readonly string[]): Promise<BrokenPin[]>;
  /** A digest of the pinned files outside the repository; '' if there are none. */
  steering?(pins: readonly Pin[]): string;
  /** The tree with these pins as they are on the base. */
  withBasePins?(tree: string, broken: readonly BrokenPin[]): Promise<string>;
  /**
   * Commits exactly `tree` on `parent` and moves the run's branch by compare-and-swap, hooks off.
   * Contract: called again with the same `stepId`, it finds its own commit and makes no second one.
   */
  commit(
    order: CommitOrder,
  ): Promise<{ readonly commit: string } | { readonly refused: string; readonly hint: string }>;
  /** Records before a session where every ref of the user points. */
  guardRefs(stepId: string): Promise<void>;
  /** Restores the refs that the session moved or deleted, also after a crash; keeps the replaced ones. */
  restoreRefs(stepId: string): Promise<readonly RestoredRef[]>;
  /** A clean checkout of a tree, with `setup` and `copy`, that no agent has touched. */
  cleanCheckout(tree: string): Promise<CleanCheckout>;
  /**
   * A checkout for a reviewer: the tree, but files that agents load by themselves (CLAUDE.md, .claude/, …)
   * are as on the base. Contract: one folder per name, made again; its snapshot is `tree` only if unchanged.
   */
  reviewCheckout(tree: string, name: string): Promise<ReviewCheckout>;
  /** The snapshot of that checkout after a crash; null if the checkout is gone. */
  reviewTree(name: string): Promise<string | null>;
  /** The newest commits of the run's branch, one per line, newest first. */
  recentCommits(count: number): Promise<readonly string[]>;
  /** Files of a tree as text, with a limit on their total; null for a file that is absent or no text. */
  texts(tree: string, paths: readonly string[]): Promise<readonly FileText[]>;
  /** The bounded difference of two trees, with paths relative to `cwd`. */
  diff(from: string, to: string): Promise<TreeDiff>;
  /** Files that `to` adds or changes and that the user's editor, shell or git would run by itself. */
  runsAfterLanding?(from: string, to: string): Promise<readonly RunsAfterLanding[]>;
  /** Absent if trees cannot be made without a checkout. */
  readonly trees?: Trees;
  /** Removes the checkout of a run that has ended. */
  release(): Promise<void>;
}

/** What a run knows before its workspace is prepared. */
export interface KnownOfRun {
  /** The pins of the run so far; those of files outside the repository stay. */
  readonly pins?: readonly Pin[];
  /** The newest commit of the run; a branch that is gone is made there again. */
  readonly tip?: string;
  /** The goal in a person's words: test data that it names may change. */
  readonly goals?: readonly string[];
  /** No builder has worked yet: after a change of the setup, the checkout may be made again. */
  readonly isUntouched?: boolean;
}

export interface Prepared {
  readonly baseCommit: string;
  readonly baseTree: string;
  readonly branch: string;
  readonly pins: readonly Pin[];
}

export interface CommitOrder {
  readonly stepId: string;
  readonly tree: string;
  readonly parent: string;
  readonly message: string;
}

export interface RestoredRef {
  readonly ref: string;
  /** `ignored`: the ref stays as it is, and the run does not use it. */
  readonly action: 'restored' | 'moved-back' | 'left' | 'ignored';
  readonly keptAs: string;
}
