// Settles retries and approvals: a failed or skipped task, or an unverified run, before and after the end.
import type { Settlement } from '#kernel/events/settlement.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { securityStop } from './security-stop.ts';
import { awaitingOf, buildOf, isAttemptOver } from '#kernel/fold/work.ts';

export function settleRetry(run: Run, task: TaskState, by: string): Settlement {
  const refused = whyNotRetried(run, task);
  if (refused !== null) return { refused };
  // During the run, a retry rejects the work that waits for a person's verdict.
  const isRefused = run.outcome === null && awaitingOf(task) !== null;
  const isKept = !isRefused && isGoingOn(run, task);
  return { facts: isKept ? [] : [{ type: 'task-retried', taskId: task.spec.id, by }] };
}

/** Repeated after a crash, it is accepted without new facts. */
export function settleApproval(run: Run, by: string, tree: string): Settlement {
  const refused = whyNotApproved(run, tree);
  if (refused !== null) return { refused };
  if (run.outcome === null) return { facts: [] };
  return {
    facts: [
      { type: 'run-reopened', by },
      { type: 'run-approved', by, tree },
    ],
  };
}

/** Why a cleaned run cannot continue, in one sentence without its full stop; null for all others. */
export function whyGone({ cleaned }: Pick<Run, 'cleaned'>): string | null {
  return cleaned === null ? null : `the run was cleaned by ${cleaned.by}; its branch and files were removed`;
}

/** Why the work as a whole cannot be approved, in one sentence without its full stop; null if it can. */
export function whyNotApproved(run: Run, tree: string): string | null {
  const { approval, config, outcome, tip } = run;
  const gone = whyGone(run);
  if (gone !== null) return gone;
  if (outcome === null && approval?.tree !== tree) return 'the run has not ended';
  if (outcome !== null && outcome.outcome !== 'unverified') return `the run has ended: ${outcome.outcome}`;
  if (config.foreign !== undefined) return 'the run has ended with the session it belonged to';
  if (config.policy.loops?.requireVerification === false)
    return 'verification is switched off (loops.requireVerification)';
  return tip?.tree === tree ? null : 'the work has changed since';
}

/** In one sentence without its full stop; null for a task that can be retried. */
export function whyNotRetried(run: Run, task: TaskState): string | null {
  const { id } = task.spec;
  const gone = whyGone(run);
  if (gone !== null) return gone;
  switch (task.status.is) {
    case 'failed':
      return null;
    case 'skipped':
      return task.runningSteps > 0 ? `the running steps of task ${id} are being ended` : null;
    case 'landed':
      return `task ${id} is done and cannot be changed`;
    case 'dropped':
      return `a new plan drops task ${id}`;
    case 'waiting':
      return `task ${id} waits for ${awaited(run, task).join(', ')}`;
    case 'needs-input':
      return run.outcome === null ? `task ${id} waits for an answer` : null;
    default:
      return run.outcome === null && awaitingOf(task) === null ? `task ${id} is open already` : null;
  }
}

function awaited(run: Run, { spec }: TaskState): string[] {
  return spec.dependsOn.filter((id) => !['landed', 'skipped'].includes(run.tasks.get(id)?.status.is ?? ''));
}

/** The end of the run cut the task short: its work or open question is still good, and already paid. */
function isGoingOn(run: Run, task: TaskState): boolean {
  if (task.status.is !== 'active') return ['ready', 'proven', 'needs-input'].includes(task.status.is);
  if (securityStop(run) !== null) return false;
  const isBuilt = task.dialogue.resume !== null || buildOf(task)?.ending.kind === 'finished';
  return awaitingOf(task) !== null || (isBuilt && !isAttemptOver(task));
}
