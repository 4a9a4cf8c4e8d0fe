// What a run builds on: a commit with its tree, and what was pinned there.
import type { Pin } from './criterion.ts';

export interface CommittedTree {
  readonly commit: string;
  readonly tree: string;
}

export interface Base extends CommittedTree {
  readonly branch: string;
  readonly pins: readonly Pin[];
}
