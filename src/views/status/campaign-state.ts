// A run that plans, by the names that tools for campaigns read in `state.json`.
import type { Run } from '#kernel/fold/run.ts';
import { currentTask } from './stage.ts';

export interface CampaignState {
  /** PLANNING, EXECUTING or COMPLETED; any other outcome in capitals. */
  readonly status: string;
  readonly project_goal: string;
  /** Failed attempts of the task that is worked on. */
  readonly retry_counter: number;
  readonly metrics: {
    readonly tasks_completed: number;
    readonly tasks_failed: number;
    readonly tasks_total: number;
  };
}

/** Null for a run whose tasks are given. */
export function campaignState(run: Run): CampaignState | null {
  if (run.config.policy.planning === undefined) return null;
  const tasks = [...run.tasks.values()];
  return {
    status: statusOf(run),
    project_goal: run.config.goal,
    retry_counter: retriesOf(run),
    metrics: {
      tasks_completed: tasks.filter(({ status }) => status.is === 'landed').length,
      // A later plan drops a failed task: that does not undo the failure.
      tasks_failed: tasks.filter(
        ({ status, past }) => status.is === 'failed' || (status.is === 'dropped' && past.hasFailed),
      ).length,
      tasks_total: tasks.filter(({ status }) => status.is !== 'dropped').length,
    },
  };
}

function statusOf({ outcome, plan }: Run): string {
  if (outcome !== null) return outcome.outcome.toUpperCase();
  return plan.version === 0 || plan.wanted !== null || plan.proposal !== null ? 'PLANNING' : 'EXECUTING';
}

function retriesOf(run: Run): number {
  const task = currentTask(run);
  return task === null ? 0 : Math.min(task.failures.count, task.attempt - task.forgiven);
}
