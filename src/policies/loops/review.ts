// After our checks: all reviewers in parallel, then we reproduce their blockers, then a person decides the
// rest.
import { present } from '#base/assert.ts';
import { beganWith } from '#kernel/proof/checkpoint.ts';
import { type Criterion, type Evidence, isByMachine, isExit } from '#kernel/model/criterion.ts';
import type { Fact } from '#kernel/events/events.ts';
import type { Move } from '#kernel/decide/policy.ts';
import type { ReviewState } from '#kernel/fold/review.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { ReproduceOperation, SessionOperation } from '#kernel/model/step.ts';
import { reviewReport } from '#policies/prompts/review-report.ts';
import { reviewerPrompt } from '#policies/prompts/reviewer-prompt.ts';
import { recover } from '#policies/fallbacks/recover.ts';
import { agentFor } from '#policies/fallbacks/agent-for.ts';
import { failAttempt, giveUp, hopelessReason } from './moves.ts';
import { readReview } from './read-review.ts';
import type { SettledReview } from './settle-review.ts';
import { settleAfterErrors, settleReview, settleWithoutVerdict } from './settle-review.ts';

/** Commands of one reviewer that we run; the blockers beyond stay claims. */
const trialsMax = 8;
/** Time limit of one such command; a blocker that needs longer does not count as shown. */
const trialMs = 300_000;

/** The next step between green checks and proof; null when none is left. */
export function reviewNext(run: Run, task: TaskState, tree: string): Move | null {
  const open = openCriteria(task, tree);
  const reviewers = open.filter(({ verdict, role }) => verdict === null && role !== null);
  const ended = reviewers.flatMap(({ criterion, role }) => {
    const review = task.inspection.reviews.get(role ?? '');
    return review?.tree === tree && review.result !== null ? [{ criterion, review }] : [];
  });
  return (
    readNew(run, task, tree, ended) ??
    tryBlockers(tree, ended) ??
    concludeAll(task, ended) ??
    failed(run, task, open) ??
    leaveToPerson(run, task, tree, reviewers) ??
    askReviewers(run, task, tree, reviewers) ??
    askPerson(open)
  );
}

interface Open {
  readonly criterion: Criterion;
  /** Null if a person decides. */
  readonly role: string | null;
  readonly verdict: Evidence['verdict'] | null;
  readonly reason: string;
}

interface Ended {
  readonly criterion: Criterion;
  readonly review: ReviewState;
}

/** Criteria of reviewers and people that have not passed on this tree. */
function openCriteria(task: TaskState, tree: string): Open[] {
  return task.spec.criteria.flatMap((criterion) => {
    if (isByMachine(criterion) || !isExit(criterion) || task.skips.has(criterion.id)) return [];
    const evidence = task.evidence.get(criterion.id)?.attempt;
    const verdict = evidence?.tree === tree ? evidence.verdict : null;
    if (verdict === 'pass') return [];
    const role = criterion.check.kind === 'reviewer' ? criterion.check.role : null;
    return [{ criterion, role, verdict, reason: evidence?.reason ?? '' }];
  });
}

/** Reads the sessions that ended and are not recorded yet. */
function readNew(run: Run, task: TaskState, tree: string, ended: readonly Ended[]): Move | null {
  const facts: Fact[] = [];
  for (const { criterion, review } of ended) {
    if (review.verdict !== null || review.result === null) continue;
    const hopeless = hopelessReason(review.result.ending);
    if (hopeless !== null) return giveUp(task, 'failed', hopeless);
    const read = readReview(review.result, { tree, hasCommitted: run.movedBranch.has(review.stepId) });
    const about = { taskId: task.spec.id, stepId: review.stepId };
    if (read.kind === 'verdict') facts.unshift({ type: 'review-received', ...about, verdict: read.verdict });
    else if (read.kind === 'invalid') facts.push({ type: 'reviewer-failed', ...about, reason: read.reason });
    else if (read.kind === 'no-verdict') {
      const { words } = present(run.config.roles[review.role], `role ${review.role} is configured`);
      facts.push(settledFact(task, { criterion, review }, settleWithoutVerdict(review, words, read.reason)));
    }
  }
  return facts.length === 0 ? null : { kind: 'conclude', facts };
}

/** A blocker with a command is run, not believed. */
function tryBlockers(tree: string, ended: readonly Ended[]): Move | null {
  const starts = ended.flatMap(({ review }) => {
    const commands = (review.verdict?.blockers ?? [])
      .flatMap(({ command }, index) => (command === null ? [] : [{ index, run: command }]))
      .slice(0, trialsMax)
      .filter(({ index }) => (review.trials[index] ?? null) === null);
    if (commands.length === 0) return [];
    const operation: ReproduceOperation = {
      kind: 'reproduce',
      review: review.stepId,
      commands,
      timeoutMs: trialMs,
    };
    return [{ deed: operation, baseTree: tree }];
  });
  return starts.length === 0 ? null : { kind: 'start-several', starts };
}

function concludeAll(task: TaskState, ended: readonly Ended[]): Move | null {
  const facts: Fact[] = [];
  const failing: ReviewState[] = [];
  for (const { criterion, review } of ended) {
    if (review.verdict === null) continue;
    const settled = settleReview(review, review.verdict);
    if (settled.verdict === 'fail') failing.push(review);
    facts.push(settledFact(task, { criterion, review }, settled));
  }
  const [first] = failing;
  if (first !== undefined) {
    const text = reviewReport(failing);
    facts.unshift({ type: 'report-received', taskId: task.spec.id, stepId: first.stepId, text });
  }
  return facts.length === 0 ? null : { kind: 'conclude', facts };
}

function settledFact(
  task: TaskState,
  { criterion, review }: Ended,
  { verdict, reason }: SettledReview,
): Fact {
  if (verdict === 'again')
    return { type: 'review-doubted', taskId: task.spec.id, stepId: review.stepId, reason };
  return { type: 'evidence-recorded', evidence: evidenceOf(task, criterion, review, { verdict, reason }) };
}

/** Any fail fails the attempt; no other reviewer is asked. */
function failed(run: Run, task: TaskState, open: readonly Open[]): Move | null {
  const reasons = open
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ criterion, reason }) => `${criterion.id}: ${reason}`);
  return reasons.length === 0 ? null : failAttempt(run, task, reasons.join('; '));
}

/** A reviewer whose sessions broke off too often is not asked again: its verdict is unknown. */
function leaveToPerson(run: Run, task: TaskState, tree: string, reviewers: readonly Open[]): Move | null {
  if (task.reviewers.errors < run.config.policy.reviewerErrorsMax) return null;
  const facts = reviewers.flatMap(({ criterion, role }) => {
    const review = task.inspection.reviews.get(role ?? '');
    if (review?.tree !== tree || review.error === null) return [];
    return [settledFact(task, { criterion, review }, settleAfterErrors(review, task.reviewers.errors))];
  });
  return facts.length === 0 ? null : { kind: 'conclude', facts };
}

function askReviewers(run: Run, task: TaskState, tree: string, reviewers: readonly Open[]): Move | null {
  const [first] = reviewers;
  if (first === undefined) return null;
  const starts: { deed: SessionOperation; baseTree: string }[] = [];
  let waiting: Move | null = null;
  for (const { role } of reviewers) {
    const review = task.inspection.reviews.get(role ?? '');
    const transientError = review?.tree === tree ? review.transientError : null;
    const wait = transientError === null ? null : recover(run, task, transientError);
    if (wait !== null && wait.kind !== 'wait') return wait;
    if (wait === null) starts.push({ deed: reviewerOperation(run, task, role ?? '', tree), baseTree: tree });
    waiting ??= wait;
  }
  return starts.length === 0 ? waiting : { kind: 'start-several', starts };
}

function askPerson(open: readonly Open[]): Move | null {
  const [first] = open;
  if (first === undefined) return null;
  const { criterion, reason } = first;
  if (criterion.check.kind === 'human')
    return { kind: 'park', why: `a person's approval: ${criterion.check.question}` };
  return { kind: 'park', why: `a person's verdict on ${criterion.id}: ${reason}` };
}

function reviewerOperation(run: Run, task: TaskState, role: string, tree: string): SessionOperation {
  const config = present(run.config.roles[role], `role ${role} is configured`);
  const before = task.inspection.reviews.get(role);
  const ending = before?.tree === tree ? before.result?.ending : undefined;
  return {
    kind: 'session',
    role,
    attempt: task.attempt,
    ordinal: (run.ordinals.get(role) ?? 0) + 1,
    agent: agentFor(run, task, role),
    prompt: reviewerPrompt(run, task, role),
    readOnly: true,
    words: config.words,
    limits: config.limits,
    resume: ending?.kind === 'interrupted' ? ending.resumeId : null,
    diffFrom: beganWith(run, task) ?? tree,
  };
}

function evidenceOf(
  task: TaskState,
  criterion: Criterion,
  { stepId, tree }: ReviewState,
  found: { readonly verdict: Evidence['verdict']; readonly reason: string },
): Evidence {
  return {
    taskId: task.spec.id,
    criterionId: criterion.id,
    stepId,
    purpose: 'attempt',
    place: 'clean',
    tree,
    ...found,
    command: null,
    ending: null,
    tail: '',
    log: null,
    durationMs: 0,
  };
}
