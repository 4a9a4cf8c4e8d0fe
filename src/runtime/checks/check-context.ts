// The context of a check step, and the names of its evidence, logs and progress.
import { present } from '#base/assert.ts';
import { describeCheck } from '#kernel/model/check.ts';
import type { Criterion, MachineCriterion } from '#kernel/model/criterion.ts';
import { type CriterionEvidence, type Run, taskOf } from '#kernel/fold/run.ts';
import type { CheckOperation } from '#kernel/model/step.ts';
import type { ReadWatch } from '#ports/checkouts.ts';
import type { CheckDeps } from '#ports/world.ts';
import type { Emit, StepOf } from '#runtime/steps/performance.ts';

export interface CheckContext {
  readonly step: StepOf<CheckOperation>;
  readonly run: Run;
  readonly world: CheckDeps;
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

export interface OwnedCriterion<One extends Criterion = Criterion> {
  readonly taskId: string;
  readonly criterion: One;
}

export interface Due extends OwnedCriterion<MachineCriterion> {
  readonly costMs: number;
  readonly known: CriterionEvidence;
}

export interface CheckSite {
  readonly cwd: string;
  readonly watchReads?: (() => Promise<ReadWatch | undefined>) | undefined;
}

export function criteriaOf({ step, run }: CheckContext): OwnedCriterion[] {
  return step.deed.criteria.flatMap(({ taskId, criterionId }) => {
    const criterion = taskOf(run, taskId).spec.criteria.find(({ id }) => id === criterionId);
    return criterion === undefined ? [] : [{ taskId, criterion }];
  });
}

/** The common fields of the step's evidence. */
export function placeOf(
  { stepId, deed, baseTree }: CheckContext['step'],
  { taskId, criterion }: OwnedCriterion,
) {
  return {
    taskId,
    criterionId: criterion.id,
    stepId,
    purpose: deed.purpose,
    place: deed.place,
    tree: present(baseTree, 'a check has a tree'),
    command: describeCheck(criterion.check),
  };
}

/** Includes the task, because tasks may use the same check names. */
export function logName(
  { stepId, taskId }: CheckContext['step'],
  owner: string,
  id: string,
  number: number,
): string {
  const whose = taskId === owner ? '' : `_${owner}`;
  return `${stepId}${whose}_${id}${number === 1 ? '' : `_${number}`}.log`;
}

/** For minutes in which nothing is recorded. */
export function reportProgress({ step, world }: CheckContext, text: string): void {
  for (const observer of world.observers ?? []) observer.onChatter?.(step.stepId, { type: 'notice', text });
}
