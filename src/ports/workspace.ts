// The files that a run works on, as trees. Everything thrown away stays reachable under refs/untildone/.
import type { BrokenPin, Criterion, Pin } from '#kernel/model/criterion.ts';
import type { RunsAfterLanding } from '#kernel/model/after-landing.ts';
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
  /** The present files as a tree, without touching the user's index: no ignored files, no state, no secrets. */
  snapshot(): Promise<string>;
  /** Makes the files equal to `tree`; what was there instead is kept under the returned ref, null if they were equal. */
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
  brokenPins(pins: readonly Pin[], tree: string, mayChange: readonly string[]): Promise<BrokenPin[]>;
  /** Equal for two looks that files outside of the repository steer alike; '' where the pins watch none. */
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
  /** Writes down where every ref of the user stands before a session. */
  guardRefs(stepId: string): Promise<void>;
  /** Puts back what the session moved or deleted, also after a crash. What it replaced is kept. */
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
  /** What two trees differ in, as it is read by who works in `cwd`: files outside of it begin with `../`; bounded. */
  diff(from: string, to: string): Promise<TreeDiff>;
  /** What `to` adds to `from` or changes in it that an editor, a shell or git of the user runs by itself. */
  runsAfterLanding?(from: string, to: string): Promise<readonly RunsAfterLanding[]>;
  /** Absent where trees cannot be made without a checkout. */
  readonly trees?: Trees;
  /** Removes the checkout of a run that is over. */
  release(): Promise<void>;
}

/** What a run knows before its workspace is prepared. */
export interface KnownOfRun {
  /** The pins of the run so far; what they say of files outside of the repository stands. */
  readonly pins?: readonly Pin[];
  /** The commit at which the run stands; a branch that is gone is made there again. */
  readonly tip?: string;
  /** What the work is for, in a person's words: data of tests that they name may change. */
  readonly goals?: readonly string[];
  /** No builder has worked yet: a checkout that another setup made may be made anew. */
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
  /** `ignored`: it stays as it is, and has no force in the run. */
  readonly action: 'restored' | 'moved-back' | 'left' | 'ignored';
  readonly keptAs: string;
}

export interface ReviewCheckout extends CleanCheckout {
  /** What whoever takes the tree at the end needs to know: plain data. */
  readonly record: unknown;
  /** Paths, from where the reviewer starts, that it sees as they are on the base, though the tree has changed them. */
  readonly asOnBase: readonly string[];
}

export interface CleanCheckout {
  readonly root: string;
  readonly cwd: string;
  snapshot(): Promise<string>;
  /** What a commit made in it now would hold. */
  staged?(): Promise<string>;
  /** A digest of the bytes of each of these files as they are in the checkout; absent files are left out. */
  digests?(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Starts to watch which files of the checkout are read; absent where the file system cannot tell. */
  watchReads?(): Promise<ReadWatch>;
  dispose(): Promise<void>;
}

export interface ReadWatch {
  /** Paths from the root of the checkout that were read since the watch began, sorted; null where that could not be seen. */
  stop(): Promise<readonly string[] | null>;
}
