// Lists a task's criteria with their state for the builder, and the one that it works on now.
import { describeCheck, isMachineCheck } from '#kernel/model/check.ts';
import { type Criterion, isExit } from '#kernel/model/criterion.ts';
import type { TaskState } from '#kernel/fold/run.ts';

/** '' if the session is about the whole task. */
export function focusText(task: TaskState, criterionId: string | undefined): string {
  const criterion = task.spec.criteria.find(({ id }) => id === criterionId);
  if (criterion === undefined) return '';
  return `## Your part now: ${criterion.id}\n\n${criterion.text}\n\nIt is decided by: ${decidedBy(criterion)}.`;
}

export function listCriteria(task: TaskState): string {
  const lines = task.spec.criteria.flatMap((criterion) =>
    isExit(criterion) && criterion.check.kind !== 'held-out'
      ? [`- [${markOf(task, criterion)}] ${criterion.id}: ${criterion.text}`]
      : [],
  );
  return lines.length === 0 ? '- (none)' : lines.join('\n');
}

function decidedBy({ check }: Criterion): string {
  if (isMachineCheck(check)) return `\`${describeCheck(check)}\`, run by somebody else on your files`;
  return check.kind === 'human' ? 'a person who looks at your work' : describeCheck(check);
}

function markOf(task: TaskState, { id, required }: Criterion): string {
  if (task.skips.has(id)) return 'skipped';
  if (!required) return 'wanted';
  return task.loop.passed.has(id) ? 'passes' : 'open';
}
