// When something counts as proven. The one place that says so; everything that commits or completes asks here.
import { isMachineCheck } from './check.ts';
import type { BrokenPin, Criterion, Evidence } from './criterion.ts';
import type { Run, TaskState } from './run.ts';

export type Gap = { readonly criterionId: string | null; readonly why: string };

/** What is missing before `tree` is proven for the task; empty means proven. */
export function gapsInProof(run: Run, task: TaskState, tree: string): Gap[] {
  const gaps: Gap[] = [];
  const { checked } = task;
  if (checked === null || checked.tree !== tree)
    gaps.push({ criterionId: null, why: 'the tree was not checked' });
  else {
    if (checked.treeAfter !== tree)
      gaps.push({ criterionId: null, why: 'a check changed the files that it checked' });
    gaps.push(...checked.brokenPins.map(brokenPinGap));
  }
  const exit = task.spec.criteria.filter(
    (criterion) => criterion.kind === 'exit' && criterion.when === 'attempt',
  );
  for (const criterion of exit) {
    if (!isRequired(run, task, criterion)) continue;
    const seen = task.evidence.get(criterion.id)?.attempt;
    if (seen?.tree === tree && seen.verdict === 'pass') continue;
    gaps.push({
      criterionId: criterion.id,
      why: seen?.tree === tree ? seen.reason : 'was not checked on this tree',
    });
  }
  return gaps;
}

/** What failed when the whole was looked at on a clean checkout; empty means accepted. */
export function gapsInAcceptance(run: Run): (Gap & { readonly taskId: string })[] {
  const { acceptance, tip } = run;
  const gaps: (Gap & { taskId: string })[] = [];
  if (acceptance === null || tip === null || acceptance.tree !== tip.tree) return gaps;
  const last = lastLanded(run);
  if (last !== null) {
    if (acceptance.treeAfter !== acceptance.tree)
      gaps.push({
        taskId: last.spec.id,
        criterionId: null,
        why: 'a check changed the files that it checked',
      });
    for (const pin of acceptance.brokenPins) gaps.push({ taskId: last.spec.id, ...brokenPinGap(pin) });
  }
  for (const task of run.tasks.values()) {
    if (task.status !== 'landed') continue;
    for (const criterion of task.spec.criteria) {
      if (!isMachineCheck(criterion.check) || criterion.kind !== 'exit' || !isRequired(run, task, criterion))
        continue;
      const seen = task.evidence.get(criterion.id)?.acceptance;
      if (seen?.stepId === acceptance.stepId && seen.verdict === 'pass') continue;
      gaps.push({ taskId: task.spec.id, criterionId: criterion.id, why: seen?.reason ?? 'was not checked' });
    }
  }
  return gaps;
}

/**
 * Whether passing checks say anything about the work: some required criterion did not pass before,
 * or a reviewer or a person looked. An unchanged tree completes on no agent's word.
 */
export function hasMeaning(run: Run): boolean {
  const isUnchanged = run.tip?.tree === run.base?.tree && !run.config.policy.mayLeaveTreeUnchanged;
  for (const task of run.tasks.values()) {
    if (task.status !== 'landed') continue;
    for (const criterion of task.spec.criteria) {
      if (!isRequired(run, task, criterion)) continue;
      const seen = task.evidence.get(criterion.id);
      if (isMachineCheck(criterion.check)) {
        if (!isUnchanged && hasFlipped(seen?.base, seen?.acceptance)) return true;
      } else if (seen?.attempt?.verdict === 'pass' && (!isUnchanged || criterion.check.kind === 'human')) {
        return true;
      }
    }
  }
  return false;
}

export function isRequired(run: Run, task: TaskState, criterion: Criterion): boolean {
  if (!criterion.required) return false;
  const { knownRed } = run.config;
  const isForgiven = knownRed === 'all' || knownRed.includes(criterion.id);
  return !(isForgiven && task.evidence.get(criterion.id)?.base?.verdict === 'fail');
}

function hasFlipped(base: Evidence | undefined, now: Evidence | undefined): boolean {
  return base !== undefined && base.verdict !== 'pass' && now?.verdict === 'pass';
}

/** Who answers for the tip as a whole: whoever made it, else the newest that is still there. */
function lastLanded(run: Run): TaskState | null {
  let last: TaskState | null = null;
  for (const task of run.tasks.values()) {
    if (task.status !== 'landed') continue;
    if (task.commit === run.tip?.commit) return task;
    last = task;
  }
  return last;
}

function brokenPinGap(pin: BrokenPin): Gap {
  return { criterionId: null, why: `${pin.path} was ${pin.change}, and it is pinned (${pin.why})` };
}
