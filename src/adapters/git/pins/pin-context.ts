// What pins are taken and compared with.
import type { TreeGround } from '#adapters/git/trees/pin-tree.ts';
import type { OutsidePlace } from './outside-rules.ts';

export interface PinGround extends TreeGround {
  /** What the pins were taken from, as a commit or a tree. */
  readonly base: string;
  /** Folder of the start, which a criterion's own folder is relative to. */
  readonly prefix: string;
  /** Absent where an agent cannot reach what lies around the repository. */
  readonly outside?: OutsidePlace;
}
