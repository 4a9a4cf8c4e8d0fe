// Which criteria of a task are open, and which one comes next.
import { describeCheck } from '#kernel/model/check.ts';
import { type Criterion, type Evidence, isAtAttempt, isByMachine, isExit } from '#kernel/model/criterion.ts';
import { isRequired } from '#kernel/proof/proof.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { loopsOf } from './loop-settings.ts';

/** Checks up to this duration run after every session, not only at the end. */
const cheapMs = 30_000;

/** The criteria that still need work, in the order of the task. */
export function openCriteria(run: Run, task: TaskState): Criterion[] {
  const { passed, attempted } = task.loop;
  return wanted(run, task).filter((criterion) => {
    const { id } = criterion;
    if (!isDecidedAtOnce(run, criterion)) return !attempted.has(id);
    return !passed.has(id) && !(attempted.has(id) && isLeftOpen(task.evidence.get(id)?.attempt));
  });
}

/** A flaky check decides nothing; a person decides once nothing else is missing. */
export function isLeftOpen(evidence: Evidence | undefined): boolean {
  return evidence?.verdict === 'unknown' && evidence.flaky !== undefined;
}

/** The exit criteria that must pass, even where verification is off. */
export function wanted(run: Run, task: TaskState): Criterion[] {
  const isUnverified = !loopsOf(run).requireVerification;
  return task.spec.criteria.filter(
    (criterion) =>
      isExit(criterion) &&
      criterion.check.kind !== 'held-out' &&
      (isUnverified ? criterion.required && !task.skips.has(criterion.id) : isRequired(run, task, criterion)),
  );
}

/** Whether our check after a session decides it; people and the acceptance decide later. */
export function isDecidedAtOnce(run: Run, criterion: Criterion): boolean {
  return loopsOf(run).requireVerification && isByMachine(criterion) && isAtAttempt(criterion);
}

/** By a reviewer or a person. Null means the files as a whole, which our own checks judge. */
export function isDecidedByOthers({ spec }: TaskState, criterionId: string | null): boolean {
  const criterion = spec.criteria.find(({ id }) => id === criterionId);
  return criterion !== undefined && !isByMachine(criterion);
}

/** A check without its own text, or a gate of the repository: if green at the start, it needs no work. */
export function isPlain({ text, check }: Criterion): boolean {
  if (check.kind === 'gate') return true;
  const description = describeCheck(check);
  return text === description || text === `\`${description}\` passes`;
}

/** Checked after each session: the criterion that was worked on, and every cheap one. */
export function cheapCriteria(run: Run, task: TaskState, focus: string | null): Criterion[] {
  return task.spec.criteria.filter((criterion) => {
    if (!isExit(criterion) || !isDecidedAtOnce(run, criterion)) return false;
    const lastMs = task.evidence.get(criterion.id)?.base?.durationMs ?? 0;
    return criterion.id === focus || lastMs <= cheapMs;
  });
}

/** Not checked on this tree yet, though proof needs it. */
export function uncheckedCriteria(run: Run, task: TaskState, tree: string): Criterion[] {
  return task.spec.criteria.filter(
    (criterion) =>
      isExit(criterion) &&
      isDecidedAtOnce(run, criterion) &&
      task.evidence.get(criterion.id)?.attempt?.tree !== tree,
  );
}

export type Next =
  | { readonly kind: 'work'; readonly criterion: Criterion }
  /** This pass is over and criteria are still open: start another pass. */
  | { readonly kind: 'again' }
  /** Every open criterion has failed as often as it may. */
  | { readonly kind: 'spent'; readonly criteria: readonly Criterion[] };

export function pickCriterion(run: Run, task: TaskState, open: readonly Criterion[]): Next {
  const { focus, failures } = task.loop;
  const { maxRetries } = loopsOf(run);
  const left = open.filter(({ id }) => (failures.get(id)?.count ?? 0) < maxRetries);
  if (left.length === 0) return { kind: 'spent', criteria: open };
  const order = task.spec.criteria.map(({ id }) => id);
  const from = focus === null ? 0 : order.indexOf(focus);
  const criterion = left.find(({ id }) => order.indexOf(id) >= from);
  return criterion === undefined ? { kind: 'again' } : { kind: 'work', criterion };
}
