// Applies the reopening of an ended run, and the new start of a task.
import { linkTask } from '#kernel/planning/apply-plan.ts';
import { present } from '#base/assert.ts';
import type { Evidence } from '#kernel/model/criterion.ts';
import { refusalOf } from '#kernel/proof/proof.ts';
import type { Run, TaskState } from './run.ts';
import { startOf } from './create-task.ts';
import { personStepId } from '#kernel/model/step.ts';
import type { PlanState } from '#kernel/planning/plan-state.ts';
import type { LandedWork } from '#kernel/events/after-end-facts.ts';

/** An end that a person took back, and where the work of that time landed. */
export interface Reopening {
  readonly at: number;
  readonly by: string;
  readonly ended: NonNullable<Run['outcome']>;
  readonly landings: readonly LandedWork[];
  /** Number of steps started before the reopening. */
  readonly steps: number;
}

/** The checkout may be gone, so the files that decide the checks are pinned again. */
export function applyReopening(run: Run, { at, by }: { readonly at: number; readonly by: string }): void {
  const ended = present(run.outcome, 'only an ended run is reopened');
  run.reopenings.push({ at, by, ended, landings: run.landings.splice(0), steps: run.stepsStarted });
  run.outcome = null;
  run.approval = null;
  run.stopping = null;
  run.acceptance = null;
  run.arePinsDue = run.base !== null;
  askAgain(run.plan);
}

/** The next builder gets the reasons of these refusals; a person decides on a second refusal. */
export function noteRefused({ acceptance }: Run, task: TaskState): void {
  for (const [id, { acceptance: evidence }] of task.evidence)
    if (evidence?.stepId === acceptance?.stepId && refusalOf(evidence) !== undefined) task.refused.add(id);
}

/** An architect or reflector that failed is asked again, because a person may have fixed the cause. */
function askAgain(plan: PlanState): void {
  plan.transientError = null;
  if (plan.answer?.result.ending.kind !== 'finished') plan.answer = null;
  if (plan.reflection?.result.ending.kind !== 'finished') plan.reflection = null;
}

/** Entry checks run again on the present tree; a reviewer that refused the work reviews it again. */
export function beginAnew(task: TaskState): void {
  for (const known of task.evidence.values()) if (isRefusal(known.attempt)) delete known.attempt;
  if (task.attempt > 0) return;
  task.evidence.clear();
  task.start = startOf(task.spec);
}

/** A reviewer's refusal, not a person's: the person would only repeat it. */
function isRefusal(evidence: Evidence | undefined): boolean {
  return evidence?.command === null && evidence.stepId !== personStepId && evidence.verdict !== 'pass';
}

/** Takes a skip back: the task may wait for others; dependents that have not begun wait for it again. */
export function takeBack(run: Run, task: TaskState): void {
  const { id } = task.spec;
  run.plan.gone -= 1;
  for (const others of run.queue.dependents.values())
    if (others.includes(id)) others.splice(others.indexOf(id), 1);
  linkTask(run, task);
  for (const other of run.tasks.values()) {
    const isBegun = other.status.is === 'ready' ? other.attempt > 0 : other.status.is !== 'waiting';
    if (!isBegun && other.spec.dependsOn.includes(id)) waitAgain(run, other, id);
  }
}

function waitAgain(run: Run, task: TaskState, awaitedId: string): void {
  if (task.status.is === 'ready') run.queue.ready.splice(run.queue.ready.indexOf(task), 1);
  const unmet = task.status.is === 'waiting' ? task.status.unmet : 0;
  task.status = { is: 'waiting', unmet: unmet + 1 };
  run.queue.dependents.set(awaitedId, [...(run.queue.dependents.get(awaitedId) ?? []), task.spec.id]);
}
