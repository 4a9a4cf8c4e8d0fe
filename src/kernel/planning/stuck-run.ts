// Finds out whether a run that plans is stuck, so that a person has to decide.
import type { PlanningSettings } from '#kernel/model/config.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { PlanState } from './plan-state.ts';

export interface StuckRun {
  /** In a sentence without its full stop. */
  readonly why: string;
  /** Tasks that failed; empty if the whole plan was found wrong. */
  readonly failed: readonly string[];
}

/** Null while there is something to do, and if no person is to be asked. */
export function stuckRunOf(run: Run): StuckRun | null {
  const { planning } = run.config.policy;
  if (planning?.deadEnd !== 'ask' || run.plan.version === 0 || run.running.size > 0) return null;
  return astrayWithout(run.plan, planning) ?? brokenWithout(run, planning);
}

export function driftText(reason: string): string {
  return `DRIFT DETECTED: ${reason}`;
}

/** Why the wanted plan is not requested from an architect; null if it is. */
export function whyNoPlan(plan: PlanState, { replansMax, refusalsMax }: PlanningSettings): string | null {
  if (plan.wanted?.cause === 'drift' && plan.replans > replansMax) return plansUsed(replansMax);
  if (plan.refusals <= refusalsMax) return null;
  return `the architect gave no usable plan in ${plan.refusals} tries; the last problem: ${plan.problems.join('; ')}`;
}

/** Whether a task failed that no new plan covers, and no further plan will be asked for. */
export function isUnanswered({ broken, unanswered, replans }: PlanState, replansMax: number): boolean {
  return broken.length > 0 && (broken.length <= unanswered || replans >= replansMax);
}

function astrayWithout(plan: PlanState, planning: PlanningSettings): StuckRun | null {
  const isOpen = plan.proposal === null && plan.answer === null;
  const none = plan.wanted !== null && isOpen ? whyNoPlan(plan, planning) : null;
  return plan.astray === null || none === null
    ? null
    : { why: `${driftText(plan.astray)}; ${none}`, failed: [] };
}

function brokenWithout({ plan, queue }: Run, { replansMax }: PlanningSettings): StuckRun | null {
  if (plan.wanted !== null || plan.proposal !== null || plan.due.length > 0) return null;
  if (!isUnanswered(plan, replansMax) || queue.ready.length > 0 || queue.active.size > 0) return null;
  const none = plan.replans < replansMax ? 'no usable plan came' : plansUsed(replansMax);
  return { why: `${plan.broken.join(', ')} failed, and ${none}`, failed: plan.broken };
}

function plansUsed(replansMax: number): string {
  return `all ${replansMax} new plans are used`;
}
