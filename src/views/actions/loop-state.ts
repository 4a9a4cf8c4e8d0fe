// The state of the action loop for programs, with the field names that such tools read.
import { iterationsMax } from '#kernel/actions/action-loop.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { isSuspended } from '#views/waiting/suspended.ts';
import { shortened, utc } from '#views/words.ts';

export type LoopResult = NonNullable<ReturnType<typeof loopResult>>;

/** Null for a run of another preset. */
export function loopResult(run: Run) {
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
      /** The agent's report as it was accepted; null before the first turn. */
      skill_state: isInitialised || taken.length > 0 ? state : null,
      last_action: taken.at(-1)?.action ?? null,
      updated_at: utc(run.now),
    },
  };
}

function isHeld(run: Run): boolean {
  return run.paused !== null || isSuspended(run);
}

/** The task that the loop works on: the tasks of a file are worked on one by one. */
export function loopTask(run: Run): TaskState | null {
  if (run.config.policy.actions === undefined) return null;
  const [active] = run.queue.active;
  return active ?? run.queue.ready[0] ?? [...run.tasks.values()].at(-1) ?? null;
}

/** How the loop ended, in the terms that its users know; null while it runs. */
export function loopEnding(run: Run): string | null {
  if (run.config.policy.actions === undefined) return null;
  if (run.outcome === null) return isHeld(run) ? 'Loop paused, exiting gracefully' : null;
  if (run.outcome.outcome === 'completed') return 'Loop completed successfully';
  return run.outcome.outcome === 'stopped' ? 'Loop stopped' : null;
}

/** How the last action ended, with its message. A completion refused on the clean checkout is no success. */
export function lastActionResult({ actions, failures }: TaskState): string {
  const last = actions.taken.at(-1);
  if (last === undefined) return '';
  if (last.status !== 'failed' && failures.last !== null)
    return `${last.action}: refused. ${shortened(failures.last.reason, lastLengthMax)}`;
  return `${last.action}: ${last.status}${last.message === '' ? '' : `. ${shortened(last.message, lastLengthMax)}`}`;
}

/** Long enough for a whole question of an agent. */
const lastLengthMax = 1500;
