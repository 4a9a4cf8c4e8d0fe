// The state of each criterion of a run.
import { describeCheck, isMachineCheck } from '#kernel/model/check.ts';
import type { Criterion, Evidence, Verdict } from '#kernel/model/criterion.ts';
import { triedWithPins } from '#kernel/proof/tried-with-pins.ts';
import { isRequired } from '#kernel/proof/proof.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';

export type CriterionView = Readonly<ReturnType<typeof view>>;

export function criteriaOf(run: Run, kind: Criterion['kind'] = 'exit'): CriterionView[] {
  return [...run.tasks.values()].flatMap((task) =>
    task.spec.criteria
      .filter((one) => one.kind === kind && !isMute(run, task, one))
      .map((criterion) => view(run, task, criterion)),
  );
}

/** A guard that failed before the task says nothing about it. */
function isMute(run: Run, task: TaskState, criterion: Criterion): boolean {
  return criterion.guard === true && !isRequired(run, task, criterion);
}

function view(run: Run, task: TaskState, criterion: Criterion) {
  const { id, text, check, kind, origin = null } = criterion;
  const evidence = task.evidence.get(id);
  // An entry criterion is checked on the base.
  const now = kind === 'entry' ? evidence?.base : current(run, task, evidence?.attempt, evidence?.acceptance);
  const isMachine = isMachineCheck(check);
  return {
    taskId: task.spec.id,
    id,
    text,
    /** How it is decided: the command, or the reviewer or person. */
    by: describeCheck(check),
    isMachine,
    required: isRequired(run, task, criterion),
    state: stateOf(task, id, now),
    kind,
    /** Who skipped it and why; null otherwise. */
    skipped: task.skips.get(id) ?? null,
    /** Its origin and how its check was found; null for a plain check. */
    origin,
    /** How often it failed after work on it. */
    failures: failuresOf(task, id),
    reason: now?.reason ?? null,
    base: evidence?.base?.verdict ?? null,
    /** By a preview while its session was still working; it proves nothing. */
    look: evidence?.look?.tree === task.previews.newest?.tree ? verdictOf(evidence?.look) : null,
    /** The verdict with the original pinned files; null if the work changed none. */
    withPins: verdictOf(triedWithPins(task).find(({ criterionId }) => criterionId === id)),
    /** Where it was checked last. A reviewer or person chooses their own place. */
    place: isMachine ? (now?.place ?? null) : null,
    tree: now?.tree ?? null,
    log: now?.log ?? null,
  };
}

/** For the present work; `pending` if that was not checked. */
function stateOf(task: TaskState, id: string, now: Evidence | undefined): Verdict | 'pending' | 'skipped' {
  return task.status.is === 'skipped' || task.skips.has(id) ? 'skipped' : (now?.verdict ?? 'pending');
}

function verdictOf(evidence: Evidence | undefined): Pick<Evidence, 'verdict' | 'reason'> | null {
  return evidence === undefined ? null : { verdict: evidence.verdict, reason: evidence.reason };
}

/** The evidence behind a view of a criterion; undefined if it is of another tree or place. */
export function evidenceFor(
  run: Run,
  { taskId, id, tree, place }: Pick<CriterionView, 'taskId' | 'id' | 'tree' | 'place'>,
): Evidence | undefined {
  const known = run.tasks.get(taskId)?.evidence.get(id);
  return [known?.acceptance, known?.attempt].find((one) => one?.tree === tree && one?.place === place);
}

/** If criteria are worked on one by one, the loop counts only failures after work on them. */
function failuresOf({ loop, tries }: TaskState, id: string): number {
  return loop.iteration > 0 ? (loop.failures.get(id)?.count ?? 0) : (tries.get(id)?.failures ?? 0);
}

/** Evidence holds for its own tree only; else it is pending. A clean checkout outranks the workspace. */
function current(run: Run, task: TaskState, attempt?: Evidence, acceptance?: Evidence): Evidence | undefined {
  const ofWork = attempt?.tree === task.workTree ? attempt : undefined;
  if (acceptance === undefined) return ofWork;
  const isNewest =
    acceptance.stepId === run.acceptance?.stepId ||
    acceptance.tree === task.workTree ||
    (ofWork !== undefined && ordinalOf(acceptance) > ordinalOf(ofWork));
  return isNewest ? acceptance : ofWork;
}

/** Steps are numbered in the order of their start. */
function ordinalOf({ stepId }: Evidence): number {
  return Number.parseInt(stepId, 10);
}
