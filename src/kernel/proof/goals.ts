import type { Run, TaskState } from '#kernel/fold/run.ts';

/** Ours, in a run that plans: what must hold of the whole in the end. */
export const goalTaskId = 'goal';

/** What the work of a run is for, in the words of a person: the goal, and tasks that a person wrote. */
export function goalsOf({ config, tasks }: Run): string[] {
  const own = [...tasks.values()].filter((task) => task.origin.isPerson);
  return [
    config.goal,
    ...own.flatMap(({ spec }) => [spec.title, spec.description, ...spec.hints, ...spec.files]),
  ];
}

/** Whether the checks of the whole are green after the tasks of a plan: then the task of the goal lands without a session. */
export function isGoalMet({ config }: Run, { spec, attempt, evidence }: TaskState): boolean {
  if (config.policy.planning === undefined || spec.id !== goalTaskId || attempt > 0) return false;
  return spec.criteria.every(({ id, required }) => !required || evidence.get(id)?.base?.verdict === 'pass');
}
