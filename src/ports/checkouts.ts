// Checkouts beside the run's own: for checks that must see no leftovers, and for reviewers.

export interface CleanCheckout {
  readonly root: string;
  readonly cwd: string;
  snapshot(): Promise<string>;
  /** The tree that a commit made in this checkout now would have. */
  staged?(): Promise<string>;
  /** A digest of the bytes of each file as it is in the checkout; absent files are omitted. */
  digests?(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Starts to watch which files of the checkout are read; absent if the file system cannot report that. */
  watchReads?(): Promise<ReadWatch>;
  dispose(): Promise<void>;
}

export interface ReadWatch {
  /** Sorted paths, from the checkout's root, that were read since the watch began; null if unknown. */
  stop(): Promise<readonly string[] | null>;
}

export interface ReviewCheckout extends CleanCheckout {
  /** Plain data that the session host needs to read the tree at the end. */
  readonly record: unknown;
  /** Paths relative to `cwd` that the tree changed but that the reviewer gets as on the base. */
  readonly asOnBase: readonly string[];
}
