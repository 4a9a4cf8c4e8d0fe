// The record of a loop over a task's criteria: its position, what passed, and how often each one failed.
import type { Event } from '#kernel/events/events.ts';
import type { Run, TaskState } from './run.ts';
import type { LoopSettings } from '#kernel/model/config.ts';
import type { LoopFact } from '#kernel/events/criteria-facts.ts';
import { endAttempt } from './work.ts';

/** The limit of attempts in a loop that counts failures and passes instead: it is never reached first. */
export const attemptsWithLoops = 1000;

export interface LoopState {
  /** The current pass over all criteria; 0 before the first. */
  iteration: number;
  /** The criterion that was worked on last. */
  focus: string | null;
  /** Criteria that passed and have not failed since, with the tree on which they passed. */
  readonly passed: Map<string, string>;
  /** Criteria that were worked on but not decided: a person or the acceptance decides them. */
  readonly attempted: Set<string>;
  /** Attempts begun at each criterion; a session on all of them counts under the id of the whole task. */
  readonly attempts: Map<string, number>;
  readonly failures: Map<string, { readonly count: number; readonly reason: string }>;
  /** Criteria passed since the last checkpoint. */
  sinceCheckpoint: number;
  /** Commits of work that is not proven yet. */
  readonly checkpoints: string[];
  isPauseDue: boolean;
}

export function emptyLoop(): LoopState {
  return {
    iteration: 0,
    focus: null,
    passed: new Map(),
    attempted: new Set(),
    attempts: new Map(),
    failures: new Map(),
    sinceCheckpoint: 0,
    checkpoints: [],
    isPauseDue: false,
  };
}

/** Whether an agent may not stop while something is open; a person can always end a run. */
export function isExitBlocked({ enabled, enforced, blockExitUntilComplete }: LoopSettings): boolean {
  return enabled && enforced && blockExitUntilComplete;
}

/** Whether a person decides a criterion without a check; otherwise such a criterion is refused. */
export function isPersonAskedInstead({ requireVerification, fallbackToManual }: LoopSettings): boolean {
  return !requireVerification || fallbackToManual;
}

/** Whether skipping a criterion needs a person. */
export function isSkipBlocked(run: Run): boolean {
  const { loops } = run.config.policy;
  return loops === undefined || (loops.enforced && loops.blockOnSkip);
}

export type LoopEvent = Extract<Event, { readonly type: LoopFact['type'] }>;

/** Failures that belong to no single criterion count under this id; no criterion can have it. */
export const wholeTask = '*';

/** The author of a pause that the settings ask for. */
export const parkedBySettings = 'the settings';

export function applyLoop(run: Run, task: TaskState, event: LoopEvent): void {
  const { loop } = task;
  switch (event.type) {
    case 'criterion-attempted':
      loop.attempted.add(event.criterionId);
      return endSessionOn(task, event.criterionId);
    case 'criterion-passed':
      // A criterion that was green before the work began is no progress.
      if (!loop.passed.has(event.criterionId) && task.attempt > 0) loop.sinceCheckpoint += 1;
      loop.passed.set(event.criterionId, event.tree);
      if (loop.focus !== event.criterionId) return;
      loop.isPauseDue = run.config.policy.loops?.pauseBetweenScenarios ?? false;
      return endSessionOn(task, event.criterionId);
    case 'criterion-failed':
      return countFailure(task, event.criterionId, event.reason);
    case 'criterion-reopened':
      loop.sinceCheckpoint = Math.max(0, loop.sinceCheckpoint - 1);
      return forgetPass(task, event.criterionId);
    case 'iteration-started':
      loop.iteration = event.iteration;
      loop.focus = null;
      return;
    case 'run-parked':
      loop.isPauseDue = false;
      run.paused = { by: parkedBySettings, why: event.why };
      return;
  }
}

/** Criteria that the acceptance refused are worked on again; if it names none, all are checked again. */
export function reopenLoop(run: Run, task: TaskState): void {
  const { acceptance } = run;
  let isNamed = false;
  for (const [id, { acceptance: evidence }] of task.evidence) {
    if (evidence === undefined || evidence.stepId !== acceptance?.stepId || evidence.verdict === 'pass')
      continue;
    countFailure(task, id, evidence.reason);
    isNamed = true;
  }
  // Also counted if no criterion of the loop is to blame, such as a held-out one, or it would loop for ever.
  countFailure(task, wholeTask, 'it was not accepted');
  if (!isNamed) task.loop.passed.clear();
}

/** `criterionId` is absent if a session works on all of them. */
export function countAttempt({ attempts }: LoopState, criterionId: string = wholeTask): void {
  attempts.set(criterionId, (attempts.get(criterionId) ?? 0) + 1);
}

/** A person's retry starts the counts again. */
export function forgiveLoop({ loop }: TaskState): void {
  loop.failures.clear();
  loop.iteration = 0;
  loop.focus = null;
}

function countFailure(task: TaskState, id: string, reason: string): void {
  const { failures } = task.loop;
  failures.set(id, { count: (failures.get(id)?.count ?? 0) + 1, reason });
  forgetPass(task, id);
}

export function forgetPass({ loop }: TaskState, id: string): void {
  loop.passed.delete(id);
  loop.attempted.delete(id);
}

function endSessionOn(task: TaskState, criterionId: string): void {
  if (task.loop.focus !== criterionId) return;
  endAttempt(task);
  task.failures.last = null;
}
