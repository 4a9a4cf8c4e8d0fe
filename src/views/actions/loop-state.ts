// The action loop for programs: the names that tools of this kind read.
import { iterationsMax } from '#kernel/actions/action-loop.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { isSuspended } from '#views/waiting/suspended.ts';
import { utc } from '#views/words.ts';

export interface LoopResult {
  readonly status: string;
  readonly loop_id: string;
  readonly iterations: number;
  readonly final_state: LoopFinalState;
}

export interface LoopFinalState {
  readonly loop_id: string;
  readonly status: string;
  readonly mode: 'auto' | 'interactive';
  readonly current_iteration: number;
  readonly max_iterations: number;
  /** What the agent reported, as it was taken over; null before the first turn. */
  readonly skill_state: { readonly [key: string]: unknown } | null;
  readonly last_action: string | null;
  readonly updated_at: string;
}

/** Null for a run of another preset. */
export function loopResult(run: Run): LoopResult | null {
  const { actions } = run.config.policy;
  const task = loopTask(run);
  if (actions === undefined || task === null) return null;
  const { iteration, isInitialised, state, taken } = task.actions;
  const status = run.outcome?.outcome ?? (isHeld(run) || run.running.size === 0 ? 'paused' : 'running');
  return {
    status,
    loop_id: run.id,
    iterations: [...run.tasks.values()].reduce((sum, one) => sum + one.actions.iteration, 0),
    final_state: {
      loop_id: run.id,
      status,
      mode: actions.mode,
      current_iteration: iteration,
      max_iterations: iterationsMax(run, task),
      skill_state: isInitialised || taken.length > 0 ? state : null,
      last_action: taken.at(-1)?.action ?? null,
      updated_at: utc(run.now),
    },
  };
}

function isHeld(run: Run): boolean {
  return run.paused !== null || isSuspended(run);
}

/** The task that the loop is at: of several in a file, one after the other. */
export function loopTask(run: Run): TaskState | null {
  if (run.config.policy.actions === undefined) return null;
  const [active] = run.queue.active;
  return active ?? run.queue.ready[0] ?? [...run.tasks.values()].at(-1) ?? null;
}

/** How the loop ended, in the words that its users know; null while it goes on. */
export function loopEnding(run: Run): string | null {
  if (run.config.policy.actions === undefined) return null;
  switch (run.outcome?.outcome) {
    case 'completed':
      return 'Loop completed successfully';
    case 'stopped':
      return 'Loop stopped';
    case undefined:
      return isHeld(run) ? 'Loop paused, exiting gracefully' : null;
    default:
      return null;
  }
}
