// The base of a run: a commit with its tree, and the pins made there; and what a later tree changed.
import type { Pin } from './criterion.ts';

export interface CommittedTree {
  readonly commit: string;
  readonly tree: string;
}

export interface Base extends CommittedTree {
  readonly branch: string;
  readonly pins: readonly Pin[];
}

/** The change of one file between two trees, for people. */
export interface FileDiff {
  readonly path: string;
  /** The earlier path of a renamed file; null for all others. */
  readonly oldPath: string | null;
  readonly change: 'added' | 'changed' | 'deleted' | 'renamed' | 'type changed';
  /** `100644 → 100755`; null if the mode stayed. */
  readonly mode: string | null;
  /** Lines added and removed; null for a binary file and for one that is too large to compare. */
  readonly counts: { readonly added: number; readonly removed: number } | null;
  /** Lines of its patch, from the first `@@` on; bounded. */
  readonly lines: readonly string[];
  /** Lines of its patch that are not in `lines`. */
  readonly linesHidden: number;
}

export interface FileDiffs {
  /** The first ones by path, bounded. */
  readonly files: readonly FileDiff[];
  readonly filesHidden: number;
  /** Over all files, the hidden ones too. */
  readonly added: number;
  readonly removed: number;
}
