// What was asked for less than at the start, in the words of the outcome.
import { criterionIdOf } from './criteria-change.ts';
import type { Run } from './run.ts';

/** '' when nothing was taken away. */
export function narrowingNote(run: Run): string {
  const notes = [...run.tasks.values()].flatMap((task) =>
    task.changes.flatMap(({ change, isNarrowing, by, why }) => {
      if (!isNarrowing) return [];
      const id = criterionIdOf(change);
      return [`${id} was ${verbs[change.kind]} by ${by} (${why})`];
    }),
  );
  return notes.map((note) => `; ${note}`).join('');
}

const verbs = { add: 'added', replace: 'changed', remove: 'removed', skip: 'skipped' } as const;

/** Skipped because the settings do not ask for a person; such work is not completed. */
export function unapprovedSkips(run: Run): string[] {
  return [...run.tasks.values()].flatMap((task) =>
    [...task.skips].flatMap(([id, { by, why, approvedBy }]) =>
      approvedBy === 'person' ? [] : [`${id}, by ${by} (${why})`],
    ),
  );
}
