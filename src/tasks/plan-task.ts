// Turns one task of a written plan into a task of the run.
import { isMachineCheck } from '#kernel/model/check.ts';
import type { PlanningSettings } from '#kernel/model/config.ts';
import type { Criterion } from '#kernel/model/criterion.ts';
import type { Task } from '#kernel/model/task.ts';
import type { WrittenPlanCriterion, WrittenPlanTask } from '#policies/planning/written-plan.ts';
import { OperatorError } from '#base/operator-error.ts';
import { defaultCheckTimeoutMs } from '#tasks/criteria/checks.ts';
import { normalRank } from './task-fields.ts';
import type { Infer, MakeInfer, WrittenCriterion } from '#tasks/criteria/written-criteria.ts';
import { toCriteria } from '#tasks/criteria/written-criteria.ts';

export interface PlanGround {
  readonly planning: Pick<PlanningSettings, 'everyTask' | 'checkTimeoutMs'> &
    Partial<Pick<PlanningSettings, 'approval'>>;
  /** What every task of the run may change. */
  readonly mayChange: readonly string[];
  /** A person's plan may ask people, allow changes of pinned files and name agents; an agent's may not. */
  readonly by: 'architect' | 'person';
  /** Contract: rejects unknown roles and agents. */
  readonly agentsOf?: (task: WrittenPlanTask) => NonNullable<Task['agents']>;
  readonly infer: MakeInfer | null;
}

export interface PlannedTask {
  readonly task: Task | null;
  readonly problems: readonly string[];
  /** How criteria without a machine check were settled; shown with the plan. */
  readonly notes: readonly string[];
}

/** Contract: a problem of a criterion is a sentence in `problems`, and then there is no task. */
export async function planTask(written: WrittenPlanTask, ground: PlanGround): Promise<PlannedTask> {
  const { id } = written;
  try {
    const own = await criteriaOf(written, ground);
    if (ground.by === 'person') return { task: taskOf(written, own, ground), problems: [], notes: [] };
    const isApproved = ground.planning.approval === 'person';
    const { kept, notes } = settleSoft(id, own, isApproved);
    return { task: taskOf(written, kept, ground), problems: criteriaProblems(id, own, isApproved), notes };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { task: null, problems: [`${id}: ${error.message}`], notes: [] };
  }
}

function taskOf(written: WrittenPlanTask, own: readonly Criterion[], ground: PlanGround): Task {
  const { id, title, description, hints, dependsOn, domain } = written;
  const isAuthoredByPerson = ground.by === 'person';
  const creates = [...new Set(written.creates)];
  const agents = isAuthoredByPerson ? (ground.agentsOf?.(written) ?? {}) : {};
  const isCritical = isAuthoredByPerson && written.isSecurityCritical;
  return {
    id,
    title,
    description,
    files: [...new Set(written.files.filter((path) => !creates.includes(path))), ...creates],
    ...(creates.length === 0 ? {} : { creates }),
    hints,
    dependsOn,
    domain,
    criteria: [...own, ...ground.planning.everyTask],
    mayChange: [...new Set([...ground.mayChange, ...(isAuthoredByPerson ? written.mayChange : [])])],
    ...(isCritical ? { securityCritical: true } : {}),
    ...(isAuthoredByPerson && written.rank !== null && written.rank !== normalRank
      ? { rank: written.rank }
      : {}),
    ...(Object.keys(agents).length === 0 ? {} : { agents }),
  };
}

async function criteriaOf(written: WrittenPlanTask, ground: PlanGround): Promise<Criterion[]> {
  const { everyTask, checkTimeoutMs: timeoutMs = defaultCheckTimeoutMs } = ground.planning;
  const infer: Infer | null = ground.infer?.(timeoutMs) ?? null;
  return toCriteria(await writtenCriteria(written), {
    timeoutMs,
    taken: everyTask.map((one) => one.id),
    loops: { autoInferVerification: true, suggestBrowserTests: false },
    infer,
    ...(ground.by === 'architect' ? { keepsSoftEntry: true } : {}),
  });
}

async function writtenCriteria({
  id,
  entryCriteria,
  exitCriteria,
}: WrittenPlanTask): Promise<WrittenCriterion[]> {
  const { planCheckSchema } = await import('./task-schema.ts');
  const read =
    (kind: 'entry' | 'exit') =>
    ({ check, ...one }: WrittenPlanCriterion): WrittenCriterion => {
      const parsed = planCheckSchema.safeParse(check);
      if (!parsed.success)
        throw new OperatorError(
          'bad-check',
          `the check of "${one.text}" cannot be read: ${parsed.error.issues[0]?.message ?? ''}`,
          'Write a command, or a table as in the configuration.',
        );
      return { ...one, kind, check: parsed.data, from: `task ${id}` };
    };
  return [...entryCriteria.map(read('entry')), ...exitCriteria.map(read('exit'))];
}

/**
 * Settles criteria of an agent's plan without a check: the person who approves the plan decides them. Without
 * approval they are dropped. Entry criteria always are, because no person is asked before a task starts.
 */
function settleSoft(
  id: string,
  criteria: readonly Criterion[],
  isApproved: boolean,
): { readonly kept: readonly Criterion[]; readonly notes: readonly string[] } {
  const isKept = ({ kind, origin }: Criterion): boolean =>
    origin?.check !== 'none' || (isApproved && kind === 'exit');
  const notes = criteria.filter(isSoft).map((one) => {
    const what = `${id}: no check was found for "${one.text}"`;
    return isKept(one) ? `${what}, so a person decides it` : `${what}, so it is left out`;
  });
  return { kept: criteria.filter(isKept), notes };
}

function isSoft({ origin }: Criterion): boolean {
  return origin?.check === 'none';
}

/** An agent's task needs an exit criterion for a machine, or for the person who approves the plan. */
function criteriaProblems(id: string, criteria: readonly Criterion[], isApproved: boolean): string[] {
  const isDecidable = (one: Criterion): boolean => isMachineCheck(one.check) || (isApproved && isSoft(one));
  if (criteria.some((one) => one.kind === 'exit' && one.required && isDecidable(one))) return [];
  const soft = criteria.filter((one) => isSoft(one) && one.kind === 'exit');
  if (soft.length === 0)
    return [`${id}: none of its exit criteria can be checked by a machine; add one that can`];
  return soft.map(
    ({ text, origin }) =>
      `${id}: no check could be found for "${text}"${because(origin)}; write one under "check"`,
  );
}

/** Helps the architect to write a check. */
function because(origin: Criterion['origin']): string {
  const notes = [origin?.why ?? '', origin?.suggestion ?? ''].filter((part) => part !== '');
  return notes.length === 0 ? '' : ` (${notes.join('; ')})`;
}
