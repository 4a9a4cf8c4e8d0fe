// Decides from the state of a run what should happen now. Pure: no events, no clock, no files. A decision has
// facts to `record` first, steps to `start`, running steps to `steer`, and a wait: for a time (`wakeAt`),
// conditions (`until`), or a person (`waitingFor`). The weightiest reason not to start comes first.
import { checkpointOf } from '#kernel/proof/checkpoint.ts';
import { settleControls } from './decide-controls.ts';
import { decideEnding } from './decide-ending.ts';
import { endOfTime, isFinishing } from './decide-spent.ts';
import { failedEntryCriteria } from './entry.ts';
import { refusedBase } from './refuse-base.ts';
import { attachedWait } from './attached.ts';
import { previewOf } from './from-inside.ts';
import { isAwaitingPerson } from '#kernel/proof/left-to-person.ts';
import type { Policy, RunMove } from './policy.ts';
import { withoutFullStop } from '#base/without-full-stop.ts';
import { isApprovedAsWhole } from '#kernel/proof/proof-kind.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { isAnyUnderWay, isPreparing } from '#kernel/fold/under-way.ts';
import { hold, stop } from './hold.ts';
import { securityStop, stopForSecurity } from './security-stop.ts';
import { awaitLimit, holdSuspended, holdSuspendedTasks } from './decide-waiting.ts';
import { isResting } from '#kernel/waiting/pass-time.ts';
import { suspensionFor } from '#kernel/waiting/suspension.ts';
import { type Decision, emptyDecision, start } from './decision.ts';
import { land, prove } from './land.ts';
import { checkBase, hasHeldOut, onlyBaseChecksRun } from './check-base.ts';
import { awaitingOf } from '#kernel/fold/work.ts';

export function decide(run: Run, policy: Policy): Decision {
  const decision = emptyDecision();
  settleControls(run, decision);
  if (decision.record.length > 0 || run.outcome !== null) return decision;
  if (run.stopping !== null) return stop(run, decision);
  const danger = securityStop(run);
  if (danger !== null) return stopForSecurity(run, decision, danger);
  if (run.paused !== null) return hold(run, decision, run.paused.why);
  const suspension = suspensionFor(run, null);
  if (suspension !== null) return holdSuspended(run, decision, suspension);
  if (run.trouble !== null) {
    return hold(run, decision, `${withoutFullStop(run.trouble.reason)}. ${run.trouble.hint}`);
  }
  const leftMs = run.budget.activeMs - run.activeMs;
  if (leftMs <= 0 && !isFinishing(run)) return endOfTime(run, decision);
  if (leftMs > 0 && !isResting(run)) decision.wakeAt = run.now + leftMs;
  const isIdle = run.running.size === 0;
  if (run.base === null || (run.arePinsDue && (isIdle || isPreparing(run)))) {
    if (isIdle) start(run, decision, { taskId: null, baseTree: null, deed: { kind: 'prepare' } });
    return decision;
  }
  // A step for the whole run, such as a new plan, waits until the active tasks are finished.
  const forRun = isApprovedAsWhole(run) ? null : (policy.nextForRun?.(run) ?? null);
  if (forRun === null) decideTasks(run, policy, decision, !run.arePinsDue);
  else if (isIdle && !isAnyUnderWay(run)) {
    follow(run, null, forRun, decision);
    holdSuspendedTasks(run, decision);
  }
  // No new task starts while a step of the whole run is active.
  else if (![...run.running.values()].some(({ taskId }) => taskId === null))
    decideTasks(run, policy, decision, false);
  decision.waitingFor ??= attachedWait(run);
  // With nothing left to do, the run is accepted and ends.
  if (forRun === null && isIdle && decision.record.length === 0 && decision.start.length === 0)
    decideEnding(run, decision);
  return decision;
}

/** `start` reserves a step's budget before it joins the decision; if none is left, the run ends instead. */
function decideTasks(run: Run, policy: Policy, decision: Decision, mayTakeUp: boolean): void {
  const leaving = new Set<string>();
  for (const [stepId, { taskId }] of run.running) {
    if (taskId === null || run.tasks.get(taskId)?.status.is !== 'skipped') continue;
    leaving.add(taskId);
    decision.steer.push({ stepId, kind: 'kill', reason: 'its task was skipped' });
  }
  // A step that is being killed keeps its slot until it is gone, or two sessions would share one workspace.
  const places = run.config.policy.parallel - leaving.size;
  for (const task of run.queue.active) {
    const preview = previewOf(run, task);
    if (preview !== null) start(run, decision, preview);
  }
  const suspended = holdSuspendedTasks(run, decision);
  const candidates: TaskState[] = [];
  // A task waiting for a person holds no slot; once answered, it queues for one.
  const isAsking = (task: TaskState): boolean =>
    task.status.is === 'needs-input' || isAwaitingPerson(run, task);
  let busy = [...run.queue.active].filter((task) => task.runningSteps > 0 && !isAsking(task)).length;
  for (const task of run.queue.active) {
    if (suspended.has(task.spec.id)) continue;
    const needsPlace = task.runningSteps === 0 && !isAsking(task);
    if (needsPlace && busy >= places) continue;
    candidates.push(task);
    if (needsPlace) busy += 1;
  }
  for (const task of mayTakeUp ? run.queue.ready : []) {
    if (busy >= places) break;
    if (run.queue.active.has(task) || suspended.has(task.spec.id)) continue;
    candidates.push(task);
    busy += 1;
  }
  for (const task of candidates) {
    if (task.runningSteps > 0 && !onlyBaseChecksRun(run, task)) continue;
    decideTask(run, policy, task, decision);
    if (decision.record.length > 0) return;
  }
}

function decideTask(run: Run, policy: Policy, task: TaskState, decision: Decision): void {
  for (const when of ['attempt', 'acceptance'] as const) {
    if (task.start.checked[when]) continue;
    if (task.runningSteps === 0) checkBase(run, task, when, decision);
    // Acceptance checks run on the base beside the first session, and before the task lands. Held-out ones
    // run while no agent could watch them.
    if (when === 'attempt' || task.status.is === 'proven' || hasHeldOut(task)) return;
  }
  // `land` and `prove` ask `gapsInProof` again: only a tree without gaps is committed or recorded as proven.
  if (task.status.is === 'proven') return land(run, task, decision);
  if (task.status.is === 'needs-input') {
    decision.waitingFor ??= `an answer to "${task.status.question.text}"`;
    return;
  }
  if (isAwaitingPerson(run, task)) {
    decision.waitingFor ??= awaitingOf(task);
    return;
  }
  // Its checks cannot pass here, or an entry criterion fails.
  const refused = refusedBase(run, task) ?? failedEntryCriteria(run, task);
  if (refused !== null) {
    // A run does not end while a step runs; nothing more is started meanwhile.
    if (refused.type !== 'run-ended' || run.running.size === 0) decision.record.push(refused);
    return;
  }
  const move = policy.nextMove(run, task);
  switch (move.kind) {
    case 'start-several':
      for (const one of move.starts) start(run, decision, { taskId: task.spec.id, ...one });
      return;
    case 'prove':
      return prove(run, task, move.tree, decision);
    case 'checkpoint':
      return start(run, decision, checkpointOf(run, task, move));
    default:
      return follow(run, task, move, decision);
  }
}

/** Follows a move that both a task and the run as a whole can make. */
function follow(run: Run, task: TaskState | null, move: RunMove, decision: Decision): void {
  const taskId = task?.spec.id ?? null;
  switch (move.kind) {
    case 'start':
      return start(run, decision, { taskId, baseTree: move.baseTree, deed: move.deed });
    case 'conclude':
      decision.record.push(...move.facts);
      return;
    case 'wait':
      if (move.isWall === true) return awaitLimit(move, decision);
      decision.wakeAt = Math.min(decision.wakeAt ?? move.until, move.until);
      decision.isTimed = true;
      return;
    case 'park':
      decision.waitingFor ??= move.why;
      return;
  }
}
