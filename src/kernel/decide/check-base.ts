// Starts the checks of a task on the tree that it starts from.
import { isByMachine } from '#kernel/model/criterion.ts';
import { present } from '#base/assert.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { Operation } from '#kernel/model/step.ts';
import { type Decision, start } from './decision.ts';

export function hasHeldOut({ spec }: TaskState): boolean {
  return spec.criteria.some(({ check }) => check.kind === 'held-out');
}

export function checkBase(
  run: Run,
  task: TaskState,
  when: 'attempt' | 'acceptance',
  decision: Decision,
): void {
  const criteria = task.spec.criteria
    .filter((criterion) => isByMachine(criterion) && criterion.when === when)
    // Evidence from before a criterion was added stays valid.
    .filter(({ id }) => task.changes.length === 0 || task.evidence.get(id)?.base === undefined)
    .map((criterion) => ({ taskId: task.spec.id, criterionId: criterion.id }));
  const operation: Operation = { kind: 'check', purpose: 'base', place: 'clean', when, criteria };
  start(run, decision, {
    taskId: task.spec.id,
    // A criterion that was added later is checked on the same tree as the others.
    baseTree: task.start.tree ?? present(run.tip, 'a prepared run has a tip').tree,
    deed: operation,
  });
}

export function onlyBaseChecksRun(run: Run, task: TaskState): boolean {
  for (const step of run.running.values()) {
    if (step.taskId !== task.spec.id) continue;
    if (!(step.deed.kind === 'check' && step.deed.purpose === 'base')) return false;
  }
  return true;
}
