// Checkouts beside the run's own one: for checks that must see no leftovers, and for reviewers.

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

export interface ReviewCheckout extends CleanCheckout {
  /** Plain data by which the session host reads the tree at the end. */
  readonly record: unknown;
  /** Paths relative to `cwd` that the tree changed and the reviewer sees as on the base. */
  readonly asOnBase: readonly string[];
}
