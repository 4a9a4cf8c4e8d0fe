// Runs the checks with every pinned file restored. For an attempt that is information. At the acceptance,
// tests added to a file on a reviewer's word must not be the reason that a check passes.
import { present } from '#base/assert.ts';
import { commandOf } from '#kernel/model/check.ts';
import {
  type BrokenPin,
  type Evidence,
  isByMachine,
  type MachineCriterion,
} from '#kernel/model/criterion.ts';
import { isAccepted, isAcceptedOnReview } from '#kernel/proof/tampering.ts';
import type { Fact } from '#kernel/events/events.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { CleanCheckout } from '#ports/checkouts.ts';
import {
  checkActivity,
  type CheckContext,
  criteriaOf,
  type OwnedCriterion,
  placeOf,
} from './check-context.ts';
import { during } from './during.ts';

/** `seen`: the evidence of this step so far. */
export async function tryWithPins(
  context: CheckContext,
  broken: readonly BrokenPin[],
  evidence: readonly Evidence[],
): Promise<void> {
  const { step, world, emit } = context;
  const open = pinsToTry(context, broken);
  const due = open.length === 0 ? [] : commands(context);
  const tree = due.length === 0 ? undefined : await pinnedTree(context, open);
  // The same tree again would give the same result.
  if (tree === undefined || tree === step.baseTree) return;
  try {
    const checkout = await world.workspace.cleanCheckout(tree);
    try {
      for (const one of due) {
        const pinned = await runPinned(context, checkout, tree, one);
        if (step.deed.purpose === 'acceptance' && pinned !== null)
          emit(refuted(evidence, pinned, open[0]?.path ?? ''));
      }
    } finally {
      await checkout.dispose();
    }
  } catch (error) {
    // Old settings beside new dependencies may not install: then an attempt has nothing to report.
    if (step.deed.purpose === 'acceptance' || !(error instanceof OperatorError)) throw error;
  }
}

function pinsToTry({ step, run }: CheckContext, broken: readonly BrokenPin[]): BrokenPin[] {
  if (step.deed.purpose === 'attempt') return broken.filter((pin) => !isAccepted(run, pin));
  // If reviewers may accept any change, the old file may have been wrong.
  if (step.deed.purpose !== 'acceptance' || run.config.tamper?.acceptedBy === 'reviewer') return [];
  return broken.filter((pin) => pin.keepsLines === true && isAcceptedOnReview(run, pin));
}

/** Takes back a pass of the acceptance that needs the changed file. */
function refuted(evidence: readonly Evidence[], pinned: Evidence, path: string): Fact[] {
  const pass = evidence.findLast(
    ({ taskId, criterionId, verdict, purpose }) =>
      purpose === 'acceptance' &&
      verdict === 'pass' &&
      taskId === pinned.taskId &&
      criterionId === pinned.criterionId,
  );
  if (pass === undefined || pinned.verdict === 'pass') return [];
  const { verdict, tail, log } = pinned;
  const reason = `with ${path} as it was: ${pinned.reason}`;
  return [{ type: 'evidence-recorded', evidence: { ...pass, verdict, reason, tail, log } }];
}

type Due = OwnedCriterion<MachineCriterion>;

function commands(context: CheckContext): Due[] {
  return criteriaOf(context).flatMap(({ taskId, criterion }) =>
    isByMachine(criterion) && commandOf(criterion.check) !== null ? [{ taskId, criterion }] : [],
  );
}

async function pinnedTree({ step, world }: CheckContext, broken: readonly BrokenPin[]) {
  return world.workspace.withBasePins?.(present(step.baseTree, 'a check has a tree'), broken);
}

async function runPinned(
  context: CheckContext,
  checkout: CleanCheckout,
  tree: string,
  due: Due,
): Promise<Evidence | null> {
  const { step, run, world, emit, signal } = context;
  if (signal.aborted) return null;
  const { criterion } = due;
  const log = `${step.stepId}_${criterion.id}_pinned.log`;
  const mark = `${run.id}/${step.stepId}`;
  const request = { criterion, cwd: checkout.cwd, mark, log, signal };
  const activity = checkActivity(step.stepId, criterion);
  const finding = await during(world, activity, () => world.checker.check(request));
  if (signal.aborted) return null;
  const evidenceContext = { ...placeOf(step, due), purpose: 'pinned', place: 'clean', tree } as const;
  const evidence = { ...evidenceContext, log, ...finding };
  emit([{ type: 'evidence-recorded', evidence }]);
  return evidence;
}
