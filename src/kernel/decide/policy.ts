// The policy of a preset: pure choices. The kernel asks for them; it alone decides what counts as proof.
import type { Fact } from '#kernel/events/events.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { Operation } from '#kernel/model/step.ts';

export interface Policy {
  readonly name: string;
  /**
   * The next move of an open task. Contract: pure; called only when no step of the task runs. A conclusion
   * must change the run, or it would be asked for ever.
   */
  nextMove(run: Run, task: TaskState): Move;
  /**
   * What the run as a whole needs before its tasks continue; null if nothing. Active tasks end first.
   * Contract: as `nextMove`; constant time, because it is called before every decision.
   */
  nextForRun?(run: Run): RunMove | null;
}

export type RunMove = Extract<Move, { readonly kind: 'start' | 'conclude' | 'wait' | 'park' }>;

export type Move =
  | { readonly kind: 'start'; readonly deed: Operation; readonly baseTree: string }
  /** In parallel: none of them may need the workspace of the run alone. */
  | {
      readonly kind: 'start-several';
      readonly starts: readonly { readonly deed: Operation; readonly baseTree: string }[];
    }
  | { readonly kind: 'conclude'; readonly facts: readonly Fact[] }
  /** Every required criterion passed on `tree`: the kernel verifies that claim before it records it. */
  | { readonly kind: 'prove'; readonly tree: string }
  /** Keeps work that is not proven yet as a commit; the criteria in `passed` must hold on `tree`. */
  | { readonly kind: 'checkpoint'; readonly tree: string; readonly passed: readonly string[] }
  /** `isWall`: `until` is the machine's time, as a provider gives it; else it is the run's own time. */
  | { readonly kind: 'wait'; readonly until: number; readonly why: string; readonly isWall?: true }
  /** Nothing can happen before a person acts. */
  | { readonly kind: 'park'; readonly why: string };
