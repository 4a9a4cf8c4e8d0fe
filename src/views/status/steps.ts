// A run as a list of steps for a person: its tasks, or the criteria of its only task.
import { wholeTask } from '#kernel/fold/loop.ts';
import type { TaskState, Run } from '#kernel/fold/run.ts';
import type { StatusName } from '#kernel/model/task.ts';
import { criteriaOf } from './criteria.ts';
import { utc } from '#views/words.ts';

export interface StepView {
  readonly id: string;
  readonly description: string;
  readonly status: 'pending' | 'in_progress' | 'completed' | 'failed' | 'skipped';
  readonly attempts: number;
  /** Null for a step that is not completed. */
  readonly completedAt: string | null;
}

export function stepsOf(run: Run): StepView[] {
  const [only, ...others] = run.tasks.values();
  if (only === undefined || others.length > 0)
    return [...run.tasks.values()].map((task) => taskStep(run, task));
  const isOpen = only.status.is !== 'landed' && only.status.is !== 'proven';
  const passedAt = run.history.passedAt.get(only.spec.id);
  return criteriaOf(run).map(({ id, text, state }) => ({
    id,
    description: text,
    status: state === 'pass' ? 'completed' : criterionStatus(state, only, isOpen),
    attempts: attemptsAt(only, id),
    completedAt: state === 'pass' ? timeOf(passedAt?.get(id)) : null,
  }));
}

/** The index of the current step; the number of completed steps if there is none. */
export function currentStep(run: Run, steps: readonly StepView[]): number {
  const isOpen = (step: StepView): boolean => step.status === 'in_progress';
  const focused = [...run.tasks.values()].map(({ loop }) => loop.focus);
  const at = steps.findIndex((step) => isOpen(step) && focused.includes(step.id));
  const first = at === -1 ? steps.findIndex(isOpen) : at;
  return first === -1 ? steps.filter(({ status }) => status === 'completed').length : first;
}

/** Attempts in which its check really ran. In a loop over criteria, a session works on one of them. */
function attemptsAt({ loop, tries }: TaskState, criterionId: string): number {
  if (loop.iteration === 0) return tries.get(criterionId)?.runs ?? 0;
  return (loop.attempts.get(criterionId) ?? 0) + (loop.attempts.get(wholeTask) ?? 0);
}

export function completedSteps(run: Run): { readonly done: number; readonly all: number } {
  // A task that a new plan drops is no part of the progress.
  const steps = stepsOf(run).filter(({ id }) => run.tasks.get(id)?.status.is !== 'dropped');
  return { done: steps.filter((step) => step.status === 'completed').length, all: steps.length };
}

/** An untried criterion did not fail. */
const untried = { skipped: 'skipped', pending: 'pending' } as const;

function criterionStatus(state: string, task: TaskState, isOpen: boolean): StepView['status'] {
  if (state === 'skipped' || (state === 'pending' && task.status.is === 'failed')) return untried[state];
  if (task.status.is === 'failed' || (state === 'fail' && !isOpen)) return 'failed';
  return task.attempt === 0 ? 'pending' : 'in_progress';
}

function taskStep({ history }: Run, task: TaskState): StepView {
  const { id, title } = task.spec;
  const status = taskStatuses[task.status.is];
  const completedAt = status === 'completed' ? timeOf(history.landedAt.get(id)) : null;
  return { id, description: title, status, attempts: task.attempt, completedAt };
}

function timeOf(at: number | undefined): string | null {
  return at === undefined ? null : utc(at);
}

const taskStatuses: { readonly [status in StatusName]: StepView['status'] } = {
  waiting: 'pending',
  ready: 'pending',
  active: 'in_progress',
  'needs-input': 'in_progress',
  proven: 'in_progress',
  landed: 'completed',
  failed: 'failed',
  skipped: 'skipped',
  dropped: 'skipped',
};
