// Applies the events of one task.
import type { Event } from '#kernel/events/events.ts';
import { type Run, taskOf, type TaskState } from './run.ts';
import { finishTask, reopen } from './ready-tasks.ts';
import { applyCriteria, type CriteriaEvent } from './criteria-change.ts';
import { forgetTrail, keepTrace } from './failure.ts';
import { applyLoop, forgiveLoop, type LoopEvent, reopenLoop } from './loop.ts';
import { type ActionEvent, applyAction, forgiveActions, reopenActions } from '#kernel/actions/action-loop.ts';
import { applyReview } from './review.ts';
import { takeAnswer } from './conversation.ts';
import { applyUsageLimit } from '#kernel/waiting/usage-limit.ts';
import { beginAnew, noteRefused, takeBack } from './apply-reopening.ts';
import { endAttempt, setAwaiting } from './work.ts';

type TaskEvent = Extract<Event, { readonly taskId: string }>;

export function applyToTask(run: Run, event: TaskEvent): void {
  const task = taskOf(run, event.taskId);
  switch (event.type) {
    case 'attempt-failed':
      endAttempt(task);
      task.failures.count += 1;
      keepTrace(task, event.trace);
      task.failures.last = { attempt: event.attempt, reason: event.reason, at: event.at };
      return;
    case 'reviewer-failed':
    case 'review-received':
    case 'blocker-tried':
    case 'review-doubted':
    case 'report-received':
      return applyReview(task, event);
    case 'task-proven':
      task.status = { is: 'proven' };
      task.workTree = event.tree;
      endAttempt(task);
      return;
    case 'task-landed':
      run.acceptance = null;
      task.commit = event.commit;
      return finishTask(run, task, { is: 'landed' });
    case 'task-reopened':
      return reopenTask(run, task, event);
    case 'task-failed':
      task.past.hasFailed = true;
      run.plan.broken.push(event.taskId);
      return finishTask(run, task, { is: 'failed', as: event.outcome, reason: event.reason });
    case 'usage-limited':
      return applyUsageLimit(run, task, event);
    case 'task-skipped':
      forgetTrail(run, task);
      return finishTask(run, task, { is: 'skipped', reason: `skipped by ${event.by}: ${event.reason}` });
    case 'task-retried':
      return retryTask(run, task);
    case 'question-asked':
      task.status = { is: 'needs-input', question: { id: event.questionId, text: event.question } };
      return;
    case 'person-awaited':
      setAwaiting(task, event.why);
      return;
    case 'question-answered':
      return takeAnswer(run, task, event.text);
    default:
      return applyToWork(run, task, event);
  }
}

function retryTask(run: Run, task: TaskState): void {
  forgiveLoop(task);
  forgiveActions(task);
  setAwaiting(task, null);
  task.forgiven = task.attempt;
  task.past.isRetried = true;
  forgetTrail(run, task);
  endAttempt(task);
  task.reviewers.errors = 0;
  beginAnew(task);
  if (task.status.is === 'skipped') takeBack(run, task);
  else reopen(run, task);
}

function reopenTask(
  run: Run,
  task: TaskState,
  { at, reason }: Pick<TaskEvent & { type: 'task-reopened' }, 'at' | 'reason'>,
): void {
  noteRefused(run, task);
  reopenLoop(run, task);
  reopenActions(task);
  run.acceptance = null;
  endAttempt(task);
  task.failures.last = { attempt: task.attempt, reason, at };
  reopen(run, task);
}

function applyToWork(
  run: Run,
  task: TaskState,
  event: LoopEvent | CriteriaEvent | ActionEvent | (TaskEvent & { type: 'look-asked' | 'progress-reported' }),
): void {
  switch (event.type) {
    case 'look-asked':
      task.previews.asked.push(event.lookId);
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
