// Reads suspensions from the journal, independently of the kernel.
import type { Event } from '#kernel/events/events.ts';
import type { Condition } from '#kernel/waiting/condition.ts';
import type { View } from '../view.ts';

export interface ObservedSuspension {
  readonly id: string;
  readonly taskId: string | null;
  readonly condition: Condition;
  readonly remindAt: number | null;
  isOpen: boolean;
  /** How it ended. */
  end: string | null;
  isExpired: boolean;
  isApproved: boolean;
  isReminded: boolean;
}

/** Time counts as work only while nothing of this holds; called before the event is seen. */
export function seeTime(view: View, event: Event): void {
  const open = [...view.suspensions.values()].filter(({ isOpen }) => isOpen);
  const isResting =
    open.some(({ taskId }) => taskId === null) || (open.length > 0 && view.running.size === 0);
  if (!isResting && event.type !== 'driver-started') view.workMs += Math.max(0, event.at - view.lastAt);
}

export function seeWaits(view: View, event: Event): void {
  if (event.type === 'suspended') {
    const { suspensionId: id, taskId = null, condition, remindAt = null } = event;
    view.suspensions.set(id, {
      id,
      taskId,
      condition,
      remindAt,
      isOpen: true,
      end: null,
      isExpired: false,
      isApproved: false,
      isReminded: false,
    });
    return;
  }
  endWithTask(view, event);
  const suspension = 'suspensionId' in event ? view.suspensions.get(event.suspensionId) : undefined;
  if (suspension === undefined) return;
  switch (event.type) {
    case 'condition-met':
    case 'suspension-ended':
      suspension.isOpen = false;
      suspension.end = event.type === 'condition-met' ? 'met' : event.how;
      return;
    case 'suspension-expired':
      suspension.isExpired = true;
      return;
    case 'suspension-approved':
      suspension.isApproved = true;
      return;
    case 'reminded':
      suspension.isReminded = true;
      return;
    default:
      return;
  }
}

/** What is over waits for nothing. */
function endWithTask(view: View, event: Event): void {
  const isOver = (taskId: string | null): boolean => {
    switch (event.type) {
      case 'run-ended':
        return true;
      case 'task-landed':
      case 'task-failed':
      case 'task-skipped':
        return event.taskId === taskId;
      case 'step-ended': {
        const step = view.steps.get(event.stepId)?.step;
        const isLanding = step?.deed.kind === 'commit' && step.deed.checkpoint === undefined;
        return isLanding && event.result.kind === 'commit' && step.taskId === taskId;
      }
      case 'plan-adopted':
        return taskId !== null && (view.plan.dropped.has(taskId) || !view.tasks.has(taskId));
      default:
        return false;
    }
  };
  for (const one of openSuspensions(view)) {
    if (!isOver(one.taskId)) continue;
    one.isOpen = false;
    one.end = event.type;
  }
}

export function openSuspensions(view: View): ObservedSuspension[] {
  return [...view.suspensions.values()].filter(({ isOpen }) => isOpen);
}

/** The open suspension that holds up the run, or this task. */
export function heldBy(view: View, taskId: string | null): ObservedSuspension | undefined {
  return openSuspensions(view).find(
    (one) => one.taskId === null || (taskId !== null && one.taskId === taskId),
  );
}
