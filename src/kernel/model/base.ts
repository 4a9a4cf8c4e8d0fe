// The base of a run: a commit with its tree, and the pins made there.
import type { Pin } from './criterion.ts';

export interface CommittedTree {
  readonly commit: string;
  readonly tree: string;
}

export interface Base extends CommittedTree {
  readonly branch: string;
  readonly pins: readonly Pin[];
}
