// The last decision of a person counts, as long as nothing was built on an earlier one.
import type { Control, ControlRequest } from '#kernel/events/control.ts';
import type { TaskState } from '#kernel/fold/run.ts';
import { personStepId } from '#kernel/model/step.ts';

/** The last pending request about the same question, if it contradicts this one. */
export function contradictedRequest(
  pending: readonly ControlRequest[],
  { control }: ControlRequest,
): ControlRequest | null {
  const matter = matterOf(control);
  const last = matter === null ? undefined : pending.findLast((one) => matterOf(one.control) === matter);
  return last === undefined || last.control.kind === control.kind ? null : last;
}

function matterOf(control: Control): string | null {
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
  const seen = evidence.get(criterionId)?.attempt;
  return seen?.stepId === personStepId && seen.tree === tree;
}
