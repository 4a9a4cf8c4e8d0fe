// Folds events into the run, in place and in constant time per event.
import { assert, present } from '#base/assert.ts';
import { settleReserve, takeReserve } from '#kernel/model/budget.ts';
import type { Event } from '#kernel/events/events.ts';
import { type Run, taskOf, type TaskState } from './run.ts';
import { moveBefore } from '#kernel/planning/place-task.ts';
import { createTask } from './create-task.ts';
import { applyControl, takePending } from './apply-control.ts';
import { applyStepEnded, applyStepLost, applyStepStarted, settleStep, takeRunning } from './apply-step.ts';
import type { Evidence } from '#kernel/model/criterion.ts';
import { isOutdated } from './criteria-change.ts';
import { applyAfterEnd, endRun } from './after-end.ts';
import { countTry } from '#kernel/proof/preview.ts';
import { keepHistory } from './run-history.ts';
import { applyPlan, linkTask } from '#kernel/planning/apply-plan.ts';
import { personStepId } from '#kernel/model/step.ts';
import { applyTampering, noteRestored } from '#kernel/proof/tampering.ts';
import { reachLimits } from '#kernel/waiting/usage-limit.ts';
import { applySuspension, isSuspensionEvent } from '#kernel/waiting/suspension.ts';
import { passTime } from '#kernel/waiting/pass-time.ts';
import { applyToTask } from './apply-to-task.ts';
import { createRun } from './create-run.ts';
import { awaitingOf, recheckWork } from './work.ts';

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
  keepHistory(run, event);
  run.events += 1;
  if (isSuspensionEvent(event)) return applySuspension(run, event);
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
    case 'step-ended':
    case 'step-lost':
      return settle(run, event);
    case 'evidence-recorded':
      return keepEvidence(taskOf(run, event.evidence.taskId), event.evidence);
    case 'workspace-restored':
      return;
    case 'ref-restored':
      return noteRestored(run, event);
    case 'tampering-seen':
    case 'tampering-accepted':
    case 'tampering-righted':
      return applyTampering(run, event);
    case 'control-received':
    case 'control-applied':
    case 'control-refused':
      return noteControl(run, event);
    case 'clock-reached':
      if (event.isWall === true) reachLimits(run, event.due);
      return;
    case 'acceptance-passed':
      return passAcceptance(run, event);
    case 'run-ended':
      return endRun(run, event);
    case 'run-landed':
    case 'run-reopened':
    case 'run-forked':
    case 'run-approved':
    case 'run-cleaned':
      return applyAfterEnd(run, event);
    default:
      return 'taskId' in event ? applyToTask(run, event) : applyPlan(run, event);
  }
}

function settle(run: Run, event: Extract<Event, { type: 'step-ended' | 'step-lost' }>): void {
  const step = takeRunning(run, event.stepId);
  if (event.type === 'step-lost') {
    settleReserve(run.ledger, step.reserve, event.usage);
    return applyStepLost(run, step);
  }
  settleStep(run.ledger, step.reserve, event.result);
  return applyStepEnded(run, step, event.result);
}

function passAcceptance(run: Run, { tree, epoch }: Extract<Event, { type: 'acceptance-passed' }>): void {
  const { acceptance } = run;
  if (acceptance?.tree === tree && acceptance.epoch === epoch)
    run.acceptance = { ...acceptance, isPassed: true };
}

function noteControl(run: Run, event: Extract<Event, { type: `control-${string}` }>): void {
  switch (event.type) {
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
  }
}

function keepEvidence(task: TaskState, evidence: Evidence): void {
  if (isOutdated(task, evidence)) return;
  const known = task.evidence.get(evidence.criterionId) ?? {};
  countTry(task.tries, evidence, known[evidence.purpose]);
  known[evidence.purpose] = evidence;
  task.evidence.set(evidence.criterionId, known);
  if (evidence.verdict !== 'fail' && evidence.command === null) task.reviewers.errors = 0;
  if (evidence.stepId === personStepId && awaitingOf(task) !== null) recheckWork(task);
}

function addTask(run: Run, task: TaskState, before: string | undefined): void {
  assert(!run.tasks.has(task.spec.id), `task ids are unique: ${task.spec.id}`);
  run.tasks.set(task.spec.id, task);
  if (before !== undefined) moveBefore(run, task, before);
  // The files that its checks depend on are pinned before the next session starts.
  if (run.base !== null) run.arePinsDue = true;
  linkTask(run, task);
}
