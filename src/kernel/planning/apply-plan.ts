// Applies the events of planning to the run. A new plan never changes a task that is done.
import { assert, present } from '#base/assert.ts';
import { queue } from '#kernel/fold/ready-tasks.ts';
import { byPolicy, lostCriteria } from '#kernel/proof/narrowing.ts';
import { byUrgency } from './place-task.ts';
import type { PlanProposal } from './plan.ts';
import { endSuspensionsOf } from '#kernel/waiting/suspension.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { createTask } from '#kernel/fold/create-task.ts';
import type { StepResult } from '#kernel/model/step.ts';
import type { StatusName, Task } from '#kernel/model/task.ts';
import { isAnyUnderWay, isAsking } from '#kernel/fold/under-way.ts';
import type { EasedTask, PlanEvent, PlanSession, PlanState } from './plan-state.ts';
import type { TransientError } from '#kernel/waiting/transient-error.ts';

export function applyPlan(run: Run, event: PlanEvent): void {
  const { plan } = run;
  switch (event.type) {
    case 'plan-wanted':
      plan.wanted = { cause: event.cause, why: event.why };
      // A person's request does not use up the new plans that failures may ask for.
      if (plan.version > 0 && event.cause !== 'person') plan.replans += 1;
      Object.assign(plan, { survey: null, proposal: null, refusals: 0 } satisfies Partial<PlanState>);
      return forgetAnswer(plan);
    case 'plan-refused':
      plan.draft = answerOf(plan);
      plan.problems = event.problems;
      plan.refusals += 1;
      return forgetAnswer(plan);
    case 'plan-given-up':
      plan.unanswered = plan.broken.length;
      return forgetWish(plan);
    case 'plan-proposed':
      plan.proposal = event.proposal;
      plan.proposed = Math.max(plan.proposed, event.proposal.version);
      Object.assign(plan, { draft: answerOf(plan), problems: [], refusals: 0 } satisfies Partial<PlanState>);
      return forgetAnswer(plan);
    case 'plan-approved':
      plan.proposal = { ...present(plan.proposal, 'a plan was proposed'), approvedBy: event.by };
      return;
    case 'plan-rejected':
      plan.proposal = null;
      plan.problems = [`${event.by} rejected it: ${event.why}`];
      plan.wanted ??= { cause: 'person', why: event.why };
      return;
    case 'plan-adopted':
      return adoptPlan(run, present(plan.proposal, 'a plan was proposed'), event);
    case 'plan-delayed':
      if (plan.transientError !== null) plan.transientError = { ...plan.transientError, until: event.until };
      run.limitedUntil = Math.max(run.limitedUntil ?? 0, event.until);
      return;
    case 'milestones-crossed':
      plan.crossed.push(...event.percents);
      plan.due = event.percents;
      plan.reflectedAt = plan.landed;
      return;
    case 'drift-judged':
      plan.reflection = null;
      if (event.isAligned === false) plan.astray = event.reason;
      if (event.isFinal) {
        plan.due = [];
        plan.drifts.push({ percents: event.percents, isAligned: event.isAligned, reason: event.reason });
      }
      return;
  }
}

function forgetWish(plan: PlanState): void {
  Object.assign(plan, {
    proposal: null,
    wanted: null,
    survey: null,
    draft: null,
    problems: [],
    refusals: 0,
  } satisfies Partial<PlanState>);
  forgetAnswer(plan);
}

function answerOf({ answer }: PlanState): string | null {
  const signal = answer?.result.signal ?? null;
  return signal?.kind === 'report' ? signal.text : null;
}

function forgetAnswer(plan: PlanState): void {
  plan.answer = null;
  plan.settled = null;
}

export function endPlanSession(
  run: Run,
  role: string,
  ended: PlanSession,
  transientError: TransientError | null,
): void {
  run.plan.transientError = transientError;
  // If we or a transient error cut the session short, the question is asked again.
  if (transientError !== null || ['interrupted', 'cancelled'].includes(ended.result.ending.kind)) return;
  if (role === 'architect') run.plan.answer = ended;
  else run.plan.reflection = ended;
}

export function endPlanOperation(run: Run, result: StepResult & { kind: 'survey' | 'settle-plan' }): void {
  const { kind: _, ...rest } = result;
  if ('map' in rest) run.plan.survey = rest;
  else run.plan.settled = rest;
}

/** Finished tasks stay. The rest follows the new version and its order, except for ranks. */
function adoptPlan(run: Run, proposal: PlanProposal, { at, by }: { at: number; by: string }): void {
  const { plan } = run;
  assert(!isAnyUnderWay(run), 'a plan comes into force between tasks');
  const before = new Map(run.tasks);
  // A task may have ended since the plan was made.
  const open = proposal.tasks.filter(({ id }) => !isOver(before.get(id)));
  const planned = by === byPolicy ? open.map((spec) => asPersonWants(before.get(spec.id), spec)) : open;
  const next = planned.map((spec) => nextState(before.get(spec.id), spec));
  if (by === proposal.by) for (const task of next) task.origin = { ...task.origin, isPerson: true };
  const { kept, added, dropped } = fates(before, proposal);
  for (const { task, why } of dropped) {
    task.status = { is: 'dropped', reason: why };
    endSuspensionsOf(run, task.spec.id);
  }
  relink(run, [...kept, ...dropped.map(({ task }) => task), ...byUrgency([...next, ...added])]);
  plan.gone = [...run.tasks.values()].filter(({ status }) =>
    ['skipped', 'dropped'].includes(status.is),
  ).length;
  plan.history.push({
    version: proposal.version,
    at,
    by,
    why: proposal.why,
    added: planned.map(({ id }) => id).filter((id) => !before.has(id)),
    changed: next.filter((task) => before.has(task.spec.id) && before.get(task.spec.id) !== task).map(idOf),
    dropped: dropped.map(({ task, why }) => ({ taskId: task.spec.id, why })),
    ...(proposal.reasons === undefined ? {} : { reasons: proposal.reasons }),
    eased: next.flatMap(({ spec }) => easedBy(before.get(spec.id)?.spec, spec)),
  });
  plan.version = proposal.version;
  forgetWish(plan);
  plan.astray = null;
  plan.broken.length = 0;
  plan.unanswered = 0;
  run.arePinsDue = run.base !== null;
}

function easedBy(before: Task | undefined, { id, criteria }: Task): EasedTask[] {
  const lost = lostCriteria(before?.criteria ?? [], criteria);
  return lost.length === 0 ? [] : [{ taskId: id, lost }];
}

/** The fate of tasks that a new plan does not name. The policy adds its own tasks again when they are due. */
function fates(before: ReadonlyMap<string, TaskState>, { tasks, dropped }: PlanProposal) {
  const named = new Set(tasks.map(({ id }) => id));
  const reasons = new Map(dropped.map(({ taskId, why }) => [taskId, why]));
  const all = [...before.values()];
  const open = all.filter(
    (task) => !isFinal(task.status.is) && !named.has(task.spec.id) && task.origin.by !== 'policy',
  );
  // A person's task is not lost because a plan was made without knowing of it.
  const isWish = ({ origin, status, spec }: TaskState): boolean =>
    origin.by !== 'plan' && status.is !== 'failed' && !reasons.has(spec.id);
  return {
    kept: all.filter((task) => isOver(task) || (task.status.is === 'dropped' && !named.has(task.spec.id))),
    added: open.filter(isWish),
    dropped: open
      .filter((task) => !isWish(task))
      .map((task) => ({ task, why: reasons.get(task.spec.id) ?? 'the new plan drops it' })),
  };
}

/** An agent may change the way to a person's task, but not its criteria and rules. */
function asPersonWants(before: TaskState | undefined, spec: Task): Task {
  if (before?.origin.isPerson !== true) return spec;
  const { agents: _agents, securityCritical: _critical, ...planned } = spec;
  const { criteria, mayChange, agents, securityCritical } = before.spec;
  return {
    ...planned,
    criteria,
    mayChange,
    ...(securityCritical === undefined ? {} : { securityCritical }),
    ...(agents === undefined ? {} : { agents }),
  };
}

/** An unchanged task continues; any other begins again, and its attempts are numbered on. */
function nextState(before: TaskState | undefined, spec: Task): TaskState {
  if (before === undefined) return createTask(spec, 0);
  assert(!isOver(before), `what is done is not planned again: ${spec.id}`);
  const isOpen = before.status.is !== 'failed' && before.status.is !== 'dropped';
  const isSame = isOpen && JSON.stringify(before.spec) === JSON.stringify(spec);
  if (isSame) return before;
  const task = createTask(spec, 0, before.origin.by);
  task.attempt = before.attempt;
  task.forgiven = before.attempt;
  task.origin = before.origin;
  return task;
}

function relink(run: Run, tasks: readonly TaskState[]): void {
  run.tasks.clear();
  run.queue.dependents.clear();
  run.queue.ready.length = 0;
  run.queue.unfinished = 0;
  for (const [index, task] of tasks.entries()) {
    task.index = index;
    run.tasks.set(task.spec.id, task);
  }
  for (const task of run.queue.active)
    if (run.tasks.get(task.spec.id) !== task || !isAsking(task)) run.queue.active.delete(task);
  for (const task of tasks) {
    if (isFinal(task.status.is)) continue;
    // A task that waits for an answer keeps waiting.
    if (run.queue.active.has(task)) run.queue.unfinished += 1;
    else linkTask(run, task);
  }
}

/** Puts an unfinished task behind its dependencies, or among the ready tasks. */
export function linkTask(run: Run, task: TaskState): void {
  run.queue.unfinished += 1;
  let unmet = 0;
  for (const id of task.spec.dependsOn) {
    const needed = run.tasks.get(id);
    if (needed?.status.is === 'landed' || needed?.status.is === 'skipped') continue;
    unmet += 1;
    const waiting = run.queue.dependents.get(id);
    if (waiting === undefined) run.queue.dependents.set(id, [task.spec.id]);
    else waiting.push(task.spec.id);
  }
  task.status = { is: 'waiting', unmet };
  if (unmet === 0) queue(run, task);
}

/** Whether plans no longer change this task. */
function isOver(task: TaskState | undefined): boolean {
  return task?.status.is === 'landed' || task?.status.is === 'skipped';
}

function isFinal(status: StatusName): boolean {
  return status === 'landed' || status === 'skipped' || status === 'dropped';
}

function idOf(task: TaskState): string {
  return task.spec.id;
}
