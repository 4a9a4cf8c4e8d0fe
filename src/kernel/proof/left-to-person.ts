// Finds work that needs only a person's verdict. It is kept even if attempts or money are used up.
import { isMachineCheck } from '#kernel/model/check.ts';
import { beganWith } from './checkpoint.ts';
import type { BrokenPin, Criterion } from '#kernel/model/criterion.ts';
import type { Fact } from '#kernel/events/events.ts';
import { triedWithPins } from './tried-with-pins.ts';
import type { Gap } from './proof.ts';
import { gapsInProof } from './proof.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { sessionName } from '#kernel/model/session-name.ts';
import { isInLedger } from './tampering.ts';
import { awaitingOf, buildOf } from '#kernel/fold/work.ts';

/** The gaps for a person to decide; null if there are none, or a gap that no person can close. */
export function leftToPerson(run: Run, task: TaskState): Gap[] | null {
  const { workTree: tree } = task;
  if (
    tree === null ||
    buildOf(task) === null ||
    task.inspection.checked?.tree !== tree ||
    !run.queue.active.has(task)
  )
    return null;
  const isUntouched = task.commit === null && tree === beganWith(run, task);
  if (isUntouched && !run.config.policy.mayLeaveTreeUnchanged) return null;
  const gaps = gapsInProof(run, task, tree).map((gap) => ({ gap, by: settledBy(run, task, gap) }));
  if (gaps.some(({ by }) => by === 'nobody')) return null;
  const asked = gaps.flatMap(({ gap, by }) => (by === 'person' ? [gap] : []));
  return asked.length === 0 ? null : asked;
}

export function isAwaitingPerson(run: Run, task: TaskState): boolean {
  return awaitingOf(task) !== null && leftToPerson(run, task) !== null;
}

/** Lets the task wait for a person instead of failing. Null if it should fail. */
export function awaitPerson(run: Run, task: TaskState, limit: string): Fact | null {
  const asked = leftToPerson(run, task);
  return asked === null ? null : awaited(task, asked, `${limit}, and only a person's decision is missing`);
}

/**
 * Asks a person instead of starting a session if only changed pinned files are wrong. If the checks pass with
 * the original files, the change did not make them pass. If other files changed too, or the goal names the
 * file, it may belong to the work. Else one builder session may restore it. Null: start another session.
 */
export function awaitPersonNow(run: Run, task: TaskState): Fact | null {
  const asked = leftToPerson(run, task);
  if (asked?.some(({ pin }) => pin !== undefined) !== true) return null;
  const isDue = asked.every(({ pin, criterionId }) => {
    if (pin !== undefined)
      return hasMoreThanPins(run, task) || isNamedByGoal(task, pin) || wasReported(run, task, pin);
    return task.spec.criteria.some(({ id, check }) => id === criterionId && check.kind === 'human');
  });
  return isDue ? awaited(task, asked, "only a person's decision is missing") : null;
}

function awaited(task: TaskState, asked: readonly Gap[], head: string): Fact {
  const what = asked.map(({ criterionId, why }) => (criterionId === null ? why : `${criterionId}: ${why}`));
  return { type: 'person-awaited', taskId: task.spec.id, why: `${head}: ${what.join('; ')}` };
}

/** With the original pinned files the checks pass, or other changes remain. */
function hasMoreThanPins(run: Run, task: TaskState): boolean {
  const tried = triedWithPins(task);
  const begun = beganWith(run, task);
  return tried.length > 0 && tried.every(({ verdict, tree }) => verdict === 'pass' || tree !== begun);
}

/** By its name, with or without folders. */
function isNamedByGoal({ spec }: TaskState, { path }: BrokenPin): boolean {
  const file = path.replace(/(?<=[^/])#.*$/, '');
  const name = file.slice(file.lastIndexOf('/') + 1);
  const words = `${spec.title}\n${spec.description}`.split(/[^\w./@+-]+/);
  return words.some((word) => word.replace(/\.$/, '').split('/').at(-1) === name);
}

/** A session that began after the change was seen left the file changed. */
function wasReported(run: Run, { spec }: TaskState, { path }: BrokenPin): boolean {
  const last = run.sessions.findLast(
    ({ taskId, role }) => taskId === spec.id && run.config.roles[role]?.readOnly !== true,
  );
  const name = last === undefined ? null : sessionName(last);
  return run.tampering.some(
    (entry) => entry.path === path && entry.taskId === spec.id && entry.session !== name,
  );
}

function settledBy(run: Run, task: TaskState, gap: Gap): 'person' | 'reviewer' | 'nobody' {
  if (gap.pin !== undefined) {
    if (gap.awaits === 'reviewer') return 'reviewer';
    return isInLedger(run, gap.pin) ? 'person' : 'nobody';
  }
  const criterion = task.spec.criteria.find(({ id }) => id === gap.criterionId);
  return criterion === undefined ? 'nobody' : decidedBy(task, criterion);
}

function decidedBy(task: TaskState, { id, check }: Criterion): 'person' | 'reviewer' | 'nobody' {
  const evidence = task.evidence.get(id)?.attempt;
  const verdict = evidence?.tree === task.workTree ? evidence?.verdict : undefined;
  if (verdict === 'fail') return 'nobody';
  if (verdict === 'unknown' || check.kind === 'human') return 'person';
  return isMachineCheck(check) ? 'nobody' : 'reviewer';
}
