// A person may change their mind as long as nobody has acted on what they said: the last word counts.
import type { Control, ControlRequest } from '#kernel/events/control.ts';
import type { TaskState } from '#kernel/fold/run.ts';
import { personStepId } from '#kernel/model/step.ts';

/** The last request about the same matter, where it waits behind this one and says otherwise. */
export function lastWordOn(
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

/** Whether what is known of this criterion on this tree is a person's own word. */
export function isPersonsWord({ evidence }: TaskState, criterionId: string, tree: string): boolean {
  const seen = evidence.get(criterionId)?.attempt;
  return seen?.stepId === personStepId && seen.tree === tree;
}
