// The files that a run works on, as git trees. What is replaced stays reachable under refs/untildone/.
import type { BrokenPin, Criterion, Pin } from '#kernel/model/criterion.ts';
import type { RunsAfterLanding } from '#kernel/model/after-landing.ts';
import type { CleanCheckout, ReviewCheckout } from './checkouts.ts';
import type { FileText, TreeDiff, Trees } from './trees.ts';

export interface Workspace {
  /** Root of the run's own checkout. */
  readonly root: string;
  /** Folder in which agents and checks start: the root, or the subdirectory where the run was started. */
  readonly cwd: string;
  /**
   * Makes branch and checkout, or finds them again after a crash; runs `setup` in it.
   * Contract: idempotent. Rejects with an OperatorError in one sentence.
   */
  prepare(criteria: readonly Criterion[], known?: KnownOfRun): Promise<Prepared>;
  /** The present files as a tree, without touching the user's index; ignored files, our own state and secrets are left out. */
  snapshot(): Promise<string>;
  /** Makes the files equal to `tree`; the files before are kept under the returned ref, null if they were equal. */
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
  /** Which pinned files `tree` changes; a pin is a file on which a check's verdict depends. */
  brokenPins(pins: readonly Pin[], tree: string, mayChange: readonly string[]): Promise<BrokenPin[]>;
  /** A digest of the pinned files outside of the repository; '' where there are none. */
  steering?(pins: readonly Pin[]): string;
  /** The tree with these pins as they are on the base. */
  withBasePins?(tree: string, broken: readonly BrokenPin[]): Promise<string>;
  /**
   * Commits exactly `tree` on `parent` and moves the run's branch by compare-and-swap, hooks off.
   * Contract: called again with the same `stepId` it finds its own commit and makes no second one.
   */
  commit(
    order: CommitOrder,
  ): Promise<{ readonly commit: string } | { readonly refused: string; readonly hint: string }>;
  /** Records where every ref of the user points, before a session. */
  guardRefs(stepId: string): Promise<void>;
  /** Restores the refs that the session moved or deleted, also after a crash; what it replaced is kept. */
  restoreRefs(stepId: string): Promise<readonly RestoredRef[]>;
  /** A clean checkout of a tree, with `setup` and `copy`, that no agent has touched. */
  cleanCheckout(tree: string): Promise<CleanCheckout>;
  /**
   * A checkout for one reviewer: the tree, but what agents load by themselves (CLAUDE.md, .claude/, …) is as on the base.
   * Contract: one name, one folder, made anew; its snapshot is `tree` only if nothing in it was changed.
   */
  reviewCheckout(tree: string, name: string): Promise<ReviewCheckout>;
  /** That snapshot after a crash; null when the checkout is gone. */
  reviewTree(name: string): Promise<string | null>;
  /** The newest commits of the run's branch, one a line, newest first. */
  recentCommits(count: number): Promise<readonly string[]>;
  /** Files of a tree as text, bounded together; null for what is not there or no text. */
  texts(tree: string, paths: readonly string[]): Promise<readonly FileText[]>;
  /** The difference of two trees, with paths relative to `cwd`; bounded. */
  diff(from: string, to: string): Promise<TreeDiff>;
  /** Files that `to` adds or changes and that an editor, a shell or git of the user would run by itself. */
  runsAfterLanding?(from: string, to: string): Promise<readonly RunsAfterLanding[]>;
  /** Absent where trees cannot be made without a checkout. */
  readonly trees?: Trees;
  /** Removes the checkout of a run that is over. */
  release(): Promise<void>;
}

/** What a run knows before its workspace is prepared. */
export interface KnownOfRun {
  /** The pins of the run so far; those of files outside of the repository stay. */
  readonly pins?: readonly Pin[];
  /** The newest commit of the run; a branch that is gone is made there again. */
  readonly tip?: string;
  /** The goal in a person's words: test data that it names may change. */
  readonly goals?: readonly string[];
  /** No builder has worked yet: the checkout may be made again after a change of the setup. */
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
  /** `ignored`: it stays as it is, and the run does not use it. */
  readonly action: 'restored' | 'moved-back' | 'left' | 'ignored';
  readonly keptAs: string;
}
