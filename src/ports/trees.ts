// Files of a tree, and trees that are made without a checkout. A tree is named by its git object id.

/** Reads and makes trees without touching a checkout. Paths are relative to the root of the repository. */
export interface Trees {
  /** Path to mode and object of each file, symbolic link and submodule link. */
  list(tree: string): Promise<ReadonlyMap<string, string>>;
  /** The texts of files; files that are absent, binary or longer than 256 KiB are left out. */
  read(tree: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** `tree` with these paths replaced; the result is a tree that `cleanCheckout` takes. */
  replace(tree: string, changes: readonly TreeChange[]): Promise<string>;
}

/** `asIn`: as the path is in that tree, which removes it where that tree does not have it. */
export type TreeChange =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly asIn: string };

export interface FileText {
  readonly path: string;
  /** Null when it is not there, is no text, or is too long to be shown. */
  readonly text: string | null;
  readonly isThere: boolean;
}

export interface TreeDiff {
  /** One line a file, and a sum. */
  readonly stat: string;
  readonly patch: string;
  /** New and changed test files, named as in `stat`; absent where the reader needs only the change. */
  readonly tests?: readonly { readonly path: string; readonly status: 'added' | 'changed' }[];
}
