// Where tasks come from when a run plans: what the architect was asked and answered, which version is in force, how far it is.
import { assert, present } from './assert.ts';
import { queue } from './apply-task.ts';
import type { Event } from './events.ts';
import type { Run, Setback, TaskState } from './run.ts';
import { createTask } from './run.ts';
import type { SessionResult, StepResult } from './step.ts';
import type { Task } from './task.ts';

/** Why a plan is wanted. */
export type PlanCause = 'start' | 'failed' | 'entry' | 'drift' | 'person';

export interface PlanState {
  /** The one in force; 0 before the first. */
  version: number;
  wanted: { readonly cause: PlanCause; readonly why: string } | null;
  /** Plans that were wanted after the first one came into force. */
  replans: number;
  /** What the architect is shown; looked up anew for every plan. */
  survey: Survey | null;
  /** The architect's last session, once it ended. */
  answer: PlanSession | null;
  settled: SettledPlan | null;
  /** What was wrong with its last answer, and how often in a row there was something. */
  problems: readonly string[];
  refusals: number;
  /** Waits for approval. */
  proposal: PlanProposal | null;
  /** Tasks that failed under the plan in force; a new one has an answer to them. */
  readonly broken: string[];
  /** Tasks that have landed, and those that nobody waits for any more. */
  landed: number;
  gone: number;
  /** Milestones passed so far, those that nobody has judged yet, and the reflector's last session. */
  readonly crossed: number[];
  due: readonly number[];
  reflection: PlanSession | null;
  unclear: number;
  readonly drifts: Drift[];
  /** Passing trouble of the architect or the reflector. */
  setback: Setback | null;
  readonly history: PlanChange[];
}

/** A session of the whole run that is over, and the tree that it was given. */
export interface PlanSession {
  readonly stepId: string;
  readonly tree: string;
  readonly result: SessionResult;
}

export interface Survey {
  /** Tree and signatures, as markdown. */
  readonly map: string;
  /** The newest commits and the last change, from git. */
  readonly memory: string;
}

export interface SettledPlan {
  readonly problems: readonly string[];
  readonly tasks: readonly Task[];
  readonly dropped: readonly DroppedTask[];
  readonly notes: readonly string[];
}

export interface DroppedTask {
  readonly taskId: string;
  readonly why: string;
}

export interface PlanProposal {
  readonly version: number;
  /** Every task that is still to be done, in order. */
  readonly tasks: readonly Task[];
  readonly dropped: readonly DroppedTask[];
  readonly why: string;
  readonly by: string;
}

export interface Drift {
  readonly percents: readonly number[];
  /** Null when nothing could be read from what the reflector said. */
  readonly isAligned: boolean | null;
  readonly reason: string;
}

/** What a version changed, by task id. */
export interface PlanChange {
  readonly version: number;
  readonly at: number;
  readonly by: string;
  readonly why: string;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly dropped: readonly DroppedTask[];
}

export type PlanEvent = Extract<
  Event,
  {
    readonly type:
      | 'plan-wanted'
      | 'plan-refused'
      | 'plan-proposed'
      | 'plan-adopted'
      | 'plan-rejected'
      | 'plan-delayed'
      | 'milestones-crossed'
      | 'drift-judged';
  }
>;

export function emptyPlan(): PlanState {
  return {
    version: 0,
    wanted: null,
    replans: 0,
    survey: null,
    answer: null,
    settled: null,
    problems: [],
    refusals: 0,
    proposal: null,
    broken: [],
    landed: 0,
    gone: 0,
    crossed: [],
    due: [],
    reflection: null,
    unclear: 0,
    drifts: [],
    setback: null,
    history: [],
  };
}

export function applyPlan(run: Run, event: PlanEvent): void {
  const { plan } = run;
  switch (event.type) {
    case 'plan-wanted':
      plan.wanted = { cause: event.cause, why: event.why };
      if (plan.version > 0) plan.replans += 1;
      Object.assign(plan, { survey: null, problems: [], refusals: 0 } satisfies Partial<PlanState>);
      return forgetAnswer(plan);
    case 'plan-refused':
      plan.problems = event.problems;
      plan.refusals += 1;
      return forgetAnswer(plan);
    case 'plan-proposed':
      plan.proposal = event.proposal;
      return forgetAnswer(plan);
    case 'plan-rejected':
      plan.proposal = null;
      plan.problems = [`${event.by} rejected it: ${event.why}`];
      plan.wanted ??= { cause: 'person', why: event.why };
      return;
    case 'plan-adopted':
      return adoptPlan(run, present(plan.proposal, 'a plan was proposed'), event);
    case 'plan-delayed':
      if (plan.setback !== null) plan.setback = { ...plan.setback, until: event.until };
      run.limitedUntil = Math.max(run.limitedUntil ?? 0, event.until);
      return;
    case 'milestones-crossed':
      plan.crossed.push(...event.percents);
      plan.due = event.percents;
      plan.unclear = 0;
      return;
    case 'drift-judged':
      plan.reflection = null;
      if (event.isFinal) {
        plan.due = [];
        plan.drifts.push({ percents: event.percents, isAligned: event.isAligned, reason: event.reason });
      } else plan.unclear += 1;
      return;
  }
}

function forgetAnswer(plan: PlanState): void {
  plan.answer = null;
  plan.settled = null;
}

/** The end of a session of the whole run. */
export function endPlanSession(run: Run, role: string, ended: PlanSession, setback: Setback | null): void {
  run.plan.setback = setback;
  // What was cut short by us, or by trouble that passes, is asked again.
  if (setback !== null || ['interrupted', 'cancelled'].includes(ended.result.ending.kind)) return;
  if (role === 'architect') run.plan.answer = ended;
  else run.plan.reflection = ended;
}

export function endPlanDeed(run: Run, result: StepResult & { kind: 'survey' | 'settle-plan' }): void {
  const { kind: _, ...rest } = result;
  if ('map' in rest) run.plan.survey = rest;
  else run.plan.settled = rest;
}

/** What is done stays as it is; everything else is as the new version says, in its order. */
function adoptPlan(run: Run, proposal: PlanProposal, { at, by }: { at: number; by: string }): void {
  const { plan } = run;
  assert(run.active.size === 0, 'a plan comes into force between tasks');
  const before = new Map(run.tasks);
  const kept = [...before.values()].filter(({ status }) => isFinal(status));
  const next = proposal.tasks.map((spec) => nextState(before.get(spec.id), spec));
  const named = new Set(proposal.tasks.map(({ id }) => id));
  const reasons = new Map(proposal.dropped.map(({ taskId, why }) => [taskId, why]));
  const dropped = [...before.values()].filter(({ spec, status }) => !isFinal(status) && !named.has(spec.id));
  for (const task of dropped) {
    task.status = 'dropped';
    task.reason = reasons.get(task.spec.id) ?? 'the new plan does without it';
    task.question = null;
  }
  plan.gone += dropped.length;
  relink(run, [...kept, ...dropped, ...next]);
  plan.history.push({
    version: proposal.version,
    at,
    by,
    why: proposal.why,
    added: [...named].filter((id) => !before.has(id)),
    changed: next.filter((task) => before.has(task.spec.id) && before.get(task.spec.id) !== task).map(idOf),
    dropped: dropped.map((task) => ({ taskId: task.spec.id, why: task.reason ?? '' })),
  });
  plan.version = proposal.version;
  Object.assign(plan, {
    proposal: null,
    wanted: null,
    problems: [],
    refusals: 0,
  } satisfies Partial<PlanState>);
  plan.broken.length = 0;
  run.arePinsDue = run.base !== null;
}

/** A task that the new version leaves as it is goes on where it was; any other begins anew, and is counted on. */
function nextState(before: TaskState | undefined, spec: Task): TaskState {
  if (before === undefined) return createTask(spec, 0);
  assert(!isFinal(before.status), `what is done is not planned again: ${spec.id}`);
  const isSame = before.status !== 'failed' && JSON.stringify(before.spec) === JSON.stringify(spec);
  if (isSame) return before;
  const task = createTask(spec, 0);
  task.attempt = before.attempt;
  task.forgiven = before.attempt;
  return task;
}

function relink(run: Run, tasks: readonly TaskState[]): void {
  run.tasks.clear();
  run.dependents.clear();
  run.ready.length = 0;
  run.unfinished = 0;
  for (const [index, task] of tasks.entries()) {
    task.index = index;
    run.tasks.set(task.spec.id, task);
  }
  for (const task of tasks) if (!isFinal(task.status)) linkTask(run, task);
}

/** Puts an unfinished task behind what it waits for, or among those that may be taken up. */
export function linkTask(run: Run, task: TaskState): void {
  run.unfinished += 1;
  task.unmet = 0;
  task.status = 'waiting';
  for (const id of task.spec.dependsOn) {
    const needed = run.tasks.get(id);
    if (needed?.status === 'landed' || needed?.status === 'skipped') continue;
    task.unmet += 1;
    const waiting = run.dependents.get(id);
    if (waiting === undefined) run.dependents.set(id, [task.spec.id]);
    else waiting.push(task.spec.id);
  }
  if (task.unmet === 0) queue(run, task);
}

function isFinal(status: TaskState['status']): boolean {
  return status === 'landed' || status === 'skipped' || status === 'dropped';
}

function idOf(task: TaskState): string {
  return task.spec.id;
}
