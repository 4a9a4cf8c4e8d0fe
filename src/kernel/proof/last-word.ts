// The last decision of a person counts, as long as nothing was built on an earlier one.
import type { Control, ControlRequest } from '#kernel/events/control.ts';
import type { TaskState } from '#kernel/fold/run.ts';
import { personStepId } from '#kernel/model/step.ts';

/** The last pending request about the same question, if it contradicts this one. */
export function contradictedRequest(
  pending: readonly ControlRequest[],
  { control }: ControlRequest,
): ControlRequest | null {
  const subject = subjectOf(control);
  const last = subject === null ? undefined : pending.findLast((one) => subjectOf(one.control) === subject);
  return last === undefined || last.control.kind === control.kind ? null : last;
}

function subjectOf(control: Control): string | null {
  switch (control.kind) {
    case 'approve':
    case 'reject':
      return JSON.stringify([control.taskId, control.criterionId, control.tree]);
    case 'approve-plan':
    case 'reject-plan':
      return `plan ${control.version}`;
    default:
      return null;
  }
}

/** Whether the evidence for this criterion on this tree is a person's own verdict. */
export function isPersonVerdict({ evidence }: TaskState, criterionId: string, tree: string): boolean {
  const attempt = evidence.get(criterionId)?.attempt;
  return attempt?.stepId === personStepId && attempt.tree === tree;
}
