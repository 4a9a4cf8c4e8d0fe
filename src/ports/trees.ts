// Reads files of a tree and makes trees without a checkout. A tree is named by its git object id.

/** Never touches a checkout. Paths are relative to the root of the repository. */
export interface Trees {
  /** Path to mode and object id of each file, symbolic link and submodule link. */
  list(tree: string): Promise<ReadonlyMap<string, string>>;
  /** The texts of files; absent and binary files and those over 256 KiB are omitted. */
  read(tree: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** `tree` with these paths replaced; `cleanCheckout` accepts the result. */
  replace(tree: string, changes: readonly TreeChange[]): Promise<string>;
}

/** `asIn`: the path as in that tree; removed if that tree does not have it. */
export type TreeChange =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly asIn: string };

export interface FileText {
  readonly path: string;
  /** Null if the file is absent, is no text, or is too long to show. */
  readonly text: string | null;
  readonly isThere: boolean;
}

export interface TreeDiff {
  /** One line per file, and a total. */
  readonly stat: string;
  readonly patch: string;
  /** New and changed test files, named as in `stat`; absent if the reader needs only the change. */
  readonly tests?: readonly { readonly path: string; readonly status: 'added' | 'changed' }[];
}
