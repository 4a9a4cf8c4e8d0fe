// Runs the checks of one step in our own process, on one tree; no session is alive, except during a preview.
import { present } from '#base/assert.ts';
import type { Evidence } from '#kernel/model/criterion.ts';
import type { RunsAfterLanding } from '#kernel/model/after-landing.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { CheckOperation } from '#kernel/model/step.ts';
import { isAccepted } from '#kernel/proof/tampering.ts';
import type { CheckDeps } from '#ports/world.ts';
import { calibrate } from '#runtime/calibration/calibrate.ts';
import { checkPins } from '#runtime/checks/check-pins.ts';
import type { CheckSite } from '#runtime/checks/check-context.ts';
import { runChecks } from '#runtime/checks/run-checks.ts';
import { runHook } from '#runtime/checks/run-hook.ts';
import { restoreFiles } from './session-place.ts';
import { withoutAdditions } from '#runtime/checks/tree-after.ts';
import { tryWithPins } from '#runtime/checks/try-with-pins.ts';
import { ended, lost } from './perform-ended.ts';
import { cancellable, type Emit, type Performance, type StepOf } from './performance.ts';

type CheckStep = StepOf<CheckOperation>;

interface Site extends CheckSite {
  /** The tree after the checks; files that a check merely added are removed first. */
  treeAfter(): Promise<string>;
  dispose(): Promise<void>;
}

export function performCheck(asked: CheckStep, run: Run, world: CheckDeps, emit: Emit): Performance {
  return cancellable(async (signal) => {
    const step = await withTree(asked, world);
    const site = await openSite(step, world, emit);
    try {
      const evidence: Evidence[] = [];
      const context = { step, run, world, emit: noting(evidence, emit), signal };
      const outside = await runChecks(context, site);
      const hook = await runHook(context);
      if (signal.aborted) return lost(step, 'it was cancelled');
      const treeAfter = await site.treeAfter();
      const { brokenPins, facts } = await checkPins(step, run, world);
      await tryWithPins(context, brokenPins, evidence);
      const own = evidence.filter(({ purpose }) => purpose === step.deed.purpose);
      if (brokenPins.every((pin) => isAccepted(run, pin))) await calibrate({ ...context, emit }, own);
      const later = await runsLater(step, run, world);
      if (signal.aborted) return lost(step, 'it was cancelled');
      const result = {
        kind: 'check',
        treeAfter,
        brokenPins,
        ...outside,
        ...hook,
        ...foundBy(step),
        ...later,
      } as const;
      return [...facts, ...ended(step, result)];
    } finally {
      await site.dispose();
    }
  });
}

/** Collects the step's own evidence, because the run may not have it yet. */
function noting(evidence: Evidence[], emit: Emit): Emit {
  return (facts) => {
    for (const fact of facts) if (fact.type === 'evidence-recorded') evidence.push(fact.evidence);
    emit(facts);
  };
}

/** A preview (`look`) checks the current files, which a session may be writing. */
async function withTree(step: CheckStep, world: CheckDeps): Promise<CheckStep> {
  return step.deed.purpose === 'look' ? { ...step, baseTree: await world.workspace.snapshot() } : step;
}

function foundBy({ deed, baseTree }: CheckStep): { tree?: string } {
  return deed.purpose === 'look' && baseTree !== null ? { tree: baseTree } : {};
}

/** Reported at the acceptance, because landing is the user's next step. */
async function runsLater(
  { deed, baseTree }: CheckStep,
  { base }: Run,
  { workspace }: CheckDeps,
): Promise<{ runsAfterLanding?: readonly RunsAfterLanding[] }> {
  if (deed.purpose !== 'acceptance' || base === null || baseTree === null) return {};
  const found = (await workspace.runsAfterLanding?.(base.tree, baseTree)) ?? [];
  return found.length === 0 ? {} : { runsAfterLanding: found };
}

async function openSite(step: CheckStep, world: CheckDeps, emit: Emit): Promise<Site> {
  const tree = present(step.baseTree, 'a check has a tree');
  if (step.deed.place === 'clean') {
    const checkout = await world.workspace.cleanCheckout(tree);
    return {
      cwd: checkout.cwd,
      watchReads: async () => checkout.watchReads?.(),
      treeAfter: async () => withoutAdditions(world, tree, await checkout.snapshot()),
      dispose: () => checkout.dispose(),
    };
  }
  await restoreFiles(step, world, emit);
  return {
    cwd: world.workspace.cwd,
    async treeAfter() {
      const present = await world.workspace.snapshot();
      const after = await withoutAdditions(world, tree, present);
      if (after === tree && present !== tree) await world.workspace.removeAdded(tree);
      return after;
    },
    dispose: async () => {},
  };
}
