// When something counts as proven. The one place that says so; everything that commits or completes asks here.
import { isMachineCheck } from './check.ts';
import type { BrokenPin, Criterion, Evidence } from './criterion.ts';
import type { Run, TaskState } from './run.ts';
import { sessionNameOf } from './session-name.ts';
import { isAccepted, isInLedger } from './tampering.ts';

export interface Gap {
  readonly criterionId: string | null;
  readonly why: string;
  /** A changed pinned file; `awaits` says who may still take it, or a flaky check. */
  readonly pin?: BrokenPin;
  readonly awaits?: 'reviewer' | 'person';
}

/** What is missing before `tree` is proven for the task; empty means proven. */
export function gapsInProof(run: Run, task: TaskState, tree: string): Gap[] {
  const gaps: Gap[] = [];
  const { checked } = task;
  if (checked === null || checked.tree !== tree)
    gaps.push({ criterionId: null, why: 'the tree was not checked' });
  else {
    if (checked.treeAfter !== tree)
      gaps.push({ criterionId: null, why: 'a check changed the files that it checked' });
    gaps.push(...brokenPinGaps(run, task, checked.brokenPins));
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
      ...(seen?.tree === tree && seen.flaky !== undefined ? { awaits: 'person' } : {}),
    });
  }
  return gaps;
}

/**
 * What shuts an exit, by the newest look at the work of a living session. Nothing in here proves anything: an open exit
 * only means that it is worth closing the session and looking again.
 */
export function gapsInLook(run: Run, task: TaskState): Gap[] {
  const { look } = task;
  if (look === null) return [{ criterionId: null, why: 'nobody has looked' }];
  const gaps: Gap[] = [];
  if (look.tree === run.tip?.tree && task.commit === null && !run.config.policy.mayLeaveTreeUnchanged)
    gaps.push({ criterionId: null, why: 'nothing was changed' });
  if (look.treeAfter !== look.tree)
    gaps.push({ criterionId: null, why: 'a check changed the files that it checked' });
  gaps.push(...brokenPinGaps(run, task, look.brokenPins).filter((gap) => gap.awaits === undefined));
  for (const criterion of task.spec.criteria) {
    if (criterion.kind !== 'exit' || criterion.when !== 'attempt' || !isMachineCheck(criterion.check))
      continue;
    const seen = task.evidence.get(criterion.id)?.look;
    if (!isRequired(run, task, criterion) || (seen?.tree === look.tree && seen.verdict === 'pass')) continue;
    gaps.push({ criterionId: criterion.id, why: seen?.reason ?? 'was not looked at' });
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
    for (const gap of brokenPinGaps(run, null, acceptance.brokenPins))
      gaps.push({ taskId: last.spec.id, ...gap });
  }
  for (const task of run.tasks.values()) {
    if (task.status !== 'landed') continue;
    for (const criterion of task.spec.criteria) {
      if (!isMachineCheck(criterion.check) || criterion.kind !== 'exit' || !isRequired(run, task, criterion))
        continue;
      // Looked at once, for the whole.
      if (criterion.guard === true) continue;
      const seen = task.evidence.get(criterion.id)?.acceptance;
      if (seen?.stepId === acceptance.stepId && (seen.verdict === 'pass' || isTakenByPerson(task, seen)))
        continue;
      const isSeen = seen?.stepId === acceptance.stepId;
      gaps.push({ taskId: task.spec.id, ...gapOf(task, criterion, isSeen ? seen : undefined) });
    }
  }
  return gaps;
}

/** Of a held-out check it is told that one did not pass, never which. */
function gapOf(task: TaskState, { id, check }: Criterion, seen: Evidence | undefined): Gap {
  if (check.kind === 'held-out') return { criterionId: null, why: 'a held-out check did not pass' };
  const why = seen?.reason ?? 'was not checked';
  if (seen?.verdict !== 'unknown' || seen.flaky === undefined) return { criterionId: id, why };
  // A flaky one is left to a person, unless they have said no.
  const word = task.evidence.get(id)?.attempt;
  const isRefused = word?.stepId === 'person' && word.verdict === 'fail' && word.tree === seen.tree;
  return isRefused ? { criterionId: id, why: word.reason } : { criterionId: id, why, awaits: 'person' };
}

/** What only a person can settle at the acceptance; empty where something else is missing as well. */
export function leftAtAcceptance(run: Run): (Gap & { readonly taskId: string })[] {
  const gaps = gapsInAcceptance(run);
  return gaps.every(({ awaits }) => awaits === 'person') ? gaps : [];
}

/**
 * Whether passing checks say anything about the work: some required criterion did not pass before,
 * or a reviewer or a person looked. An unchanged tree completes on no agent's word.
 */
export function hasMeaning(run: Run): boolean {
  const landed = [...run.tasks.values()].filter(({ status }) => status === 'landed');
  return landed.some((task) => isMeant(run, task)) && withoutMeaning(run).length === 0;
}

/** Tasks that were worked on, and whose checks say nothing about that work. */
export function withoutMeaning(run: Run): TaskState[] {
  return [...run.tasks.values()].filter(
    (task) => task.status === 'landed' && task.attempt > 0 && !isMeant(run, task),
  );
}

function isMeant(run: Run, task: TaskState): boolean {
  const isSame = run.tip?.tree === run.base?.tree || (run.tasks.size > 1 && task.workTree === task.startTree);
  const isUnchanged = isSame && !run.config.policy.mayLeaveTreeUnchanged;
  return task.spec.criteria.some((criterion) => {
    if (!isRequired(run, task, criterion) || isFromPolicy(task, criterion)) return false;
    const seen = task.evidence.get(criterion.id);
    if (!isMachineCheck(criterion.check))
      return seen?.attempt?.verdict === 'pass' && (!isUnchanged || criterion.check.kind === 'human');
    const isTaken = seen?.acceptance !== undefined && isTakenByPerson(task, seen.acceptance);
    return !isUnchanged && (isTaken || hasFlipped(seen?.base, seen?.acceptance));
  });
}

export function isRequired(run: Run, task: TaskState, criterion: Criterion): boolean {
  if (!criterion.required || task.skips.has(criterion.id)) return false;
  if (run.config.policy.loops?.requireVerification === false) return false;
  if (criterion.guard === true && task.evidence.get(criterion.id)?.base?.verdict !== 'pass') return false;
  const { knownRed } = run.config;
  const isForgiven = knownRed === 'all' || knownRed.includes(criterion.id);
  return !(isForgiven && task.evidence.get(criterion.id)?.base?.verdict === 'fail');
}

/** An agent's own proposal that no person accepted asks for more; it says nothing about the work. */
function isFromPolicy(task: TaskState, { id }: Criterion): boolean {
  return task.changes.some(
    ({ change, approvedBy }) =>
      approvedBy === 'policy' && change.kind === 'add' && change.criterion.id === id,
  );
}

function hasFlipped(base: Evidence | undefined, now: Evidence | undefined): boolean {
  const wasRed = base !== undefined && base.verdict !== 'pass' && base.flaky === undefined;
  return wasRed && now?.verdict === 'pass';
}

/** What a check cannot decide here, and a person approved on this very tree; they must have known of its failures, if it has any. */
function isTakenByPerson(task: TaskState, seen: Evidence): boolean {
  const word = task.evidence.get(seen.criterionId)?.attempt;
  const isWord = word?.stepId === 'person' && word.verdict === 'pass' && word.tree === seen.tree;
  return isWord && seen.verdict === 'unknown' && (seen.flaky === undefined || word.flaky !== undefined);
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

/** Changed pinned files that nobody has taken; where the policy lets a reviewer take them, they wait for one. */
function brokenPinGaps(run: Run, task: TaskState | null, pins: readonly BrokenPin[]): Gap[] {
  const isReviewed =
    run.config.tamper?.acceptedBy === 'reviewer' && task !== null && reviewersOf(task).length > 0;
  return pins
    .filter((pin) => !isAccepted(run, pin))
    .map((pin) => {
      const how =
        pin.weakening === undefined || pin.weakening.length === 0 ? '' : ` (it ${pin.weakening.join(', ')})`;
      const why = `${pin.path} was ${pin.change}${how}, and it is pinned (${pin.why})`;
      return {
        criterionId: null,
        why,
        pin,
        ...(isReviewed && isInLedger(run, pin) ? { awaits: 'reviewer' } : {}),
      };
    });
}

/**
 * What lets a reviewer's word stand for changed pinned files of this tree: every reviewer passed it, and nothing else
 * is missing. Null when that is not so.
 */
export function reviewersWord(
  run: Run,
  task: TaskState,
  tree: string,
): { readonly pins: readonly BrokenPin[]; readonly by: string; readonly why: string } | null {
  const gaps = gapsInProof(run, task, tree);
  const pins = gaps.flatMap((gap) => (gap.awaits === 'reviewer' && gap.pin !== undefined ? [gap.pin] : []));
  if (pins.length === 0 || pins.length < gaps.length) return null;
  const seen = reviewersOf(task).map((criterion) => task.evidence.get(criterion.id)?.attempt);
  if (!seen.every((one) => one?.tree === tree && one.verdict === 'pass')) return null;
  const by = seen.map((one) => sessionNameOf(run, one?.stepId ?? '') ?? 'a person').join(', ');
  return { pins, by, why: seen.map((one) => one?.reason ?? '').join('; ') };
}

function reviewersOf(task: TaskState): Criterion[] {
  return task.spec.criteria.filter(
    (criterion) => criterion.check.kind === 'reviewer' && criterion.kind === 'exit' && criterion.required,
  );
}
