// The results of checks and reviews of a task's work, and of the blockers that reviewers named.
import { present } from '#base/assert.ts';
import type { Event } from '#kernel/events/events.ts';
import type { ReviewFact } from '#kernel/events/review-facts.ts';
import type { Run, TaskState } from './run.ts';
import type { AgentChoice, SessionOperation, SessionResult, Step } from '#kernel/model/step.ts';
import type { Blocker, ReviewVerdict, Trial } from '#kernel/model/review.ts';
import type { TransientError } from '#kernel/waiting/transient-error.ts';
import type { Checked } from '#kernel/proof/preview.ts';

/** The results since the task's last builder session began; the next one starts empty. */
export interface Inspection {
  /** The last check of the work. */
  checked: Checked | null;
  /** By role. */
  readonly reviews: Map<string, ReviewState>;
}

export function emptyInspection(): Inspection {
  return { checked: null, reviews: new Map() };
}

/** One reviewer and the tree that it reviewed last. */
export interface ReviewState {
  readonly role: string;
  readonly tree: string;
  readonly stepId: string;
  readonly agent: AgentChoice;
  /** Its session, once it ended; null if it must be asked (again). */
  result: SessionResult | null;
  /** The recorded verdict of that session. */
  verdict: ReviewVerdict | null;
  /** By the index of the blocker. */
  trials: (Trial | null)[];
  /** How often it was asked again about this tree because its verdict settled nothing, and why last time. */
  doubts: number;
  doubt: string | null;
  transientError: TransientError | null;
  /** Why its last session about this tree gave no valid verdict. */
  error: string | null;
}

export function startReview(task: TaskState, step: Step, { role, agent }: SessionOperation): void {
  const tree = present(step.baseTree, 'a review has a tree');
  const before = task.inspection.reviews.get(role);
  const isSame = before?.tree === tree;
  task.inspection.reviews.set(role, {
    role,
    tree,
    stepId: step.stepId,
    agent,
    result: null,
    verdict: null,
    trials: [],
    doubts: isSame ? before.doubts : 0,
    doubt: isSame ? before.doubt : null,
    transientError: isSame ? before.transientError : null,
    error: isSame ? before.error : null,
  });
}

export type ReviewEvent = Extract<Event, { readonly type: ReviewFact['type'] }>;

export function applyReview(task: TaskState, event: ReviewEvent): void {
  const review = reviewBy(task, event.stepId);
  switch (event.type) {
    case 'reviewer-failed':
      task.reviewers.errors += 1;
      if (review === null) return;
      review.error = `${event.reason}${review.result === null ? '' : `; see its log ${review.result.log}`}`;
      review.result = null;
      return;
    case 'review-received':
      task.reviewers.errors = 0;
      if (review !== null) review.verdict = event.verdict;
      return;
    case 'report-received':
      task.reviewers.report = event.text;
      task.reviewers.errors = 0;
      return;
    case 'blocker-tried':
      if (review === null) return;
      while (review.trials.length < event.index) review.trials.push(null);
      review.trials[event.index] = event.trial;
      return;
    case 'review-doubted':
      if (review === null) return;
      review.doubts += 1;
      review.doubt = event.reason;
      review.result = null;
      review.verdict = null;
      review.trials = [];
  }
}

export function reviewBy(task: TaskState, stepId: string): ReviewState | null {
  for (const review of task.inspection.reviews.values()) if (review.stepId === stepId) return review;
  return null;
}

/** The blockers of reviewers that would be reason enough to stop the run. */
export function securityBlockers(run: Run): { readonly role: string; readonly blocker: Blocker }[] {
  return [...run.tasks.values()].flatMap((task) =>
    [...task.inspection.reviews.values()].flatMap(({ role, verdict }) =>
      (verdict?.blockers ?? [])
        .filter((one) => one.isSecurity && one.severity === 'critical')
        .map((blocker) => ({ role, blocker })),
    ),
  );
}
