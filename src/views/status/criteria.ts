// Where each criterion of a run stands.
import { describeCheck, isMachineCheck } from '#kernel/model/check.ts';
import type { Criterion, CriterionOrigin, Evidence, Verdict } from '#kernel/model/criterion.ts';
import { triedWithPins } from '#kernel/proof/tried-with-pins.ts';
import { isRequired } from '#kernel/proof/proof.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';

export interface CriterionView {
  readonly taskId: string;
  readonly id: string;
  readonly text: string;
  /** How it is decided: the command, or who looks. */
  readonly by: string;
  readonly isMachine: boolean;
  readonly required: boolean;
  /** As seen on the work as it is; `pending` when nobody has looked at that. */
  readonly state: Verdict | 'pending' | 'skipped';
  readonly kind: 'entry' | 'exit';
  /** Who said so and why, for one that is skipped. */
  readonly skipped: { readonly by: string; readonly why: string } | null;
  /** Where it comes from and how its check was found; null for a plain check. */
  readonly origin: CriterionOrigin | null;
  /** How often it failed after work on it. */
  readonly failures: number;
  readonly reason: string | null;
  readonly base: Verdict | null;
  /** As seen while its session was still at work; it proves nothing. */
  readonly look: { readonly verdict: Verdict; readonly reason: string } | null;
  /** What the check says with the pinned files as they were; null where the work changed none. */
  readonly withPins: { readonly verdict: Verdict; readonly reason: string } | null;
  /** Where it was seen last: on a clean checkout, or in the workspace. */
  readonly place: 'clean' | 'workspace' | null;
  readonly tree: string | null;
  readonly log: string | null;
}

export function criteriaOf(run: Run, kind: Criterion['kind'] = 'exit'): CriterionView[] {
  return [...run.tasks.values()].flatMap((task) =>
    task.spec.criteria
      .filter((one) => one.kind === kind && !isMute(run, task, one))
      .map((criterion) => view(run, task, criterion)),
  );
}

/** A guard of the whole that was red before the task says nothing about it. */
function isMute(run: Run, task: TaskState, criterion: Criterion): boolean {
  return criterion.guard === true && !isRequired(run, task, criterion);
}

function view(run: Run, task: TaskState, criterion: Criterion): CriterionView {
  const seen = task.evidence.get(criterion.id);
  // What must hold before the work is looked at on the base.
  const now = criterion.kind === 'entry' ? seen?.base : current(run, task, seen?.attempt, seen?.acceptance);
  return {
    taskId: task.spec.id,
    id: criterion.id,
    text: criterion.text,
    by: describeCheck(criterion.check),
    isMachine: isMachineCheck(criterion.check),
    required: isRequired(run, task, criterion),
    state:
      task.status.is === 'skipped' || task.skips.has(criterion.id) ? 'skipped' : (now?.verdict ?? 'pending'),
    kind: criterion.kind,
    skipped: task.skips.get(criterion.id) ?? null,
    origin: criterion.origin ?? null,
    failures: failuresOf(task, criterion.id),
    reason: now?.reason ?? null,
    base: seen?.base?.verdict ?? null,
    look: lastLook(task, seen?.look),
    withPins: pinnedOf(task, criterion.id),
    // Where others than we ourselves looked is theirs to choose.
    place: isMachineCheck(criterion.check) ? (now?.place ?? null) : null,
    tree: now?.tree ?? null,
    log: now?.log ?? null,
  };
}

/** What the view of a criterion was seen by; undefined where that was on another tree or in another place. */
export function evidenceFor(
  run: Run,
  { taskId, id, tree, place }: Pick<CriterionView, 'taskId' | 'id' | 'tree' | 'place'>,
): Evidence | undefined {
  const known = run.tasks.get(taskId)?.evidence.get(id);
  return [known?.acceptance, known?.attempt].find((one) => one?.tree === tree && one?.place === place);
}

/** Where criteria are taken one by one, the loop counts them: only those that were worked on. */
function failuresOf({ loop, tries }: TaskState, id: string): number {
  return loop.iteration > 0 ? (loop.failures.get(id)?.count ?? 0) : (tries.get(id)?.failures ?? 0);
}

function lastLook(task: TaskState, seen?: Evidence): CriterionView['look'] {
  if (seen === undefined || seen.tree !== task.previews.newest?.tree) return null;
  return { verdict: seen.verdict, reason: seen.reason };
}

function pinnedOf(task: TaskState, id: string): CriterionView['withPins'] {
  const seen = triedWithPins(task).find(({ criterionId }) => criterionId === id);
  return seen === undefined ? null : { verdict: seen.verdict, reason: seen.reason };
}

/** Evidence speaks of its tree only: what was seen on an older one is pending again. A clean checkout outranks the workspace. */
function current(run: Run, task: TaskState, attempt?: Evidence, acceptance?: Evidence): Evidence | undefined {
  const ofWork = attempt?.tree === task.workTree ? attempt : undefined;
  if (acceptance === undefined) return ofWork;
  const isNewest =
    acceptance.stepId === run.acceptance?.stepId ||
    acceptance.tree === task.workTree ||
    (ofWork !== undefined && ordinalOf(acceptance) > ordinalOf(ofWork));
  return isNewest ? acceptance : ofWork;
}

/** Steps are numbered in the order in which they were started. */
function ordinalOf({ stepId }: Evidence): number {
  return Number.parseInt(stepId, 10);
}
