// Which criteria of a task are open, and which one is worked on next.
import { describeCheck } from '#kernel/model/check.ts';
import { type Criterion, type Evidence, isAtAttempt, isByMachine, isExit } from '#kernel/model/criterion.ts';
import { isRequired } from '#kernel/proof/proof.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { loopsOf } from './loop-settings.ts';

/** Looking again takes no longer than this: it is done after every session, not only at the end. */
const cheapMs = 30_000;

/** What still has to be worked on, in the order of the task. */
export function openCriteria(run: Run, task: TaskState): Criterion[] {
  const { passed, attempted } = task.loop;
  return wanted(run, task).filter((criterion) => {
    const { id } = criterion;
    if (!isDecidedAtOnce(run, criterion)) return !attempted.has(id);
    return !passed.has(id) && !(attempted.has(id) && isLeftOpen(task.evidence.get(id)?.attempt));
  });
}

/** A flaky check decided nothing: a person will, once nothing else is missing. */
export function isLeftOpen(seen: Evidence | undefined): boolean {
  return seen?.verdict === 'unknown' && seen.flaky !== undefined;
}

/** Exit criteria that somebody waits for, also where nothing is verified. */
export function wanted(run: Run, task: TaskState): Criterion[] {
  const isUnverified = !loopsOf(run).requireVerification;
  return task.spec.criteria.filter(
    (criterion) =>
      isExit(criterion) &&
      criterion.check.kind !== 'held-out' &&
      (isUnverified ? criterion.required && !task.skips.has(criterion.id) : isRequired(run, task, criterion)),
  );
}

/** Whether our own look after a session decides it; a person and the acceptance come later. */
export function isDecidedAtOnce(run: Run, criterion: Criterion): boolean {
  return loopsOf(run).requireVerification && isByMachine(criterion) && isAtAttempt(criterion);
}

/** By a reviewer or a person; what is wrong with the files as a whole (null) is ours to see. */
export function isDecidedByOthers({ spec }: TaskState, criterionId: string | null): boolean {
  const criterion = spec.criteria.find(({ id }) => id === criterionId);
  return criterion !== undefined && !isByMachine(criterion);
}

/** A check without words of its own, or a gate of the repository: green from the start, there is nothing to do for it. */
export function isPlain({ text, check }: Criterion): boolean {
  if (check.kind === 'gate') return true;
  const said = describeCheck(check);
  return text === said || text === `\`${said}\` passes`;
}

/** What is looked at after each session: the one that was worked on, and every one that costs little. */
export function cheapCriteria(run: Run, task: TaskState, focus: string | null): Criterion[] {
  return task.spec.criteria.filter((criterion) => {
    if (!isExit(criterion) || !isDecidedAtOnce(run, criterion)) return false;
    const lastMs = task.evidence.get(criterion.id)?.base?.durationMs ?? 0;
    return criterion.id === focus || lastMs <= cheapMs;
  });
}

/** What nobody has looked at on this tree, though proof needs it. */
export function unseenCriteria(run: Run, task: TaskState, tree: string): Criterion[] {
  return task.spec.criteria.filter(
    (criterion) =>
      isExit(criterion) &&
      isDecidedAtOnce(run, criterion) &&
      task.evidence.get(criterion.id)?.attempt?.tree !== tree,
  );
}

export type Next =
  | { readonly kind: 'work'; readonly criterion: Criterion }
  /** The pass is through, and some are open: another pass. */
  | { readonly kind: 'again' }
  /** Whatever is open has failed as often as it may. */
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
