// Folds facts into the run, in place and in constant time per fact.
import { assert, present } from './assert.ts';
import { settleReserve, takeReserve } from './budget.ts';
import type { Event } from './events.ts';
import type { Run, TaskState } from './run.ts';
import { moveBefore } from './place-task.ts';
import { createRun, createTask } from './run.ts';
import { applyControl, takePending } from './apply-control.ts';
import { applyStepEnded, applyStepLost, applyStepStarted } from './apply-step.ts';
import { finishTask, reopen } from './apply-task.ts';
import type { Evidence } from './criterion.ts';
import type { CriteriaEvent } from './criteria-change.ts';
import { applyCriteria, isOutdated } from './criteria-change.ts';
import { applyLanding } from './landing.ts';
import { takeUpAgain } from './left-to-person.ts';
import { forgetTrail, keepTrace } from './failure.ts';
import { countTry } from './looked.ts';
import type { LoopEvent } from './loop.ts';
import { applyLoop, forgiveLoop, reopenLoop } from './loop.ts';
import type { ActionEvent } from '#kernel/model/action-loop.ts';
import { applyAction, forgiveActions, reopenActions } from '#kernel/model/action-loop.ts';
import { applyPlan, linkTask } from './apply-plan.ts';
import { applyReopening, beginAnew, noteRefused, takeBack } from './reopen.ts';
import { applyReview } from './review.ts';
import { applyTampering, noteRestored } from './tampering.ts';

export function replay(events: Iterable<Event>): Run {
  let run: Run | null = null;
  for (const event of events) {
    if (run === null) {
      assert(event.type === 'run-created', 'a journal begins with run-created');
      run = createRun(event.runId, event.config, event.at);
      run.events = 1;
    } else {
      apply(run, event);
    }
  }
  return present(run, 'a journal holds at least one event');
}

export function apply(run: Run, event: Event): void {
  passTime(run, event);
  run.events += 1;
  switch (event.type) {
    case 'run-created':
      throw new Error('a run is created once');
    case 'driver-started':
      assert(event.epoch > run.epoch, `epoch ${event.epoch} does not follow epoch ${run.epoch}`);
      run.epoch = event.epoch;
      run.isDriven = run.outcome === null;
      return;
    case 'driver-left':
      run.isDriven = false;
      return;
    case 'task-added':
      return addTask(run, createTask(event.task, run.tasks.size, event.by), event.before);
    case 'step-started':
      takeReserve(run.ledger, event.step.reserve);
      return applyStepStarted(run, event.step);
    case 'step-ended': {
      const step = takeRunning(run, event.stepId);
      settleReserve(
        run.ledger,
        step.reserve,
        event.result.kind === 'session' ? event.result.usage : { usd: 0, tokens: 0 },
      );
      return applyStepEnded(run, step, event.result);
    }
    case 'step-lost': {
      const step = takeRunning(run, event.stepId);
      settleReserve(run.ledger, step.reserve, event.usage);
      return applyStepLost(run, step);
    }
    case 'evidence-recorded':
      return keepEvidence(taskOf(run, event.evidence.taskId), event.evidence);
    case 'workspace-restored':
      return;
    case 'ref-restored':
      if (event.ref === `refs/heads/${run.config.repo.branch}`) noteMovedBranch(run, event.stepId);
      return noteRestored(run, event);
    case 'tampering-seen':
    case 'tampering-accepted':
    case 'tampering-righted':
      return applyTampering(run, event);
    case 'control-received':
      run.controls.set(event.id, 'pending');
      run.asked.set(event.id, event.control.kind);
      run.pending.push(event);
      return;
    case 'control-applied':
      return applyControl(run, event.id);
    case 'control-refused':
      run.controls.set(event.id, 'refused');
      takePending(run, event.id);
      return;
    case 'clock-reached':
      return;
    case 'acceptance-passed':
      run.accepted = { commit: event.commit, tree: event.tree, epoch: event.epoch };
      return;
    case 'run-landed':
      return applyLanding(run, event);
    case 'run-ended':
      return endRun(run, event);
    case 'run-reopened':
      return applyReopening(run, event);
    case 'run-approved':
      run.approval = { by: event.by, at: event.at, tree: event.tree };
      return;
    case 'run-cleaned':
      run.cleaned = { by: event.by, at: event.at, kept: event.kept, removedBytes: event.removedBytes };
      return;
    default:
      return 'taskId' in event ? applyToTask(run, event) : applyPlan(run, event);
  }
}

function keepEvidence(task: TaskState, evidence: Evidence): void {
  if (isOutdated(task, evidence)) return;
  const known = task.evidence.get(evidence.criterionId) ?? {};
  countTry(task.tries, evidence, known[evidence.purpose]);
  known[evidence.purpose] = evidence;
  task.evidence.set(evidence.criterionId, known);
  if (evidence.verdict !== 'fail' && evidence.command === null) task.reviewerErrors = 0;
  if (evidence.stepId === 'person') takeUpAgain(task);
}

function endRun(run: Run, ended: Extract<Event, { readonly type: 'run-ended' }>): void {
  const { outcome, reason, proof, refused } = ended;
  run.outcome = {
    outcome,
    reason,
    ...(proof === undefined ? {} : { proof }),
    ...(refused === undefined ? {} : { refused }),
  };
  run.endedAt = ended.at;
  run.isDriven = false;
}

type TaskEvent = Extract<Event, { readonly taskId: string }>;

function applyToTask(run: Run, event: TaskEvent): void {
  const task = taskOf(run, event.taskId);
  switch (event.type) {
    case 'attempt-failed':
      task.attemptIsOver = true;
      task.failures += 1;
      keepTrace(task, event.trace);
      task.failure = { attempt: event.attempt, reason: event.reason, at: event.at };
      return;
    case 'reviewer-failed':
    case 'review-received':
    case 'blocker-tried':
    case 'review-doubted':
      return applyReview(task, event);
    case 'report-received':
      task.report = event.text;
      task.reviewerErrors = 0;
      return;
    case 'task-proven':
      task.status = 'proven';
      task.workTree = event.tree;
      task.attemptIsOver = true;
      return;
    case 'task-landed':
      run.accepted = null;
      run.acceptance = null;
      task.commit = event.commit;
      return finishTask(run, task, 'landed');
    case 'task-reopened':
      return reopenTask(run, task, event);
    case 'task-failed':
      task.reason = event.reason;
      task.failedAs = event.outcome;
      run.plan.broken.push(event.taskId);
      return finishTask(run, task, 'failed');
    case 'usage-limited':
      if (task.setback !== null) task.setback = { ...task.setback, until: event.until };
      for (const review of task.reviews.values())
        if (review.setback !== null) review.setback = { ...review.setback, until: event.until };
      run.limitedUntil = Math.max(run.limitedUntil ?? 0, event.until);
      return;
    case 'task-skipped':
      task.reason = `skipped by ${event.by}: ${event.reason}`;
      forgetTrail(run, task);
      return finishTask(run, task, 'skipped');
    case 'task-retried':
      forgiveLoop(task);
      forgiveActions(task);
      task.awaiting = null;
      task.forgiven = task.attempt;
      task.isRetried = true;
      forgetTrail(run, task);
      task.attemptIsOver = true;
      task.reviewerErrors = 0;
      task.reason = null;
      beginAnew(task);
      return task.status === 'skipped' ? takeBack(run, task) : reopen(run, task);
    case 'question-asked':
      task.status = 'needs-input';
      task.question = { id: event.questionId, text: event.question };
      return;
    case 'person-awaited':
      task.awaiting = event.why;
      return;
    case 'question-answered':
      task.status = 'active';
      // Behind the one that was taken up meanwhile.
      run.active.delete(task);
      run.active.add(task);
      task.answered.push({ question: task.question?.text ?? '', text: event.text });
      task.question = null;
      task.actions.troubles = 0;
      task.actions.idleTurns = 0;
      task.answers.push(event.text);
      return;
    default:
      return applyToWork(run, task, event);
  }
}

function reopenTask(
  run: Run,
  task: TaskState,
  { at, reason }: Pick<TaskEvent & { type: 'task-reopened' }, 'at' | 'reason'>,
): void {
  noteRefused(run, task);
  reopenLoop(run, task);
  reopenActions(task);
  run.accepted = null;
  run.acceptance = null;
  task.attemptIsOver = true;
  task.failure = { attempt: task.attempt, reason, at };
  reopen(run, task);
}

/** What is seen and said of the work while it goes on. */
function applyToWork(
  run: Run,
  task: TaskState,
  event: LoopEvent | CriteriaEvent | ActionEvent | (TaskEvent & { type: 'look-asked' | 'progress-reported' }),
): void {
  switch (event.type) {
    case 'look-asked':
      task.looks.push(event.lookId);
      return;
    case 'progress-reported':
      task.progress = { text: event.text, count: task.progress.count + 1 };
      return;
    case 'criteria-changed':
    case 'criterion-proposed':
    case 'proposal-settled':
      return applyCriteria(run, task, event);
    case 'action-taken':
    case 'action-unreadable':
    case 'action-chosen':
      return applyAction(task, event);
    default:
      return applyLoop(run, task, event);
  }
}

function addTask(run: Run, task: TaskState, before: string | undefined): void {
  assert(!run.tasks.has(task.spec.id), `task ids are unique: ${task.spec.id}`);
  run.tasks.set(task.spec.id, task);
  if (before !== undefined) moveBefore(run, task, before);
  // What the checks of a later task call is pinned before anybody works on.
  if (run.base !== null) run.arePinsDue = true;
  linkTask(run, task);
}

function passTime(run: Run, event: Event): void {
  const at = Math.max(run.now, event.at);
  if (isAtWork(run) && event.type !== 'driver-started') run.activeMs += at - run.now;
  run.now = at;
  if (run.limitedUntil !== null && run.limitedUntil <= at) run.limitedUntil = null;
}

function isAtWork(run: Run): boolean {
  const isWaiting = run.limitedUntil !== null && run.running.size === 0;
  return run.isDriven && run.paused === null && !isWaiting;
}

function takeRunning(run: Run, stepId: string) {
  const step = present(run.running.get(stepId), `only a running step ends: ${stepId}`);
  run.running.delete(stepId);
  if (step.taskId !== null) taskOf(run, step.taskId).runningSteps -= 1;
  return step;
}

/** Whose session ends first puts the branch back; whoever else is at work may have been the one who moved it. */
function noteMovedBranch(run: Run, stepId: string): void {
  run.movedBranch.add(stepId);
  for (const step of run.running.values())
    if (step.deed.kind === 'session' && step.deed.readOnly) run.movedBranch.add(step.stepId);
}

export function taskOf(run: Run, id: string): TaskState {
  return present(run.tasks.get(id), `task ${id} is known`);
}
