// Whether work is really proven, by the simulated world's own records. It does not use the kernel's proof.
import type { Criterion, Verdict } from '#kernel/model/criterion.ts';
import type { CheckOperation } from '#kernel/model/step.ts';
import type { Task } from '#kernel/model/task.ts';
import { goalTaskId } from '#kernel/proof/goals.ts';
import type { LedgerCheck } from './ledger.ts';
import { hasFailed, hasPassed } from './looks.ts';
import { pinnedPath } from './tasks.ts';
import { readTree } from './tree.ts';
import type { Universe } from './universe.ts';
import { tipOf } from './universe.ts';
import type { ObservedStep } from './view.ts';
import type { ReviewVerdict } from '#kernel/model/review.ts';

/** Why `tree` is not proven for the task; null when it is. */
export function gapInWork(universe: Universe, taskId: string, tree: string): string | null {
  const { ledger } = universe;
  const task = ledger.view.tasks.get(taskId);
  if (task === undefined) return `there is no task ${taskId}`;
  if (standsAlready(universe, task, tree)) return null;
  const check = newestCheck(
    universe,
    (step, operation) => step.taskId === taskId && step.baseTree === tree && operation.purpose === 'attempt',
  );
  if (check === null) return 'no check was made of that tree';
  if (ledger.spoilt.has(check.step.stepId)) return 'the check changed the files';
  if (readTree(tree).pinEdited && !mayChangePin(universe, task)) return 'a pinned file is changed';
  for (const criterion of task.criteria) {
    if (criterion.when !== 'attempt' || criterion.kind !== 'exit') continue;
    if (!isRequired(universe, task, criterion)) continue;
    const verdict = verdictOf(universe, { task, criterion, tree, check });
    if (verdict !== 'pass') return `${criterion.id} is ${verdict ?? 'unseen'}`;
  }
  return null;
}

/** A criterion of the whole that is green before the work: the acceptance runs its check again. */
function standsAlready(universe: Universe, task: Task, tree: string): boolean {
  if (task.id !== goalTaskId) return false;
  const base = newestCheck(
    universe,
    (step, operation) => step.taskId === task.id && operation.purpose === 'base',
  );
  if (base?.step.baseTree !== tree) return false;
  const isWorkedOn = [...universe.ledger.view.steps.values()].some(
    ({ step, position }) =>
      step.taskId === task.id && step.deed.kind === 'session' && position > base.position,
  );
  return !isWorkedOn && task.criteria.every((one) => baseVerdict(universe, task, one) === 'pass');
}

/** Why the run is not completed; null when it is. */
export function gapInCompletion(universe: Universe): string | null {
  const { view, checks, spoilt } = universe.ledger;
  const { tree } = tipOf(universe);
  const acceptance = newestCheck(universe, (_step, operation) => operation.purpose === 'acceptance');
  if (acceptance === null || acceptance.epoch !== view.epoch) return 'this driver saw no acceptance';
  if (acceptance.step.baseTree !== tree) return `${acceptance.step.baseTree} was accepted instead of ${tree}`;
  if (spoilt.has(acceptance.step.stepId)) return 'the acceptance changed the files';
  const seen = checks.get(acceptance.step.stepId);
  const isApproved = isApprovedAsWhole(universe, tree);
  let isSpokenFor = isApproved;
  const isChanged = tree !== universe.plan.baseTree || universe.plan.config.policy.mayLeaveTreeUnchanged;
  for (const task of view.tasks.values()) {
    if (!view.landed.has(task.id)) {
      if (view.skipped.has(task.id) || view.plan.dropped.has(task.id)) continue;
      return `${task.id} is not done`;
    }
    for (const criterion of task.criteria) {
      if (criterion.kind !== 'exit' || !isRequired(universe, task, criterion)) continue;
      if (criterion.check.kind === 'command') {
        const found = seen?.get(`${task.id}/${criterion.id}`);
        // A failure after a pass on this tree is flaky, and a person decided: about the criterion, or the whole run.
        const isTaken =
          found !== undefined &&
          found.verdict !== 'pass' &&
          isTakenByPerson(universe, { task, criterion, tree }, found);
        if ((found?.verdict !== 'pass' && !isTaken) || found.tree !== tree)
          return `${criterion.id} of ${task.id} was not accepted`;
        if (isChanged && (isTaken || baseVerdict(universe, task, criterion) !== 'pass')) isSpokenFor = true;
      } else if (isChanged || criterion.check.kind === 'human') {
        isSpokenFor = true;
      }
    }
    if (!isApproved && isReviewedOnly(universe, task))
      return `nothing but a reviewer speaks for ${task.id}, and that is not accepted`;
  }
  if (readTree(tree).pinEdited && !mayChangePin(universe, null)) return 'a pinned file is changed';
  return isSpokenFor ? null : 'nothing that passes says anything about the work';
}

/** A person took the work of this very tree as a whole. */
export function isApprovedAsWhole({ ledger }: Universe, tree: string): boolean {
  return [...ledger.view.controls.values()].some(
    ({ control, settled }) =>
      control.kind === 'approve-run' && settled === 'applied' && control.tree === tree,
  );
}

/** A task with reviewers, none of whose checks was red before, and that no person decided anything of. */
function isReviewedOnly(universe: Universe, task: Task): boolean {
  if (universe.plan.config.acceptReview !== false) return false;
  const required = task.criteria.filter((one) => one.kind === 'exit' && isRequired(universe, task, one));
  const isDecided = [...universe.ledger.view.controls.values()].some(
    ({ control, settled }) =>
      control.kind === 'approve' && settled === 'applied' && control.taskId === task.id,
  );
  const wasRed = required.some(
    (one) => one.check.kind === 'command' && baseVerdict(universe, task, one) !== 'pass',
  );
  return !isDecided && !wasRed && required.some(({ check }) => check.kind === 'reviewer');
}

interface Subject {
  readonly task: Task;
  readonly criterion: Criterion;
  readonly tree: string;
}

interface Question extends Subject {
  readonly check: ObservedStep;
}

function verdictOf(universe: Universe, question: Question): Verdict | null {
  const { task, criterion, tree, check } = question;
  const { checks } = universe.ledger;
  switch (criterion.check.kind) {
    case 'reviewer':
      return (
        personOf(universe, task.id, criterion.id, tree)?.verdict ??
        reviewOf(universe, task.id, criterion.check.role, tree)
      );
    case 'human':
      return personOf(universe, task.id, criterion.id, tree)?.verdict ?? null;
    default: {
      const found =
        checks.get(check.step.stepId)?.get(`${task.id}/${criterion.id}`) ?? earlierCheck(universe, question);
      if (found?.tree !== tree) return null;
      // A person may decide what our checks could not.
      return found.verdict === 'unknown' ? (wordOn(universe, question)?.verdict ?? 'unknown') : found.verdict;
    }
  }
}

/** A check that decided nothing: a person approved it on that very tree, and knew that it fails at times, if it does. */
function isTakenByPerson(universe: Universe, subject: Subject, found: LedgerCheck): boolean {
  const word = wordOn(universe, subject);
  if (word?.verdict !== 'pass') return false;
  return (
    !hasFailed(found) ||
    (['attempt', 'acceptance'] as const).some((purpose) => {
      const told = checkRunsOf(universe, subject, purpose).filter(
        ({ at, seen }) => at < word.at && seen.tree === subject.tree,
      );
      return told.some(({ seen }) => hasFailed(seen)) && told.some(({ seen }) => hasPassed(seen));
    })
  );
}

/** A person's decision after the newest run of the checks; a later run discards it. */
function wordOn(universe: Universe, subject: Subject): Word | null {
  const { task, criterion, tree } = subject;
  const word = personOf(universe, task.id, criterion.id, tree);
  const isOld = checkRunsOf(universe, subject, 'attempt').some(({ at }) => at > (word?.at ?? 0));
  return isOld ? null : word;
}

/** What the journal tells of a criterion, and where. */
function checkRunsOf(
  { ledger }: Universe,
  { task, criterion }: Subject,
  purpose: CheckOperation['purpose'],
): { readonly at: number; readonly seen: LedgerCheck }[] {
  const key = `${task.id}/${criterion.id}`;
  return [...ledger.checks].flatMap(([stepId, checks]) => {
    const operation = ledger.view.steps.get(stepId)?.step.deed;
    const at = ledger.view.toldAt.get(`${stepId}/${key}`);
    const seen = checks.get(key);
    if (
      operation?.kind !== 'check' ||
      operation.purpose !== purpose ||
      at === undefined ||
      seen === undefined
    )
      return [];
    return [{ at, seen }];
  });
}

/** Not looked at by the last step: it was seen on the very same files before, or is one of a loop that looks at some. */
function earlierCheck({ ledger }: Universe, { task, criterion, tree }: Question): LedgerCheck | undefined {
  let newest: LedgerCheck | undefined;
  // Also by a step that was cut off afterwards: what it had seen is on record.
  for (const { step } of ledger.view.steps.values()) {
    if (ledger.spoilt.has(step.stepId) || step.taskId !== task.id || step.baseTree !== tree) continue;
    if (step.deed.kind !== 'check' || step.deed.purpose !== 'attempt') continue;
    newest = ledger.checks.get(step.stepId)?.get(`${task.id}/${criterion.id}`) ?? newest;
  }
  return newest;
}

/** Why a checkpoint may not name what it names; null when it may. */
export function gapInCheckpoint(
  universe: Universe,
  taskId: string,
  tree: string,
  passed: readonly string[],
): string | null {
  const task = universe.ledger.view.tasks.get(taskId);
  const check = newestCheck(
    universe,
    (step, operation) => step.taskId === taskId && step.baseTree === tree && operation.purpose === 'attempt',
  );
  if (task === undefined || check === null) return 'no check was made of that tree';
  if (universe.ledger.spoilt.has(check.step.stepId)) return 'the check changed the files';
  for (const criterion of task.criteria) {
    if (!passed.includes(criterion.id)) continue;
    const verdict = verdictOf(universe, { task, criterion, tree, check });
    if (verdict !== 'pass') return `${criterion.id} is ${verdict ?? 'unseen'}`;
  }
  return null;
}

/** The newest valid review of that very tree: finished, nothing changed, and a verdict said. */
function reviewOf(universe: Universe, taskId: string, role: string, tree: string): Verdict | null {
  let verdict: Verdict | null = null;
  for (const { step, receipt } of universe.ledger.sessions.values()) {
    if (step.taskId !== taskId || step.deed.role !== role || step.baseTree !== tree) continue;
    if (receipt?.ending.kind !== 'finished' || receipt.endTree !== tree) continue;
    if (receipt.signal?.kind === 'done') verdict = 'pass';
    if (receipt.signal?.kind === 'report' && receipt.signal.isUntagged !== true) verdict = 'fail';
    if (receipt.signal?.kind === 'verdict') verdict = worthOf(receipt.signal.verdict);
  }
  return verdict;
}

/** An unsure word is worth nothing, and a critical blocker is a fail whatever it is called. */
function worthOf({ verdict, confidence, blockers }: ReviewVerdict): Verdict {
  if (verdict === 'fail' || blockers.some((one) => one.severity === 'critical')) return 'fail';
  return (confidence ?? 1) < 0.5 ? 'unknown' : 'pass';
}

interface Word {
  readonly at: number;
  readonly verdict: Verdict;
}

function personOf(universe: Universe, taskId: string, criterionId: string, tree: string): Word | null {
  let newest: Word | null = null;
  for (const { control, settled, settledAt } of universe.ledger.view.controls.values()) {
    if (control.kind !== 'approve' && control.kind !== 'reject') continue;
    if (settled !== 'applied' || control.taskId !== taskId || control.tree !== tree) continue;
    if (control.criterionId !== criterionId) continue;
    if (settledAt > (newest?.at ?? 0))
      newest = { at: settledAt, verdict: control.kind === 'approve' ? 'pass' : 'fail' };
  }
  return newest;
}

function isRequired(universe: Universe, task: Task, criterion: Criterion): boolean {
  if (!criterion.required) return false;
  const { knownRed } = universe.plan.config;
  const isForgiven = knownRed === 'all' || knownRed.includes(criterion.id);
  return !(isForgiven && baseVerdict(universe, task, criterion) === 'fail');
}

function baseVerdict(universe: Universe, task: Task, criterion: Criterion): Verdict | null {
  const check = newestCheck(
    universe,
    (step, operation) =>
      step.taskId === task.id && operation.purpose === 'base' && operation.when === criterion.when,
  );
  if (check === null) return null;
  return universe.ledger.checks.get(check.step.stepId)?.get(`${task.id}/${criterion.id}`)?.verdict ?? null;
}

function newestCheck(
  universe: Universe,
  fits: (step: ObservedStep['step'], deed: CheckOperation) => boolean,
): ObservedStep | null {
  let newest: ObservedStep | null = null;
  for (const seen of universe.ledger.view.steps.values()) {
    const { deed } = seen.step;
    if (
      seen.state === 'ended' &&
      seen.result?.kind === 'check' &&
      deed.kind === 'check' &&
      fits(seen.step, deed)
    )
      newest = seen;
  }
  return newest;
}

function mayChangePin(universe: Universe, task: Task | null): boolean {
  const { landed, tasks } = universe.ledger.view;
  if (task?.mayChange.includes(pinnedPath) === true) return true;
  return [...landed].some((id) => tasks.get(id)?.mayChange.includes(pinnedPath) === true);
}
