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

/** The reflector's word: JSON between its tags, or somewhere in what it said. */
export function readReflection(text: string | null): Reflection {
  const nothing = { isAligned: null, reason: 'it said nothing that could be read' };
  if (text === null) return nothing;
  const from = text.indexOf('{');
  const to = text.lastIndexOf('}');
  if (from < 0 || to < from) return nothing;
  try {
    const said = JSON.parse(text.slice(from, to + 1)) as { aligned?: unknown; reason?: unknown };
    if (typeof said.aligned !== 'boolean') return nothing;
    const reason =
      typeof said.reason === 'string' && said.reason.trim() !== ''
        ? said.reason.trim()
        : 'no reason was given';
    return { isAligned: said.aligned, reason };
  } catch {
    return nothing;
  }
}
