// Settles requests from inside a run: a preview, a question, a progress report. None decides anything.
import { isCheckedAtAttempt } from '#kernel/model/criterion.ts';
import type { Control, ControlRequest } from '#kernel/events/control.ts';
import type { Settlement } from '#kernel/events/settlement.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { CheckOperation, Step } from '#kernel/model/step.ts';

type InsideControl = Extract<Control, { readonly kind: 'look' | 'ask' | 'report' }>;

/** Limits, so that an agent cannot fill the journal. */
const reportsMax = 500;
const previewsMax = 10;
const textMax = 4000;

export function settleFromInside(
  run: Run,
  task: TaskState,
  { id, by }: ControlRequest,
  control: InsideControl,
): Settlement {
  const { taskId } = control;
  if (!run.queue.active.has(task))
    return { refused: `no session works on task ${taskId}; it is ${task.status.is}` };
  switch (control.kind) {
    case 'look':
      if (task.previews.asked.length >= previewsMax) return { refused: 'too many previews are pending' };
      return { facts: [{ type: 'look-asked', taskId, lookId: id }] };
    case 'ask': {
      const question = control.question.trim();
      if (task.status.is === 'needs-input')
        return { refused: `a question of task ${taskId} is open already` };
      if (task.status.is !== 'active') return { refused: `task ${taskId} is ${task.status.is} already` };
      if (question === '' || question.length > textMax)
        return { refused: 'a question must have 1 to 4,000 characters' };
      return { facts: [{ type: 'question-asked', taskId, questionId: id, question }] };
    }
    case 'report':
      if (control.text.length > textMax) return { refused: 'it is too long' };
      if (task.progress.count >= reportsMax)
        return { refused: `the limit of ${reportsMax} reports is reached` };
      return { facts: [{ type: 'progress-reported', taskId, text: control.text, by }] };
  }
}

/** The step that answers requests for a preview; null if there are none, or a preview runs already. */
export function previewOf(run: Run, task: TaskState): Pick<Step, 'taskId' | 'baseTree' | 'deed'> | null {
  if (task.previews.asked.length === 0 || run.base === null) return null;
  for (const step of run.running.values()) if (step.taskId === task.spec.id && isPreview(step)) return null;
  const criteria = task.spec.criteria
    .filter(isCheckedAtAttempt)
    .map((criterion) => ({ taskId: task.spec.id, criterionId: criterion.id }));
  const operation: CheckOperation = {
    kind: 'check',
    purpose: 'look',
    place: 'clean',
    when: 'attempt',
    criteria,
    looks: [...task.previews.asked],
  };
  return { taskId: task.spec.id, baseTree: null, deed: operation };
}

function isPreview({ deed }: Step): boolean {
  return deed.kind === 'check' && deed.purpose === 'look';
}
