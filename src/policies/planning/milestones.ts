// When the reflector is asked whether the work still serves the goal: once for each milestone, for any number of tasks.
import type { PlanningSettings } from '#kernel/config.ts';
import type { PlanState } from '#kernel/plan.ts';

/** Milestones that have been crossed and are not recorded yet. */
export function newlyCrossed(plan: PlanState, tasks: number, { milestones }: PlanningSettings): number[] {
  const all = tasks - plan.gone;
  if (all <= 0 || plan.landed === 0) return [];
  // In whole numbers: 3 of 12 is a quarter, whatever floats make of it.
  return milestones.filter(
    (percent) => plan.landed * 100 >= percent * all && !plan.crossed.includes(percent),
  );
}

export interface Reflection {
  readonly isAligned: boolean | null;
  readonly reason: string;
}

/** The reflector's word: JSON and nothing else, between its tags or as all that it said. In a sentence it is a quotation. */
export function readReflection(text: string | null): Reflection {
  const nothing = { isAligned: null, reason: 'it said nothing that could be read' };
  if (text === null) return nothing;
  const bare = text
    .trim()
    .replace(/^```\w*\n([^]*)\n```$/, '$1')
    .trim();
  try {
    const said = JSON.parse(bare) as { aligned?: unknown; reason?: unknown };
    // The order itself, given back.
    if (typeof said.aligned !== 'boolean' || said.reason === 'one sentence') return nothing;
    const reason =
      typeof said.reason === 'string' && said.reason.trim() !== ''
        ? said.reason.trim()
        : 'no reason was given';
    return { isAligned: said.aligned, reason };
  } catch {
    return nothing;
  }
}
