// What a person wants tried once more: a task that was given up or left out, in a run that goes on or is over.
import { linkTask } from './apply-plan.ts';
import { present } from './assert.ts';
import type { Evidence } from './criterion.ts';
import type { Fact } from './events.ts';
import type { LandedWork } from './landing.ts';
import type { PlanState } from './plan.ts';
import { refusalOf } from './proof.ts';
import type { Run, TaskState } from './run.ts';
import { createTask } from './run.ts';
import { securityStop } from './security-stop.ts';

/** An end that was taken back, and where the work of that time went. */
export interface Reopening {
  readonly at: number;
  readonly by: string;
  readonly ended: NonNullable<Run['outcome']>;
  readonly landings: readonly LandedWork[];
  /** So many steps had been started by then. */
  readonly steps: number;
}

type Answer = { readonly facts: readonly Fact[] } | { readonly refused: string };

export function settleRetry(run: Run, task: TaskState, by: string): Answer {
  const refused = whyNotRetried(run, task);
  if (refused !== null) return { refused };
  // While the run goes on, it is a person's no to the work that waits for their word.
  const isRefused = run.outcome === null && task.awaiting !== null;
  const isKept = !isRefused && isGoingOn(run, task);
  return { facts: isKept ? [] : [{ type: 'task-retried', taskId: task.spec.id, by }] };
}

/** Said again after a crash in between, it stands. */
export function settleApproval(run: Run, by: string, tree: string): Answer {
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

/** Why a run that was cleaned cannot go on, in one sentence without its full stop; null for all others. */
export function whyGone({ cleaned }: Pick<Run, 'cleaned'>): string | null {
  return cleaned === null ? null : `the run was cleaned by ${cleaned.by}, and its branch and files are gone`;
}

/** Why the work as a whole cannot be approved, in one sentence without its full stop; null when it can. */
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

/** In one sentence without its full stop; null for one that can be taken up. */
export function whyNotRetried(run: Run, task: TaskState): string | null {
  const { id } = task.spec;
  const gone = whyGone(run);
  if (gone !== null) return gone;
  switch (task.status) {
    case 'failed':
      return null;
    case 'skipped':
      return task.runningSteps > 0 ? `what runs of task ${id} is just being ended` : null;
    case 'landed':
      return `task ${id} is done, and what is done stays as it is`;
    case 'dropped':
      return `a new plan does without task ${id}`;
    case 'waiting':
      return `task ${id} waits for ${awaited(run, task).join(', ')}`;
    case 'needs-input':
      return run.outcome === null ? `task ${id} waits for an answer` : null;
    default:
      return run.outcome === null && task.awaiting === null ? `task ${id} is open already` : null;
  }
}

function awaited(run: Run, { spec }: TaskState): string[] {
  return spec.dependsOn.filter((id) => !['landed', 'skipped'].includes(run.tasks.get(id)?.status ?? ''));
}

/** The end of the run cut it short: what it has, or waits for, is still good, and is not paid for again. */
function isGoingOn(run: Run, task: TaskState): boolean {
  if (task.status !== 'active') return ['ready', 'proven', 'needs-input'].includes(task.status);
  if (securityStop(run) !== null) return false;
  const isBuilt = task.resume !== null || task.build?.ending.kind === 'finished';
  return task.awaiting !== null || (isBuilt && !task.attemptIsOver);
}

/** Its checkout may be gone, and what decides its checks is looked at again. */
export function applyReopening(run: Run, { at, by }: { readonly at: number; readonly by: string }): void {
  const ended = present(run.outcome, 'only a run that is over is taken up again');
  run.reopenings.push({ at, by, ended, landings: run.landings.splice(0), steps: run.stepsStarted });
  run.outcome = null;
  run.endedAt = null;
  run.approval = null;
  run.stopping = null;
  run.accepted = null;
  run.acceptance = null;
  run.arePinsDue = run.base !== null;
  askAgain(run.plan);
}

/** The next builder gets the reasons of these refusals; a second refusal is left to a person. */
export function noteRefused({ acceptance }: Run, task: TaskState): void {
  for (const [id, { acceptance: seen }] of task.evidence)
    if (seen?.stepId === acceptance?.stepId && refusalOf(seen) !== undefined) task.refused.add(id);
}

/** Whoever could not work is asked anew: a person has had the time to put that right. What was answered stays. */
function askAgain(plan: PlanState): void {
  plan.setback = null;
  if (plan.answer?.result.ending.kind !== 'finished') plan.answer = null;
  if (plan.reflection?.result.ending.kind !== 'finished') plan.reflection = null;
}

/** Whether it may be begun is looked at where the run stands now; who refused the work as it is looks at it again. */
export function beginAnew(task: TaskState): void {
  for (const known of task.evidence.values()) if (isRefusal(known.attempt)) delete known.attempt;
  if (task.attempt > 0) return;
  task.evidence.clear();
  task.startTree = null;
  task.baseChecked = createTask(task.spec, task.index).baseChecked;
}

/** A reviewer's, not a person's: that person would say it again. */
function isRefusal(seen: Evidence | undefined): boolean {
  return seen?.command === null && seen.stepId !== 'person' && seen.verdict !== 'pass';
}

/** It was left out: it may still wait for others, and whoever depends on it and is not begun waits for it again. */
export function takeBack(run: Run, task: TaskState): void {
  const { id } = task.spec;
  run.plan.gone -= 1;
  for (const others of run.dependents.values()) if (others.includes(id)) others.splice(others.indexOf(id), 1);
  linkTask(run, task);
  for (const other of run.tasks.values()) {
    const isBegun = other.status === 'ready' ? other.attempt > 0 : other.status !== 'waiting';
    if (!isBegun && other.spec.dependsOn.includes(id)) waitAgain(run, other, id);
  }
}

function waitAgain(run: Run, task: TaskState, awaitedId: string): void {
  if (task.status === 'ready') run.ready.splice(run.ready.indexOf(task), 1);
  task.status = 'waiting';
  task.unmet += 1;
  run.dependents.set(awaitedId, [...(run.dependents.get(awaitedId) ?? []), task.spec.id]);
}
