// What a preset brings: pure choices. The kernel asks; it alone decides what counts as proof.
import type { Fact } from '#kernel/events/events.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { Deed } from '#kernel/model/step.ts';

export interface Policy {
  readonly name: string;
  /**
   * What an open task needs next.
   * Contract: pure; called only when no step of the task runs; a conclusion changes the run, or it would be asked for ever.
   */
  nextMove(run: Run, task: TaskState): Move;
  /**
   * What the run as a whole needs before its tasks go on; null when they may.
   * Contract: as `nextMove`; constant time, because it is asked before every decision. Tasks under way come to their end first.
   */
  nextForRun?(run: Run): RunMove | null;
}

export type RunMove = Extract<Move, { readonly kind: 'start' | 'conclude' | 'wait' | 'park' }>;

export type Move =
  | { readonly kind: 'start'; readonly deed: Deed; readonly baseTree: string }
  /** Side by side: none of them may need the workspace of the run for itself. */
  | {
      readonly kind: 'start-several';
      readonly starts: readonly { readonly deed: Deed; readonly baseTree: string }[];
    }
  | { readonly kind: 'conclude'; readonly facts: readonly Fact[] }
  /** Every required criterion passed on `tree`: the kernel checks that claim before it records it. */
  | { readonly kind: 'prove'; readonly tree: string }
  /** Keeps work that is not proven yet as a commit; `passed` must hold on `tree`. */
  | { readonly kind: 'checkpoint'; readonly tree: string; readonly passed: readonly string[] }
  /** `isWall`: `until` is a time of the machine's clock, as a provider tells it; else it is the run's own time. */
  | { readonly kind: 'wait'; readonly until: number; readonly why: string; readonly isWall?: true }
  /** Nothing can happen before a person acts. */
  | { readonly kind: 'park'; readonly why: string };
