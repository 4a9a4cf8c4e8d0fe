// A run as a list of steps for a person: its tasks, or the criteria of its only task.
import { wholeTask } from '#kernel/loop.ts';
import type { TaskState, Run } from '#kernel/run.ts';
import { criteriaOf } from './criteria.ts';

export interface StepView {
  readonly id: string;
  readonly description: string;
  readonly status: 'pending' | 'in_progress' | 'completed' | 'failed' | 'skipped';
  readonly attempts: number;
}

export function stepsOf(run: Run): StepView[] {
  const [only, ...others] = run.tasks.values();
  if (only === undefined || others.length > 0) return [...run.tasks.values()].map(taskStep);
  const isOpen = only.status !== 'landed' && only.status !== 'proven';
  return criteriaOf(run).map(({ id, text, state }) => ({
    id,
    description: text,
    status: state === 'pass' ? 'completed' : criterionStatus(state, only, isOpen),
    attempts: attemptsAt(only, id),
  }));
}

/** Attempts in which its check really ran. Where criteria are taken one by one, a session is an attempt at one of them alone. */
function attemptsAt({ loop, tries }: TaskState, criterionId: string): number {
  if (loop.iteration === 0) return tries.get(criterionId)?.runs ?? 0;
  return (loop.attempts.get(criterionId) ?? 0) + (loop.attempts.get(wholeTask) ?? 0);
}

export function completedSteps(run: Run): { readonly done: number; readonly all: number } {
  // What a new plan does without is no part of the way.
  const steps = stepsOf(run).filter(({ id }) => run.tasks.get(id)?.status !== 'dropped');
  return { done: steps.filter((step) => step.status === 'completed').length, all: steps.length };
}

/** What was never tried did not fail. */
const untried = { skipped: 'skipped', pending: 'pending' } as const;

function criterionStatus(state: string, task: TaskState, isOpen: boolean): StepView['status'] {
  if (state === 'skipped' || (state === 'pending' && task.status === 'failed')) return untried[state];
  if (task.status === 'failed' || (state === 'fail' && !isOpen)) return 'failed';
  return task.attempt === 0 ? 'pending' : 'in_progress';
}

function taskStep(task: TaskState): StepView {
  return { id: task.spec.id, description: task.spec.title, status: taskStatus(task), attempts: task.attempt };
}

function taskStatus(task: TaskState): StepView['status'] {
  switch (task.status) {
    case 'landed':
      return 'completed';
    case 'failed':
    case 'skipped':
      return task.status;
    case 'dropped':
      return 'skipped';
    case 'active':
    case 'needs-input':
    case 'proven':
      return 'in_progress';
    case 'waiting':
    case 'ready':
      return 'pending';
  }
}
