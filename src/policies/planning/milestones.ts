// Decides when the reflector is asked, at most once per milestone and per landed task, and reads its answer.
import { goalTaskId } from '#kernel/proof/goals.ts';
import type { PlanningSettings } from '#kernel/model/config.ts';
import type { Run } from '#kernel/fold/run.ts';

/** Crossed milestones that are not recorded yet. None after the last task: no work is left to correct. */
export function newlyCrossed(
  { plan, tasks }: Pick<Run, 'plan' | 'tasks'>,
  { milestones }: PlanningSettings,
): number[] {
  // The goal's own task comes after the last task of the plan.
  const goal = tasks.get(goalTaskId)?.status.is;
  const isGoalGone = goal === 'skipped' || goal === 'dropped';
  const all = tasks.size - plan.gone - (goal === undefined || isGoalGone ? 0 : 1);
  const landed = plan.landed - (goal === 'landed' ? 1 : 0);
  if (landed >= all || landed <= plan.reflectedAt) return [];
  // In whole numbers: 3 of 12 is a quarter, whatever floats make of it.
  return milestones.filter((percent) => landed * 100 >= percent * all && !plan.crossed.includes(percent));
}

export interface Reflection {
  readonly isAligned: boolean | null;
  readonly reason: string;
}

/** The answer must be JSON alone, between its tags or as the whole text. In a sentence it is a quotation. */
export function readReflection(text: string | null): Reflection {
  const nothing = { isAligned: null, reason: 'its answer could not be read' };
  if (text === null) return nothing;
  const bare = text
    .trim()
    .replace(/^```\w*\n([^]*)\n```$/, '$1')
    .trim();
  try {
    const reply = JSON.parse(bare) as { aligned?: unknown; reason?: unknown };
    // An echo of the prompt's example is no answer.
    if (typeof reply.aligned !== 'boolean' || reply.reason === 'one sentence') return nothing;
    const reason =
      typeof reply.reason === 'string' && reply.reason.trim() !== ''
        ? reply.reason.trim()
        : 'no reason was given';
    return { isAligned: reply.aligned, reason };
  } catch {
    return nothing;
  }
}
