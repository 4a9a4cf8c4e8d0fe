// For information: what the checks say of the work with every pinned file as it was. It proves nothing and blames nobody.
import { taskOf } from '#kernel/apply.ts';
import { present } from '#kernel/assert.ts';
import { commandOf, describeCheck, isMachineCheck } from '#kernel/check.ts';
import type { BrokenPin } from '#kernel/criterion.ts';
import { isAccepted } from '#kernel/tampering.ts';
import type { MachineCriterion } from '#ports/checker.ts';
import { OperatorError } from '#ports/operator-error.ts';
import type { CleanCheckout } from '#ports/workspace.ts';
import type { CheckContext } from './run-checks.ts';

export async function tryWithPins(context: CheckContext, broken: readonly BrokenPin[]): Promise<void> {
  const { step, run, world } = context;
  const open = broken.filter((pin) => !isAccepted(run, pin));
  if (step.deed.purpose !== 'attempt' || open.length === 0) return;
  const due = commands(context);
  const tree = due.length === 0 ? undefined : await pinnedTree(context, open);
  // The same tree again would be steered as it was.
  if (tree === undefined || tree === step.baseTree) return;
  try {
    const checkout = await world.workspace.cleanCheckout(tree);
    try {
      for (const one of due) await look(context, checkout, tree, one);
    } finally {
      await checkout.dispose();
    }
  } catch (error) {
    // Old settings beside new dependencies may not install; then there is nothing to tell.
    if (!(error instanceof OperatorError)) throw error;
  }
}

interface Due {
  readonly taskId: string;
  readonly criterion: MachineCriterion;
}

function commands({ step, run }: CheckContext): Due[] {
  return step.deed.criteria.flatMap(({ taskId, criterionId }) => {
    const criterion = taskOf(run, taskId).spec.criteria.find((one) => one.id === criterionId);
    if (criterion === undefined || !isMachineCheck(criterion.check)) return [];
    const { check } = criterion;
    return commandOf(check) === null ? [] : [{ taskId, criterion: { ...criterion, check } }];
  });
}

async function pinnedTree({ step, world }: CheckContext, broken: readonly BrokenPin[]) {
  return world.workspace.withBasePins?.(present(step.baseTree, 'a check has a tree'), broken);
}

async function look(context: CheckContext, checkout: CleanCheckout, tree: string, due: Due): Promise<void> {
  const { step, run, world, emit, signal } = context;
  if (signal.aborted) return;
  const { taskId, criterion } = due;
  const log = `${step.stepId}_${criterion.id}_pinned.log`;
  const mark = `${run.id}/${step.stepId}`;
  const finding = await world.checker.check({ criterion, cwd: checkout.cwd, mark, log, signal });
  if (signal.aborted) return;
  const evidence = {
    taskId,
    criterionId: criterion.id,
    stepId: step.stepId,
    purpose: 'pinned',
    place: 'clean',
    tree,
    command: describeCheck(criterion.check),
    log,
    ...finding,
  } as const;
  emit([{ type: 'evidence-recorded', evidence }]);
}
