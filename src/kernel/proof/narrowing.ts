// Finds requirements that were weakened since the start, and words them for the outcome.
import { isMachineCheck } from '#kernel/model/check.ts';
import { criterionIdOf } from '#kernel/fold/criteria-change.ts';
import { type Criterion, isExit } from '#kernel/model/criterion.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';

/** '' if nothing was removed. */
export function narrowingNote(run: Run): string {
  const notes = [...run.tasks.values()].flatMap((task) =>
    task.changes.flatMap(({ change, isNarrowing, by, why }) => {
      if (!isNarrowing) return [];
      const id = criterionIdOf(change);
      return [`${id} was ${verbs[change.kind]} by ${by} (${why})`];
    }),
  );
  const eased = easings(run).map((one) => `a new plan asked less of ${one}`);
  return [...notes, ...eased].map((note) => `; ${note}`).join('');
}

const verbs = { add: 'added', replace: 'changed', remove: 'removed', skip: 'skipped' } as const;

/** Skipped without a person, as the settings allow; such work is not completed. */
export function unapprovedSkips(run: Run): string[] {
  return [...run.tasks.values()].flatMap((task) =>
    [...task.skips].flatMap(([id, { by, why, approvedBy }]) =>
      approvedBy === 'person' ? [] : [`${id}, by ${by} (${why})`],
    ),
  );
}

/**
 * Tasks that an agent's own plan dropped without a person's approval. A task of a person always counts; a
 * task of an agent counts only if the goal as a whole is not proven.
 */
export function unapprovedDrops(run: Run): string[] {
  const isProven = isWholeProven(run);
  return run.plan.history.flatMap(({ by, dropped }) =>
    by === byPolicy
      ? dropped.flatMap(({ taskId, why }) => {
          const task = run.tasks.get(taskId);
          return task?.status.is === 'dropped' && (task.origin.isPerson || !isProven)
            ? [`${taskId} (${why})`]
            : [];
        })
      : [],
  );
}

/** Tasks for which an agent's plan requires less than before, while the goal as a whole is not proven. */
export function unapprovedEasings(run: Run): string[] {
  return isWholeProven(run) ? [] : easings(run);
}

/** A person who gives or approves a plan has seen what its tasks must prove. */
function easings({ plan, tasks }: Run): string[] {
  const index = plan.history.findLastIndex(({ by }) => by !== byPolicy);
  return plan.history.slice(index + 1).flatMap(({ eased }) =>
    eased.flatMap(({ taskId, lost }) => {
      const task = tasks.get(taskId);
      const still = task?.status.is === 'landed' ? lostCriteria(lost, task.spec.criteria) : [];
      return still.length === 0 ? [] : [`${taskId} (no longer: ${still.map(({ text }) => text).join('; ')})`];
    }),
  );
}

/** Required before and not after; compared by the check, not by the name. */
export function lostCriteria(before: readonly Criterion[], after: readonly Criterion[]): Criterion[] {
  const checkKey = (one: Criterion): string => JSON.stringify(one.check);
  const kept = new Set(after.filter(isAsked).map(checkKey));
  return before.filter((one) => isAsked(one) && !kept.has(checkKey(one)));
}

function isAsked(criterion: Criterion): boolean {
  return isExit(criterion) && criterion.required;
}

/** Whether a check of the whole is meaningful: it failed before some task, or it is no machine check. */
export function isWholeProven({ config, tasks }: Run): boolean {
  const whole = config.policy.planning?.criteria ?? [];
  const all = [...tasks.values()];
  return whole.some(
    ({ id, check }) =>
      !isMachineCheck(check) || all.some((task) => task.status.is === 'landed' && wasRed(task, id)),
  );
}

function wasRed({ spec, origin, evidence }: TaskState, id: string): boolean {
  // A task's own criterion may happen to have the same name.
  const isWhole = spec.criteria.some(
    (one) => one.id === id && (one.guard === true || origin.by === byPolicy),
  );
  const base = evidence.get(id)?.base;
  return isWhole && base !== undefined && base.verdict === 'fail' && base.flaky === undefined;
}

/** The author of approvals for which no person is asked. */
export const byPolicy = 'policy';
