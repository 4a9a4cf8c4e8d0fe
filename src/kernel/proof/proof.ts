// The only place that decides what is proven: every commit and completion asks here. A criterion is decided
// by our checks (`isByMachine`), a reviewer or a person; after each attempt (`isAtAttempt`) or only at the
// acceptance. It is an entry or an exit criterion (`isExit`). Evidence belongs to one tree.
import { reserveSession } from '#kernel/model/budget.ts';
import {
  type BrokenPin,
  type Criterion,
  type Evidence,
  isAtAttempt,
  isByMachine,
  isCheckedAtAttempt,
  isExit,
} from '#kernel/model/criterion.ts';
import type { Calibration } from '#kernel/model/calibration.ts';
import { withoutFullStop } from '#base/without-full-stop.ts';
import { triedWithPins } from './tried-with-pins.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { sessionNameOf } from '#kernel/model/session-name.ts';
import { isAccepted, isInLedger } from './tampering.ts';
import { personStepId } from '#kernel/model/step.ts';

export interface Gap {
  readonly criterionId: string | null;
  readonly why: string;
  /** A changed file that is pinned because checks depend on it. */
  readonly pin?: BrokenPin;
  /** Who can still close the gap; absent if another attempt is needed. */
  readonly awaits?: 'reviewer' | 'person';
}

/** What is missing before `tree` is proven for the task; empty means proven. */
export function gapsInProof(run: Run, task: TaskState, tree: string): Gap[] {
  const gaps: Gap[] = [];
  const { checked } = task.inspection;
  if (checked === null || checked.tree !== tree)
    gaps.push({ criterionId: null, why: 'the tree was not checked' });
  else {
    if (checked.treeAfter !== tree)
      gaps.push({ criterionId: null, why: 'a check changed the files that it checked' });
    gaps.push(...brokenPinGaps(run, task, checked.brokenPins));
  }
  for (const criterion of task.spec.criteria) {
    if (!isExit(criterion) || !isAtAttempt(criterion) || !isRequired(run, task, criterion)) continue;
    const evidence = task.evidence.get(criterion.id)?.attempt;
    if (evidence?.tree === tree && evidence.verdict === 'pass') continue;
    gaps.push({
      criterionId: criterion.id,
      why: evidence?.tree === tree ? evidence.reason : 'was not checked on this tree',
      ...(evidence?.tree === tree && evidence.flaky !== undefined ? { awaits: 'person' } : {}),
    });
  }
  return gaps;
}

/** What keeps a running session from ending, by its newest preview. It proves nothing. */
export function gapsInPreview(run: Run, task: TaskState): Gap[] {
  const { newest: preview } = task.previews;
  if (preview === null) return [{ criterionId: null, why: 'the checks have not run yet' }];
  const gaps: Gap[] = [];
  if (preview.tree === run.tip?.tree && task.commit === null && !run.config.policy.mayLeaveTreeUnchanged)
    gaps.push({ criterionId: null, why: 'nothing was changed' });
  if (preview.treeAfter !== preview.tree)
    gaps.push({ criterionId: null, why: 'a check changed the files that it checked' });
  gaps.push(...brokenPinGaps(run, task, preview.brokenPins).filter((gap) => gap.awaits === undefined));
  for (const criterion of task.spec.criteria) {
    if (!isCheckedAtAttempt(criterion)) continue;
    const evidence = task.evidence.get(criterion.id)?.look;
    if (!isRequired(run, task, criterion) || (evidence?.tree === preview.tree && evidence.verdict === 'pass'))
      continue;
    gaps.push({ criterionId: criterion.id, why: evidence?.reason ?? 'was not checked' });
  }
  return gaps;
}

/** What failed when the whole run was checked on a clean checkout; empty means accepted. */
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
    for (const gap of brokenPinGaps(run, null, acceptance.brokenPins))
      gaps.push({ taskId: last.spec.id, ...gap });
  }
  for (const task of run.tasks.values()) {
    if (task.status.is !== 'landed') continue;
    for (const criterion of task.spec.criteria) {
      if (!isByMachine(criterion) || !isExit(criterion) || !isRequired(run, task, criterion)) continue;
      // A guard is the same check in every task, and is judged once for the whole run.
      if (criterion.guard === true) continue;
      const evidence = task.evidence.get(criterion.id)?.acceptance;
      if (
        evidence?.stepId === acceptance.stepId &&
        (evidence.verdict === 'pass' || isTakenByPerson(task, evidence))
      )
        continue;
      const isCurrent = evidence?.stepId === acceptance.stepId;
      gaps.push({ taskId: task.spec.id, ...gapOf(run, task, criterion, isCurrent ? evidence : undefined) });
    }
  }
  return gaps;
}

/** A builder does not learn which held-out check failed, nor what it prints; a person does. */
function gapOf(run: Run, task: TaskState, { id, check }: Criterion, evidence: Evidence | undefined): Gap {
  const why = withoutFullStop(evidence?.reason ?? 'was not checked');
  const forBuilder =
    check.kind === 'held-out' ? { criterionId: null, why: heldOutWhy(evidence) } : { criterionId: id, why };
  if (evidence === undefined || !isLeftToPerson(run, task, evidence)) return forBuilder;
  const word = task.evidence.get(id)?.attempt;
  const isRejected = word?.stepId === personStepId && word.verdict === 'fail' && word.tree === evidence.tree;
  return isRejected ? { ...forBuilder, why: word.reason } : { criterionId: id, why, awaits: 'person' };
}

function heldOutWhy(evidence: Evidence | undefined): string {
  switch (refusalOf(evidence)?.kind) {
    case undefined:
      return 'a held-out check did not pass';
    case 'attribution':
      return 'a held-out check passes because of changed tests, fixtures, scripts or settings, not because of the product code';
    default:
      return 'a held-out check passes, but its calibration shows that this says nothing about the work';
  }
}

/** A flaky check, or one that its calibration refused and that no builder can fix any more. */
function isLeftToPerson(run: Run, task: TaskState, evidence: Evidence): boolean {
  if (evidence.verdict !== 'unknown') return false;
  if (evidence.flaky !== undefined) return true;
  const refusal = refusalOf(evidence);
  if (refusal === undefined) return false;
  return refusal.asks === 'person' || task.refused.has(evidence.criterionId) || !mayBuildAgain(run, task);
}

/** Whether attempts, money and time are left for a builder and the reviewers after it. */
function mayBuildAgain({ activeMs, budget, ledger }: Run, task: TaskState): boolean {
  const sessions = 1 + reviewersOf(task).length;
  const isPaid = !('spentOut' in reserveSession(ledger, budget));
  const left = budget.sessions - ledger.spent.sessions - ledger.reserved.sessions;
  const hasAttempt = task.attempt - task.forgiven < budget.attemptsPerTask;
  return hasAttempt && isPaid && left >= sessions && activeMs < budget.activeMs;
}

/** Why the calibration refused the check as one that does not measure the work, if it did. */
export function refusalOf(evidence: Evidence | undefined): Calibration | undefined {
  return evidence?.calibration?.find(({ verdict }) => verdict === 'refused');
}

/** Gaps that only a person can close at the acceptance; empty if any other gap exists. */
export function leftAtAcceptance(run: Run): (Gap & { readonly taskId: string })[] {
  const gaps = gapsInAcceptance(run);
  return gaps.every(({ awaits }) => awaits === 'person') ? gaps : [];
}

export function isRequired(run: Run, task: TaskState, criterion: Criterion): boolean {
  if (!criterion.required || task.skips.has(criterion.id)) return false;
  if (run.config.policy.loops?.requireVerification === false) return false;
  if (criterion.guard === true && task.evidence.get(criterion.id)?.base?.verdict !== 'pass') return false;
  const { knownRed } = run.config;
  const isForgiven = knownRed === 'all' || knownRed.includes(criterion.id);
  return !(isForgiven && task.evidence.get(criterion.id)?.base?.verdict === 'fail');
}

/** Whether a person approved this on this tree, knowing that the check is flaky or was refused. */
export function isTakenByPerson(task: TaskState, evidence: Evidence): boolean {
  const word = task.evidence.get(evidence.criterionId)?.attempt;
  const isWord = word?.stepId === personStepId && word.verdict === 'pass' && word.tree === evidence.tree;
  if (!isWord || evidence.verdict !== 'unknown') return false;
  const knewFlaky = evidence.flaky === undefined || word.flaky !== undefined;
  return knewFlaky && (refusalOf(evidence) === undefined || refusalOf(word) !== undefined);
}

/** The task that is blamed for faults of the whole: the one that made the tip, else the newest landed. */
function lastLanded(run: Run): TaskState | null {
  let last: TaskState | null = null;
  for (const task of run.tasks.values()) {
    if (task.status.is !== 'landed') continue;
    if (task.commit === run.tip?.commit) return task;
    last = task;
  }
  return last;
}

/** Changed pinned files that were not accepted; a reviewer may accept some of them. */
function brokenPinGaps(run: Run, task: TaskState | null, pins: readonly BrokenPin[]): Gap[] {
  const isReviewed = task !== null && reviewersOf(task).length > 0;
  const mayBeReviewed = (pin: BrokenPin): boolean =>
    isReviewed && (run.config.tamper?.acceptedBy === 'reviewer' || onlyAddsTests(task, pin));
  return pins
    .filter((pin) => !isAccepted(run, pin))
    .map((pin) => {
      const why = `${pin.path} was ${describeChange(pin)}, and it is pinned (${pin.why})`;
      return {
        criterionId: null,
        why,
        pin,
        ...(mayBeReviewed(pin) && isInLedger(run, pin) ? { awaits: 'reviewer' } : {}),
      };
    });
}

/** Lines were added to a test file, and the checks also pass with the original: no failure is hidden. */
function onlyAddsTests(task: TaskState, pin: BrokenPin): boolean {
  const tried = triedWithPins(task);
  return pin.keepsLines === true && tried.length > 0 && tried.every(({ verdict }) => verdict === 'pass');
}

function describeChange({ change, weakening = [], renamedTo }: BrokenPin): string {
  if (renamedTo === undefined)
    return weakening.length === 0 ? change : `${change} (it ${weakening.join(', ')})`;
  const { path, similarPercent } = renamedTo;
  const content =
    similarPercent === 100 ? 'the same content' : `${similarPercent} % of the content is the same`;
  return `renamed to ${path} (${content})`;
}

/** Pinned files that reviewers accept by passing this tree; null unless all pass and no other gap is left. */
export function reviewersWord(
  run: Run,
  task: TaskState,
  tree: string,
): { readonly pins: readonly BrokenPin[]; readonly by: string; readonly why: string } | null {
  const gaps = gapsInProof(run, task, tree);
  const pins = gaps.flatMap((gap) => (gap.awaits === 'reviewer' && gap.pin !== undefined ? [gap.pin] : []));
  if (pins.length === 0 || pins.length < gaps.length) return null;
  const evidence = reviewersOf(task).map((criterion) => task.evidence.get(criterion.id)?.attempt);
  if (!evidence.every((one) => one?.tree === tree && one.verdict === 'pass')) return null;
  const by = evidence.map((one) => sessionNameOf(run, one?.stepId ?? '') ?? 'a person').join(', ');
  return { pins, by, why: evidence.map((one) => one?.reason ?? '').join('; ') };
}

export function reviewersOf(task: TaskState): Criterion[] {
  return task.spec.criteria.filter(
    (criterion) => criterion.check.kind === 'reviewer' && isExit(criterion) && criterion.required,
  );
}
