// Work that nothing but a person's word keeps from being proven. It is not thrown away because attempts or money are used up.
import { isMachineCheck } from './check.ts';
import { beganWith } from './checkpoint.ts';
import type { Criterion } from './criterion.ts';
import type { Fact } from './events.ts';
import type { Gap } from './proof.ts';
import { gapsInProof } from './proof.ts';
import type { Run, TaskState } from './run.ts';
import { isInLedger } from './tampering.ts';

/** What a person is asked about the work as it stands; null where more is missing, or nothing that a person could settle. */
export function leftToPerson(run: Run, task: TaskState): Gap[] | null {
  const { workTree: tree } = task;
  if (tree === null || task.build === null || task.checked?.tree !== tree || !run.active.has(task))
    return null;
  const isUntouched = task.commit === null && tree === beganWith(run, task);
  if (isUntouched && !run.config.policy.mayLeaveTreeUnchanged) return null;
  const gaps = gapsInProof(run, task, tree).map((gap) => ({ gap, by: settledBy(run, task, gap) }));
  if (gaps.some(({ by }) => by === 'nobody')) return null;
  const asked = gaps.flatMap(({ gap, by }) => (by === 'person' ? [gap] : []));
  return asked.length === 0 ? null : asked;
}

/** Instead of giving up: the task waits for that person. Null where giving up is right. */
export function awaitPerson(run: Run, task: TaskState, limit: string): Fact | null {
  const asked = leftToPerson(run, task);
  if (asked === null) return null;
  const what = asked.map(({ criterionId, why }) => (criterionId === null ? why : `${criterionId}: ${why}`));
  const why = `${limit}, and only a person's word is missing: ${what.join('; ')}`;
  return { type: 'person-awaited', taskId: task.spec.id, why };
}

/** A person took something of it: the attempt is looked at again, not built again. */
export function takeUpAgain(task: TaskState): void {
  if (task.awaiting !== null && task.build !== null) task.attemptIsOver = false;
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
  const seen = task.evidence.get(id)?.attempt;
  const verdict = seen?.tree === task.workTree ? seen?.verdict : undefined;
  if (verdict === 'fail') return 'nobody';
  if (verdict === 'unknown' || check.kind === 'human') return 'person';
  return isMachineCheck(check) ? 'nobody' : 'reviewer';
}
