// The dependencies for taking and comparing pins.
import type { TreeGround } from '#adapters/git/trees/pin-tree.ts';
import type { OutsidePlace } from './outside-rules.ts';

export interface PinGround extends TreeGround {
  /** The commit or tree from which the pins were taken. */
  readonly base: string;
  /** The start folder of the run; a criterion's own folder is relative to it. */
  readonly prefix: string;
  /** Undefined when an agent cannot reach files around the repository. */
  readonly outside?: OutsidePlace;
}
