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

/** Tasks that an agent's own plan left out, where neither a person nor a check of the whole stands for the goal. */
export function unapprovedDrops({ plan, config, tasks }: Run): string[] {
  if ((config.policy.planning?.criteria.length ?? 0) > 0) return [];
  return plan.history.flatMap(({ by, dropped }) =>
    by === byPolicy
      ? dropped.flatMap(({ taskId, why }) =>
          tasks.get(taskId)?.status === 'dropped' ? [`${taskId} (${why})`] : [],
        )
      : [],
  );
}

/** Who lets something pass where nobody is asked. */
export const byPolicy = 'policy';
