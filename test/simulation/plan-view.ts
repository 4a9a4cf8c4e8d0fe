// Reads the plan from the journal, independently of the kernel: which one is in effect, who approved it, what it
// changed.
import type { Event } from '#kernel/events/events.ts';
import type { PlanCause, PlanProposal } from '#kernel/planning/plan.ts';
import { goalTaskId } from '#kernel/proof/goals.ts';
import type { View } from './view.ts';

export interface ObservedPlan {
  /** In force; 0 before the first. */
  version: number;
  newest: number;
  proposal: PlanProposal | null;
  wanted: PlanCause | null;
  /** Wanted by the run itself after the first one. */
  replans: number;
  /** Answers in a row that could not be used. */
  refusals: number;
  /** The architect's session that finished and has no verdict yet. */
  unjudged: string | null;
  readonly crossed: Set<number>;
  due: readonly number[];
  /** Tasks that had landed at the last crossing. */
  checkedAt: number;
  /** Drift was found, and no plan has come since. */
  isAstray: boolean;
  /** Who brought a task, and whose word what it must prove is. */
  readonly broughtBy: Map<string, string>;
  readonly persons: Set<string>;
  readonly failed: Set<string>;
  /** By whom the plan was let pass that does without it. */
  readonly dropped: Map<string, string>;
  /** How far along its builders each task is. */
  readonly rungs: Map<string, number>;
}

export function noPlan(): ObservedPlan {
  return {
    version: 0,
    newest: 0,
    proposal: null,
    wanted: null,
    replans: 0,
    refusals: 0,
    unjudged: null,
    crossed: new Set(),
    due: [],
    checkedAt: 0,
    isAstray: false,
    broughtBy: new Map(),
    persons: new Set(),
    failed: new Set(),
    dropped: new Map(),
    rungs: new Map(),
  };
}

export function seePlan(view: View, event: Event): void {
  const { plan } = view;
  switch (event.type) {
    case 'task-added':
      plan.broughtBy.set(event.task.id, event.by);
      if (event.by !== 'plan' && event.by !== 'policy') plan.persons.add(event.task.id);
      return;
    case 'task-failed':
      plan.failed.add(event.taskId);
      return;
    case 'task-retried':
    case 'task-skipped':
      plan.failed.delete(event.taskId);
      plan.rungs.delete(event.taskId);
      return;
    case 'attempt-failed':
      if (event.trace?.hand === 'next-agent')
        plan.rungs.set(event.taskId, (plan.rungs.get(event.taskId) ?? 0) + 1);
      return;
    case 'step-ended':
      if (isArchitect(view, event.stepId) && event.result.kind === 'session')
        plan.unjudged = event.result.ending.kind === 'finished' ? event.stepId : null;
      return;
    case 'milestones-crossed':
      for (const percent of event.percents) plan.crossed.add(percent);
      plan.due = event.percents;
      plan.checkedAt = view.landed.size;
      return;
    case 'drift-judged':
      if (event.isFinal) plan.due = [];
      if (event.isAligned === false) plan.isAstray = true;
      return;
    default:
      return seeProposal(view, event);
  }
}

function seeProposal(view: View, event: Event): void {
  const { plan } = view;
  switch (event.type) {
    case 'plan-wanted':
      plan.wanted = event.cause;
      if (plan.version > 0 && event.cause !== 'person') plan.replans += 1;
      Object.assign(plan, { proposal: null, refusals: 0, unjudged: null } satisfies Partial<ObservedPlan>);
      return;
    case 'plan-refused':
      plan.refusals += 1;
      plan.unjudged = null;
      return;
    case 'plan-given-up':
      Object.assign(plan, { wanted: null, refusals: 0 } satisfies Partial<ObservedPlan>);
      return;
    case 'plan-proposed':
      plan.proposal = event.proposal;
      plan.newest = event.proposal.version;
      Object.assign(plan, { refusals: 0, unjudged: null } satisfies Partial<ObservedPlan>);
      return;
    case 'plan-rejected':
      plan.proposal = null;
      plan.wanted ??= 'person';
      return;
    case 'plan-adopted':
      if (plan.proposal !== null) adopt(view, plan.proposal, event.by);
      return;
    default:
      return;
  }
}

function isArchitect({ steps }: View, stepId: string): boolean {
  const operation = steps.get(stepId)?.step.deed;
  return operation?.kind === 'session' && operation.role === 'architect';
}

/** What the policy brought it brings again when its time has come. */
function forget({ tasks, plan }: View, id: string): void {
  tasks.delete(id);
  plan.failed.delete(id);
  plan.rungs.delete(id);
}

function adopt(view: View, { version, tasks, dropped, by: author }: PlanProposal, by: string): void {
  const { plan, landed, skipped } = view;
  const isOver = (id: string): boolean => landed.has(id) || skipped.has(id);
  const named = new Set(tasks.map(({ id }) => id));
  const listed = new Set(dropped.map(({ taskId }) => taskId));
  for (const id of view.tasks.keys()) {
    if (isOver(id) || named.has(id) || plan.dropped.has(id)) continue;
    const isWish = plan.broughtBy.get(id) !== 'plan' && !plan.failed.has(id) && !listed.has(id);
    if (id === goalTaskId) forget(view, id);
    else if (!isWish) plan.dropped.set(id, by);
  }
  for (const spec of tasks.filter(({ id }) => !isOver(id))) {
    const { id } = spec;
    const before = view.tasks.get(id);
    const isKept = by === 'policy' && before !== undefined && plan.persons.has(id);
    const next = isKept ? { ...spec, criteria: before.criteria, mayChange: before.mayChange } : spec;
    const isAnother = JSON.stringify(next) !== JSON.stringify(before);
    if (isAnother || plan.failed.has(id) || plan.dropped.has(id)) plan.rungs.delete(id);
    view.tasks.set(id, next);
    plan.dropped.delete(id);
    plan.failed.delete(id);
    if (before === undefined) plan.broughtBy.set(id, 'plan');
    if (by === author) plan.persons.add(id);
  }
  Object.assign(plan, {
    version,
    proposal: null,
    wanted: null,
    isAstray: false,
  } satisfies Partial<ObservedPlan>);
}
