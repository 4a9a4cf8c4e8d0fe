// Applies the end of a run and the later actions of a person. None of them changes what was proven.
import type { Event } from '#kernel/events/events.ts';
import type { AfterEndFact } from '#kernel/events/after-end-facts.ts';
import { applyFork } from './apply-fork.ts';
import { applyReopening } from './apply-reopening.ts';
import type { Run } from './run.ts';

/** What was removed of a run after its end. */
export interface Cleaning {
  readonly by: string;
  readonly at: number;
  readonly kept: readonly string[];
  readonly removedBytes: number;
}

export function endRun(run: Run, ended: Extract<Event, { readonly type: 'run-ended' }>): void {
  const { outcome, reason, proof, refused } = ended;
  run.outcome = {
    outcome,
    reason,
    ...(proof === undefined ? {} : { proof }),
    ...(refused === undefined ? {} : { refused }),
  };
  run.suspensions.clear();
  run.isDriven = false;
}

export function applyAfterEnd(
  run: Run,
  event: Extract<Event, { readonly type: AfterEndFact['type'] }>,
): void {
  switch (event.type) {
    case 'run-landed':
      return noteLanding(run, event);
    case 'run-reopened':
      return applyReopening(run, event);
    case 'run-forked':
      return applyFork(run, event);
    case 'run-approved':
      run.approval = { by: event.by, at: event.at, tree: event.tree };
      return;
    case 'run-cleaned':
      run.cleaned = { by: event.by, at: event.at, kept: event.kept, removedBytes: event.removedBytes };
      return;
  }
}

function noteLanding(run: Run, event: Event & { readonly type: 'run-landed' }): void {
  const { how, target, commit, by, isProven, acceptedReview } = event;
  const landed = { how, target, commit, by, isProven };
  run.landings.push(acceptedReview === undefined ? landed : { ...landed, acceptedReview });
}
