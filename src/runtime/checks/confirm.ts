// Repeats a check that turned green by the end of the work: it may have passed by luck.
import { present } from '#base/assert.ts';
import type { Evidence } from '#kernel/model/criterion.ts';
import { furtherMin, isConfirmed, isDear, passesMin, sharedAgain, usualAgain } from '#kernel/model/flaky.ts';
import { isRequired } from '#kernel/proof/proof.ts';
import { type Run, taskOf } from '#kernel/fold/run.ts';
import type { Finding } from '#ports/checker.ts';
import type { CheckDeps } from '#ports/world.ts';
import type { CheckContext, Due } from './check-context.ts';
import { withoutAdditions } from './tree-after.ts';

export function hasTurnedGreen(
  run: Run,
  { taskId, criterion, known }: Due,
  { purpose }: Pick<Evidence, 'purpose'>,
  { verdict }: Finding,
): boolean {
  const { kind } = criterion.check;
  // A file holds the same content a moment later.
  if (purpose !== 'acceptance' || kind === 'file' || kind === 'symbol') return false;
  if (!isRequired(run, taskOf(run, taskId), criterion)) return false;
  return verdict === 'pass' && known.base !== undefined && known.base.verdict !== 'pass';
}

/** Runs the check in a folder; `number` names its log, `runs` is the maximum. */
export type RunCheckIn = (cwd: string, number: number, runs: number) => Promise<LoggedFinding>;
export type LoggedFinding = Finding & Pick<Evidence, 'cause'> & { readonly log: string };

/**
 * The runs after the first; the last one is no pass, or all are passes. Quick checks repeat in the same
 * folder, slow ones on fresh checkouts. So do checks whose first repetition fails: a check need not tolerate
 * its own leftovers, and that says nothing about the work.
 */
export async function confirm(
  { step, run, world, signal }: CheckContext,
  { known }: Due,
  first: Finding,
  { cwd, runIn }: { readonly cwd: string; readonly runIn: RunCheckIn },
): Promise<LoggedFinding[]> {
  const again = sharedAgain(run.config.flaky?.again ?? usualAgain, step.deed.criteria.length);
  const tree = present(step.baseTree, 'a check has a tree');
  const further: LoggedFinding[] = [];
  const timing = { lastMs: first.durationMs, spentMs: 0 };
  let least = known.attempt?.verdict === 'pass' ? passesMin - 1 : passesMin;
  let isAlone = isDear(first.durationMs, again);
  while (!isConfirmed({ passes: 1 + further.length, passesMin: least, ...timing }, again)) {
    const started = world.clock.now();
    const number = further.length + 2;
    const finding = await (isAlone
      ? onFreshCheckout(world, tree, (at) => runIn(at, number, again.looks))
      : runIn(cwd, number, again.looks));
    timing.lastMs = Math.max(world.clock.now() - started, finding.durationMs);
    timing.spentMs += timing.lastMs;
    const isFirst = further.length === 0 && !isAlone;
    if (finding.verdict === 'pass' || !isFirst) further.push(finding);
    if (signal.aborted || (finding.verdict !== 'pass' && !isFirst)) break;
    if (finding.verdict === 'pass') continue;
    isAlone = true;
    least = 1 + furtherMin;
  }
  return further;
}

async function onFreshCheckout(
  world: CheckDeps,
  tree: string,
  run: (cwd: string) => Promise<LoggedFinding>,
): Promise<LoggedFinding> {
  const checkout = await world.workspace.cleanCheckout(tree);
  try {
    const finding = await run(checkout.cwd);
    const after = await withoutAdditions(world, tree, await checkout.snapshot());
    const reason = 'the check changed the files that it checked';
    return after === tree ? finding : { ...finding, verdict: 'unknown', reason };
  } finally {
    await checkout.dispose();
  }
}
