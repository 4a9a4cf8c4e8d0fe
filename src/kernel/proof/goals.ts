// The goals of a run, and whether the goal of a run that plans is met.
import type { Run, TaskState } from '#kernel/fold/run.ts';

/** Our own task in a run that plans: its criteria must hold of the whole at the end. */
export const goalTaskId = 'goal';

/** The purpose of a run in a person's words: the goal, and tasks that a person wrote. */
export function goalsOf({ config, tasks }: Run): string[] {
  const own = [...tasks.values()].filter((task) => task.origin.isPerson);
  return [
    config.goal,
    ...own.flatMap(({ spec }) => [spec.title, spec.description, ...spec.hints, ...spec.files]),
  ];
}

/** If all checks of the whole are green after the planned tasks, the goal task lands without a session. */
export function isGoalMet({ config }: Run, { spec, attempt, evidence }: TaskState): boolean {
  if (config.policy.planning === undefined || spec.id !== goalTaskId || attempt > 0) return false;
  return spec.criteria.every(({ id, required }) => !required || evidence.get(id)?.base?.verdict === 'pass');
}
