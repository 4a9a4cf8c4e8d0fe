import type { Run } from './run.ts';

/** What the work of a run is for, in the words of a person: the goal, and tasks that a person wrote. */
export function goalsOf({ config, tasks }: Run): string[] {
  const own = [...tasks.values()].filter((task) => task.isPersons);
  return [
    config.goal,
    ...own.flatMap(({ spec }) => [spec.title, spec.description, ...spec.hints, ...spec.files]),
  ];
}
