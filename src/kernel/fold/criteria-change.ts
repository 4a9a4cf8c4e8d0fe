// Changes of frozen criteria. Adding is free; removing needs a person, a reason, and a line in the outcome.
import { describeCheck, isMachineCheck, judgeOf } from '#kernel/model/check.ts';
import { type CriteriaChange, type Criterion, type Evidence, isByMachine } from '#kernel/model/criterion.ts';
import type { Event } from '#kernel/events/events.ts';
import { forgetPass } from './loop.ts';
import type { Run, TaskState } from './run.ts';
import type { CriteriaFact } from '#kernel/events/criteria-facts.ts';

export interface RecordedChange {
  readonly change: CriteriaChange;
  /** The criterion before; null for a new one. */
  readonly was: Criterion | null;
  readonly by: string;
  readonly at: number;
  readonly why: string;
  readonly isNarrowing: boolean;
  readonly approvedBy: 'person' | 'policy';
}

/** A change requested by an agent, which may not make it. */
export interface Proposal {
  readonly id: string;
  readonly taskId: string;
  readonly change: CriteriaChange;
  readonly by: string;
  readonly why: string;
  readonly settled: {
    readonly isAccepted: boolean;
    readonly by: string;
    readonly at: number;
    readonly why: string;
  } | null;
}

export function criterionIdOf(change: CriteriaChange): string {
  return 'criterion' in change ? change.criterion.id : change.criterionId;
}

/** Whether less is required afterwards. A changed check counts, because it may be weaker. */
export function isNarrowing(was: Criterion | null, change: CriteriaChange): boolean {
  if (change.kind === 'add' || was === null) return false;
  if (change.kind !== 'replace') return was.required;
  const { criterion } = change;
  const isSame =
    was.text === criterion.text &&
    was.kind === criterion.kind &&
    JSON.stringify(was.check) === JSON.stringify(criterion.check);
  const isLater = was.when === 'attempt' && criterion.when === 'acceptance' && was.kind === 'entry';
  return !isSame || isLater || (was.required && !criterion.required);
}

export type CriteriaEvent = Extract<Event, { readonly type: CriteriaFact['type'] }>;

export function applyCriteria(run: Run, task: TaskState, event: CriteriaEvent): void {
  switch (event.type) {
    case 'criterion-proposed': {
      const { proposalId: id, taskId, change, by, why } = event;
      run.proposals.set(id, { id, taskId, change, by, why, settled: null });
      return;
    }
    case 'proposal-settled': {
      const known = run.proposals.get(event.proposalId);
      const { isAccepted, by, why } = event;
      const settled = { isAccepted, by, at: run.now, why };
      if (known !== undefined) run.proposals.set(known.id, { ...known, settled });
      return;
    }
    case 'criteria-changed':
      return change(run, task, event);
  }
}

function change(run: Run, task: TaskState, event: CriteriaEvent & { type: 'criteria-changed' }): void {
  const { change: wanted, by, why, approvedBy } = event;
  const id = criterionIdOf(wanted);
  const { criteria } = task.spec;
  const was = criteria.find((one) => one.id === id) ?? null;
  const narrows = isNarrowing(was, wanted);
  task.changes.push({ change: wanted, was, by, at: run.now, why, isNarrowing: narrows, approvedBy });
  if (wanted.kind === 'skip') {
    task.skips.set(id, { by, why, approvedBy });
    return;
  }
  const others = (one: Criterion): Criterion[] => (one.id !== id ? [one] : []);
  if (wanted.kind === 'add') task.spec = { ...task.spec, criteria: [...criteria, wanted.criterion] };
  else if (wanted.kind === 'remove') task.spec = { ...task.spec, criteria: criteria.flatMap(others) };
  else {
    const replaced = criteria.map((one) => (one.id === id ? wanted.criterion : one));
    task.spec = { ...task.spec, criteria: replaced };
  }
  forget(task, id);
  if ('criterion' in wanted) forgetFindings(run, task, wanted.criterion);
}

/** The check was changed while it ran: its evidence says nothing about the present check. */
export function isOutdated(task: TaskState, { criterionId, command }: Evidence): boolean {
  if (task.changes.length === 0) return false;
  const now = task.spec.criteria.find(({ id }) => id === criterionId);
  return now === undefined || (command !== null && describeCheck(now.check) !== command);
}

/** Whether every present check of the task has run on the base. */
export function isBaseChecked(task: TaskState, when: Criterion['when']): boolean {
  if (task.changes.length === 0) return true;
  return task.spec.criteria.every(
    (criterion) =>
      criterion.when !== when ||
      !isByMachine(criterion) ||
      task.evidence.get(criterion.id)?.base !== undefined,
  );
}

function forget(task: TaskState, id: string): void {
  task.evidence.delete(id);
  task.tries.delete(id);
  task.skips.delete(id);
  task.loop.failures.delete(id);
  forgetPass(task, id);
}

/** The check must run on the base and on the work, and needs its own pins. */
function forgetFindings(run: Run, task: TaskState, { check, when }: Criterion): void {
  if (!isMachineCheck(check)) return;
  task.start.checked[when] = false;
  task.inspection.checked = null;
  if (judgeOf(check) !== null && run.base !== null) run.arePinsDue = true;
}
