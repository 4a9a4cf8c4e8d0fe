// Lists what a plan adds, changes and drops compared with the previous one, each with its reason.
import { clipped } from '#base/bounded-text.ts';
import type { PlanProposal } from '#kernel/planning/plan.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { Task } from '#kernel/model/task.ts';
import { endReasonOf } from '#kernel/model/task.ts';

export interface PlanChanges {
  readonly added: readonly Reasoned[];
  readonly changed: readonly Reasoned[];
  readonly dropped: readonly Reasoned[];
}

/** `why` is '' if no reason was given. */
export interface Reasoned {
  readonly id: string;
  readonly why: string;
}

/** Changes of the proposed plan, compared with the one in force. */
export function changesBy(run: Run, { tasks, dropped, reasons = [] }: PlanProposal): PlanChanges {
  const reasonOf = new Map(reasons.map(({ taskId, why }) => [taskId, why]));
  const isFirst = run.plan.version === 0;
  const known = (spec: Task): TaskState | undefined => run.tasks.get(spec.id);
  const gone = [...dropped, ...leftOut(run, new Set([...tasks, ...dropped].map(idOf)))];
  return {
    added: tasks
      .filter((spec) => !isFirst && known(spec) === undefined)
      .map(({ id }) => ({ id, why: reasonOf.get(id) ?? '' })),
    changed: tasks.flatMap((spec) => {
      const how = isFirst ? null : difference(known(spec), spec);
      return how === null ? [] : [{ id: spec.id, why: reasonOf.get(spec.id) ?? how }];
    }),
    dropped: gone.map(({ taskId, why }) => ({ id: taskId, why })),
  };
}

/** Changes of the plan in force, compared with the previous one; `dropped` covers all plans. */
export function changesMade({ plan, tasks }: Run): PlanChanges {
  const { added = [], changed = [], reasons = [] } = (plan.version > 1 ? plan.history.at(-1) : null) ?? {};
  const reasonOf = new Map(reasons.map(({ taskId, why }) => [taskId, why]));
  const reasoned = (id: string): Reasoned => ({ id, why: reasonOf.get(id) ?? '' });
  return {
    added: added.map(reasoned),
    changed: changed.map(reasoned),
    dropped: [...tasks.values()]
      .filter(({ status }) => status.is === 'dropped')
      .map((task) => ({ id: task.spec.id, why: endReasonOf(task) ?? '' })),
  };
}

export function changeLines({ added, changed, dropped }: PlanChanges): string[] {
  const list = (title: string, tasks: readonly Reasoned[]): string[] =>
    tasks.length === 0
      ? []
      : [
          '',
          `${title}:`,
          ...tasks.map(
            ({ id, why }) => `  ${id}${why === '' ? '' : `: ${clipped(why.replaceAll(/\s+/g, ' '), 160)}`}`,
          ),
        ];
  return [...list('Added', added), ...list('Changed', changed), ...list('Dropped', dropped)];
}

/** Tasks that are dropped without a reason when the plan comes into force. */
function leftOut({ tasks }: Run, named: ReadonlySet<string>) {
  const goes = ({ origin, status, spec }: TaskState): boolean =>
    !['landed', 'skipped', 'dropped'].includes(status.is) &&
    !named.has(spec.id) &&
    (origin.by === 'plan' || (origin.by !== 'policy' && status.is === 'failed'));
  return [...tasks.values()]
    .filter(goes)
    .map(({ spec }) => ({ taskId: spec.id, why: 'the new plan drops it' }));
}

const names: { readonly [field in keyof Task]?: string } = {
  title: 'title',
  description: 'description',
  files: 'files',
  creates: 'new files',
  hints: 'hints',
  dependsOn: 'dependencies',
  domain: 'domain',
  criteria: 'criteria',
  mayChange: 'what it may change',
  agents: 'agents',
  rank: 'priority',
};

/** What changed, in a few words; null if nothing did, or there was no such task. */
function difference(before: TaskState | undefined, spec: Task): string | null {
  if (before === undefined || ['landed', 'skipped'].includes(before.status.is)) return null;
  const isOther = (field: keyof Task): boolean =>
    JSON.stringify(before.spec[field]) !== JSON.stringify(spec[field]);
  const fields = (Object.keys(names) as (keyof Task)[]).filter(isOther).map((field) => names[field] ?? field);
  if (fields.length > 0) return `other ${fields.join(', ')}`;
  return before.status.is === 'failed' || before.status.is === 'dropped' ? 'it is tried again' : null;
}

function idOf(task: { readonly id: string } | { readonly taskId: string }): string {
  return 'id' in task ? task.id : task.taskId;
}
