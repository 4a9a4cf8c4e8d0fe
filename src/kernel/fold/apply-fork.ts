// Resets the state that a fork does not inherit from its original run.
import { emptyLedger } from '#kernel/model/budget.ts';
import type { Event } from '#kernel/events/events.ts';
import type { Run, TaskState } from './run.ts';
import type { ForkOrigin } from '#kernel/events/after-end-facts.ts';
import { isAttemptOver } from './work.ts';

export interface Fork extends ForkOrigin {
  readonly by: string;
  readonly at: number;
  /** Steps started by then. Their ids name refs and logs, so the numbering continues. */
  readonly steps: number;
}

export function applyFork(run: Run, event: Extract<Event, { readonly type: 'run-forked' }>): void {
  run.forked = {
    runId: event.from,
    event: event.event,
    by: event.by,
    at: event.at,
    steps: run.stepsStarted,
  };
  Object.assign(run.ledger, emptyLedger());
  run.sessions.length = 0;
  run.activeMs = 0;
  run.budget = run.config.budget;
  run.isDriven = false;
  run.limitedUntil = null;
  for (const { id } of run.pending) run.controls.set(id, 'refused');
  run.pending = [];
  run.paused = null;
  run.suspensions.clear();
  run.agentSuspensions = 0;
  run.stopping = null;
  run.trouble = null;
  run.acceptance = null;
  run.approval = null;
  run.landings.length = 0;
  run.plan.transientError = null;
  // The checkout of the fork does not exist yet; the files that decide its checks are pinned in it.
  run.arePinsDue = run.base !== null;
  for (const task of run.tasks.values()) forkTask(task);
}

function forkTask(task: TaskState): void {
  // Two runs must not continue one conversation of a client: their messages would mix.
  task.dialogue.resume = null;
  task.actions.conversation = null;
  for (const review of task.inspection.reviews.values()) {
    if (review.result?.ending.kind === 'interrupted') review.result = null;
    review.transientError = null;
  }
  task.provider.transientError = null;
  task.provider.limits = [];
  task.previews.asked = [];
  const isOpen = ['waiting', 'ready', 'active', 'needs-input', 'proven'].includes(task.status.is);
  // The limit of attempts is part of the budget, and a fork has its own budget.
  if (isOpen) task.forgiven = isAttemptOver(task) ? task.attempt : task.attempt - 1;
  if (isOpen) task.actions.forgiven = task.actions.iteration;
}
